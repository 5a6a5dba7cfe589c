import type {EpochMs} from '../../../shared/base/units.ts'
import {classifySwitchFrame, mayHoldSecrets} from '../../../shared/frames/classify-switch-frame.ts'
import {problemSummary} from '../../../shared/frames/describe-problem.ts'
import {summaryOf} from '../../../shared/frames/describe-switch-frame.ts'
import type {FrameProblem, SwitchFrame} from '../../../shared/frames/frame.ts'
import {frameIdentity} from '../../../shared/frames/frame-identity.ts'
import type {Arrival, RawFrame} from '../../../shared/frames/raw-frame.ts'
import type {FrameId, JournaledFrame} from '../../../shared/history/fact.ts'
import type {SourceId} from '../../../shared/source/source.ts'

/** What is kept of a frame, apart from when it came, on which source, and its number. */
type Kept = Omit<JournaledFrame, 'id' | 'source' | 'receivedAt'>

/** What an arrival says: understood, or refused with the problem. It depends on nothing else, so it can be told ahead. */
export type JudgedArrival =
  | {readonly kind: 'understood'; readonly kept: Kept; readonly frame: SwitchFrame; readonly identity: string}
  | {readonly kind: 'malformed'; readonly kept: Kept; readonly problem: FrameProblem; readonly identity: string}

/** One arrival, judged, with the time at which its last byte was here. */
export interface Received {
  readonly judged: JudgedArrival
  readonly at: EpochMs
}

/** A judged arrival as a frame of a source. Nothing of it is durable yet. */
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

/** Frames are numbered here, in the order in which they are handled: what was only read ahead has no number. */
export function receiveSwitchFrame({judged, at}: Received, receiver: Receiver): ReceivedFrame {
  const journaled = {id: receiver.nextFrameId(), source: receiver.source, receivedAt: at, ...judged.kept}
  const {identity} = judged
  return judged.kind === 'understood'
    ? {kind: 'understood', journaled, frame: judged.frame, identity}
    : {kind: 'malformed', journaled, problem: judged.problem, identity}
}

/** The identity of every frame whose bytes were dropped. */
export const TOO_LONG = 'tooLong'

export function judgeArrival(arrival: Arrival): JudgedArrival {
  if (arrival.kind === 'tooLong') {
    const problem = {kind: 'tooLong', capBytes: arrival.capBytes} as const
    const nothing = {event: '', bytes: new Uint8Array(), size: arrival.capBytes, cuts: []}
    return {kind: 'malformed', kept: refused(nothing, problem), problem, identity: TOO_LONG}
  }
  const {frame: raw} = arrival
  const identity = frameIdentity(raw)
  const classified = classifySwitchFrame(raw)
  const asReceived = {event: raw.event, ...bytesKept(raw), size: raw.bytes.length}
  if (!classified.ok) {
    const problem = classified.error
    return {kind: 'malformed', kept: refused(asReceived, problem), problem, identity}
  }
  const frame = classified.value
  return {kind: 'understood', kept: {...asReceived, kind: frame.kind, summary: summary(frame)}, frame, identity}
}

function refused(asReceived: Pick<Kept, 'event' | 'bytes' | 'size' | 'cuts'>, problem: FrameProblem): Kept {
  return {...asReceived, kind: 'malformed', summary: problemSummary(problem), problem}
}

function summary(frame: SwitchFrame): string {
  return mayHoldSecrets(frame.event) ? 'for a hosted worker; not kept' : summaryOf(frame)
}

function bytesKept(raw: RawFrame): {readonly bytes: Uint8Array; readonly cuts: readonly number[]} {
  return mayHoldSecrets(raw.event) ? {bytes: new Uint8Array(), cuts: []} : {bytes: raw.bytes, cuts: raw.cuts}
}
