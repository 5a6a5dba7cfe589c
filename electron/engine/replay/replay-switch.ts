import type {Held} from '../../../shared/callbacks/held.ts'
import {settlementOf} from '../../../shared/callbacks/settlement.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import {NOWHERE, type Position} from '../../../shared/position/position.ts'
import {acknowledge, acknowledgeRun, type FrameDelivery, type HandlingEnd} from '../acknowledge.ts'
import type {Callbacks} from '../callbacks.ts'
import {malformedChanges} from '../changes-of-frame.ts'
import {StoreFailure} from '../store/store.ts'
import {judgeArrival, type ReceivedFrame, receiveSwitchFrame} from '../switch/receive-switch-frame.ts'
import {createSseReader} from '../wire/sse-reader.ts'
import {cutBody} from './chunk-bytes.ts'
import {
  counted,
  type EndLine,
  endLine,
  type FrameLine,
  frameLine,
  type GapLine,
  gapLine,
  malformedLine,
  type ReplayCounts,
  type ReplayLine,
} from './replay-lines.ts'
import type {ReplayCallback} from './replay-options.ts'
import {memoryTarget, type ReplayTarget} from './replay-target.ts'

export interface ReplayOptions {
  /** The position held before the first byte. */
  readonly start?: Position
  /** Sizes in bytes, repeating, in which the body is fed; absent, as it comes. */
  readonly chunks?: readonly number[]
  readonly onEvent?: ReplayCallback
  readonly onGap?: ReplayCallback
}

/**
 * Sends a stored Switch stream through what a live source runs: reader, classification, callback, acknowledgement, store.
 * A line for every frame as it is settled, and the end line. After a malformed or a rejected frame it goes on with the next
 * one, since a file cannot wait; with a rejecting option the result is therefore hypothetical.
 */
export async function* replaySwitch(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReplayOptions = {},
  into?: ReplayTarget,
): AsyncGenerator<ReplayLine, void, undefined> {
  const target = into ?? (await memoryTarget(options.start ?? NOWHERE))
  const {onEvent = 'ok', onGap = 'ok'} = options
  const hypothetical = onEvent !== 'ok' || onGap !== 'ok'
  const replay = createReplay(target, hypothetical ? rejecting(onEvent, onGap) : undefined)
  const reader = createSseReader()
  for await (const chunk of cutBody(body, options.chunks)) {
    for (const arrival of reader.feed(chunk)) {
      const {source, nextFrameId, clock} = target
      yield await replay.frame(
        receiveSwitchFrame({judged: judgeArrival(arrival), at: clock.now()}, {source, nextFrameId}),
      )
    }
  }
  yield replay.end()
}

/** Exit code 3 of `--strict`. */
export function isStrictFailure({malformed, rejected}: EndLine): boolean {
  return malformed > 0 || rejected > 0
}

interface Replay {
  readonly held: () => Held
  readonly frame: (received: ReceivedFrame) => Promise<FrameLine | GapLine>
  readonly end: () => EndLine
}

type Understood = Extract<ReceivedFrame, {kind: 'understood'}>
type Malformed = Extract<ReceivedFrame, {kind: 'malformed'}>

/** Frames that were rejected and not handled since, by identity. */
type Rejections = Map<string, {readonly frame: FrameId; readonly times: number}>

const NOTHING: ReplayCounts = {frames: 0, handled: 0, rejected: 0, discarded: 0, malformed: 0, control: 0, gaps: 0}
const OUTCOMES = {event: 'handled', gap: 'handled', unknown: 'discarded', control: 'control'} as const

function createReplay(target: ReplayTarget, callbacksFor: CallbacksFor | undefined): Replay {
  const rejections: Rejections = new Map()
  const {signal} = new AbortController()
  let {held} = target
  let counts = NOTHING

  const understood = async ({journaled, frame, identity}: Understood, n: number): Promise<FrameLine | GapLine> => {
    const {gap} = settlementOf(held, frame)
    const delivery = deliveryOf({journaled, frame}, rejections.get(identity))
    const done =
      callbacksFor === undefined
        ? await acknowledgeRun(held, [delivery], target) // as in a live source without callbacks
        : await acknowledge(held, delivery, callbacksFor(identity), target, signal)
    const rejected = isRejected(done.end)
    held = done.held
    if (rejected) rejections.set(identity, {frame: journaled.id, times: delivery.attempt})
    else rejections.delete(identity)
    if (frame.kind === 'gap' && gap !== undefined) return gapLine(n, frame, gap, rejected, held.position)
    const counting = frame.kind === 'event' ? {attempt: delivery.attempt} : {}
    const outcome = rejected ? 'rejected' : OUTCOMES[frame.kind]
    return frameLine(n, frame.event, {outcome, ...counting, moved: done.moved}, held.position)
  }

  const malformed = async ({journaled, problem}: Malformed, n: number): Promise<FrameLine | GapLine> => {
    await target.commit(malformedChanges(journaled, problem, held.position))
    return malformedLine(n, journaled.event, problem, held.position)
  }

  return {
    held: () => held,
    async frame(received) {
      const n = counts.frames + 1
      const line = await (received.kind === 'malformed' ? malformed(received, n) : understood(received, n))
      counts = counted(counts, line)
      return line
    },
    end: () => endLine(counts, held.position, callbacksFor !== undefined),
  }
}

/** A gap in between changes nothing: the attempts of a frame count from when it was last handled. */
function deliveryOf(
  {journaled, frame}: Pick<Understood, 'journaled' | 'frame'>,
  rejected: {readonly frame: FrameId; readonly times: number} | undefined,
): FrameDelivery {
  const called = frame.kind === 'event' || frame.kind === 'gap'
  if (rejected === undefined) return {journaled, frame, attempt: called ? 1 : 0, fromJournal: false}
  const again = {...journaled, redelivers: rejected.frame}
  return {journaled: again, frame, attempt: rejected.times + 1, fromJournal: false}
}

/** A replay is neither closed nor short of disk unless something is wrong that no line could say. */
function isRejected(end: HandlingEnd): boolean {
  if (end.kind === 'notJournaled' || end.kind === 'notSettled') throw new StoreFailure(end.error)
  return end.kind === 'rejected'
}

type CallbacksFor = (identity: string) => Callbacks

/** `reject-once` rejects the first delivery of each distinct frame; a gap and an event are never the same one. */
function rejecting(onEvent: ReplayCallback, onGap: ReplayCallback): CallbacksFor {
  const delivered = new Set<string>()
  return (identity) => {
    const callback = (mode: ReplayCallback) => async (): Promise<void> => {
      const first = !delivered.has(identity)
      if (mode === 'reject-once') delivered.add(identity)
      if (mode === 'reject' || (mode === 'reject-once' && first)) throw new Error('rejected, as asked')
    }
    return {onEvent: callback(onEvent), onGap: callback(onGap)}
  }
}
