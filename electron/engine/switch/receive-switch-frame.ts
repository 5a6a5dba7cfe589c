import {classifySwitchFrame, mayHoldSecrets} from '../../../shared/frames/classify-switch-frame.ts'
import {problemSummary, summaryOf} from '../../../shared/frames/describe-switch-frame.ts'
import type {FrameProblem, SwitchFrame} from '../../../shared/frames/frame.ts'
import {frameIdentity} from '../../../shared/frames/frame-identity.ts'
import type {RawFrame} from '../../../shared/frames/raw-frame.ts'
import type {FrameId, JournaledFrame} from '../../../shared/history/fact.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Received} from './read-switch-stream.ts'

/** An arrival, judged: understood, or refused with the problem. Nothing of it is durable yet. */
export type ReceivedFrame =
  | {
      readonly kind: 'understood'
      readonly journaled: JournaledFrame
      readonly frame: SwitchFrame
      readonly identity: string
    }
  | {
      readonly kind: 'malformed'
      readonly journaled: JournaledFrame
      readonly problem: FrameProblem
      readonly identity: string
    }

export interface Receiver {
  readonly source: SourceId
  readonly nextFrameId: () => FrameId
}

export function receiveSwitchFrame({arrival, at}: Received, receiver: Receiver): ReceivedFrame {
  const base = {id: receiver.nextFrameId(), source: receiver.source, receivedAt: at}
  if (arrival.kind === 'tooLong') {
    const problem = {kind: 'tooLong', capBytes: arrival.capBytes} as const
    const nothingKept = {event: '', bytes: new Uint8Array(), size: arrival.capBytes, cuts: []}
    return malformed(
      {...base, ...nothingKept, kind: 'malformed', summary: problemSummary(problem), problem},
      problem,
      'tooLong',
    )
  }
  const {frame: raw} = arrival
  const identity = frameIdentity(raw)
  const classified = classifySwitchFrame(raw)
  const asReceived = {...base, event: raw.event, ...kept(raw), size: raw.bytes.length}
  if (!classified.ok) {
    const problem = classified.error
    return malformed({...asReceived, kind: 'malformed', summary: problemSummary(problem), problem}, problem, identity)
  }
  const frame = classified.value
  const journaled: JournaledFrame = {...asReceived, kind: frame.kind, summary: summary(frame)}
  return {kind: 'understood', journaled, frame, identity}
}

function malformed(journaled: JournaledFrame, problem: FrameProblem, identity: string): ReceivedFrame {
  return {kind: 'malformed', journaled, problem, identity}
}

function summary(frame: SwitchFrame): string {
  return mayHoldSecrets(frame.event) ? 'for a hosted worker; not kept' : summaryOf(frame)
}

function kept(raw: RawFrame): {readonly bytes: Uint8Array; readonly cuts: readonly number[]} {
  return mayHoldSecrets(raw.event) ? {bytes: new Uint8Array(), cuts: []} : {bytes: raw.bytes, cuts: raw.cuts}
}
