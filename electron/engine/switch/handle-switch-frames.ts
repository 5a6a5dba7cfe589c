import {type ConnectionState, readConnectionState} from '../../../shared/source/connection-state.ts'
import {readEviction} from '../../../shared/source/eviction.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {acknowledgeRun, type FrameDelivery} from '../acknowledge.ts'
import {malformedChanges} from '../changes-of-frame.ts'
import type {FrameQueue} from '../frame-queue.ts'
import {noteMoved, type SourceRun} from '../source-run.ts'
import {StoreFailure} from '../store/store.ts'
import {storeFailed} from '../store-failed.ts'
import {type Received, type ReceivedFrame, receiveSwitchFrame} from './receive-switch-frame.ts'

import {handleDelivery, redeliverLeftovers} from './redeliver-leftovers.ts'
import type {EndedBy, SwitchSourceDeps} from './switch-deps.ts'

type Understood = Extract<ReceivedFrame, {kind: 'understood'}>
type Malformed = Extract<ReceivedFrame, {kind: 'malformed'}>

/** In the queue's own order: the server had its time to send a rejected frame again, and did not. */
export const REPLAY_OVERDUE = 'replayOverdue'
export type Queued = Received | typeof REPLAY_OVERDUE

export interface Handling {
  readonly queue: FrameQueue<Queued>
  /** Told as soon as the server introduced the connection, which is when beats may begin. */
  readonly onState: (state: ConnectionState) => void
  /** So many arrivals are handled, and acknowledged where they moved something. */
  readonly onHandled: (count: number) => void
  /** Ends with the stream. A running callback is told, but what is queued is still handled unless the source itself stops. */
  readonly signal: AbortSignal
}

/** Handles what is read, strictly in order, until the queue ends or a frame ends the stream. Returns why, if a frame did. */
export async function handleSwitchFrames(
  run: SourceRun,
  deps: SwitchSourceDeps,
  handling: Handling,
): Promise<EndedBy | undefined> {
  for (;;) {
    const batch = await handling.queue.takeAll()
    if (batch === undefined) return undefined
    run.queued = handling.queue.size()
    const ending = await handleBatch(run, deps, handling, batch)
    run.inHand = 0
    if (ending !== undefined) return ending
    handling.onHandled(batch.filter((item) => item !== REPLAY_OVERDUE).length)
  }
}

/**
 * Without callbacks, consecutive frames are gathered and acknowledged in one commit; a frame that ends the stream closes
 * the run. With callbacks each frame is handled by itself.
 */
async function handleBatch(
  run: SourceRun,
  deps: SwitchSourceDeps,
  handling: Handling,
  batch: readonly Queued[],
): Promise<EndedBy | undefined> {
  const gathered: FrameDelivery[] = []
  const flush = (): Promise<Ending | undefined> => acknowledgeTogether(run, deps, gathered.splice(0))
  for (const [index, received] of batch.entries()) {
    if (received === REPLAY_OVERDUE) {
      const failed = await redeliverLeftovers(run, deps, handling.signal)
      if (failed !== undefined) return failed
      continue
    }
    if (handling.signal.aborted) return {kind: 'aborted'} // what is gathered was not acknowledged: the server has it still
    run.inHand = batch.length - index
    const judged = receiveSwitchFrame(received, {source: run.record.id, nextFrameId: deps.nextFrameId})
    const evicted = judged.kind === 'understood' ? heedControl(judged, handling) : undefined
    const alone = judged.kind === 'malformed' || deps.callbacks !== undefined
    if (!alone) gathered.push(firstDelivery(judged))
    const ending = alone || evicted !== undefined ? await flush() : undefined
    const failed = ending ?? (alone ? await handleAlone(run, deps, judged, handling.signal) : undefined)
    if (failed !== undefined || evicted !== undefined) return failed ?? evicted
  }
  return flush()
}

function handleAlone(
  run: SourceRun,
  deps: SwitchSourceDeps,
  judged: ReceivedFrame,
  signal: AbortSignal,
): Promise<EndedBy | undefined> {
  return judged.kind === 'malformed' ? recordMalformed(run, deps, judged) : handleNext(run, deps, judged, signal)
}

/** Control frames say things about the connection. Only an eviction ends it. */
function heedControl({frame}: Understood, handling: Handling): Ending | undefined {
  if (frame.kind !== 'control') return undefined
  if (frame.event === 'connection_state') handling.onState(readConnectionState(frame.data))
  return frame.event === 'evicted' ? {kind: 'evicted', ...readEviction(frame.data)} : undefined
}

/** Of control and unknown frames no callback is run, so no run of one is counted. */
function firstDelivery({journaled, frame}: Understood): FrameDelivery {
  const called = frame.kind === 'event' || frame.kind === 'gap'
  return {journaled, frame, attempt: called ? 1 : 0, fromJournal: false}
}

async function acknowledgeTogether(
  run: SourceRun,
  deps: SwitchSourceDeps,
  gathered: readonly FrameDelivery[],
): Promise<Ending | undefined> {
  if (gathered.length === 0) return undefined
  const done = await acknowledgeRun(run.held, gathered, deps)
  if (done.end.kind === 'notJournaled') return storeFailed(done.end.error)
  run.held = done.held
  if (done.moved) noteMoved(run)
  return undefined
}

/**
 * The next frame of a source with callbacks. Where a rejected frame waits for its redelivery and the server sends another
 * one first, the journal brings the waiting one before it: the cursor must not pass it.
 */
async function handleNext(
  run: SourceRun,
  deps: SwitchSourceDeps,
  judged: Understood,
  signal: AbortSignal,
): Promise<EndedBy | undefined> {
  const {identity} = judged
  const delivery = firstDelivery(judged)
  const waiting = run.leftovers[0]
  if (waiting === undefined || judged.frame.kind === 'control')
    return handleDelivery(run, deps, {delivery: countingBrought(run, delivery, identity), identity}, signal)
  if (waiting.identity !== identity) {
    const ending = await redeliverLeftovers(run, deps, signal)
    return ending ?? handleDelivery(run, deps, {delivery: countingBrought(run, delivery, identity), identity}, signal)
  }
  const journaled = {...delivery.journaled, redelivers: waiting.journaled.id}
  const again = {...delivery, journaled, attempt: waiting.attempts + 1}
  return handleDelivery(run, deps, {delivery: again, identity, leftover: waiting}, signal)
}

/** A frame that the journal brought already, and that the server sends after all, is the next attempt on it, and says so. */
function countingBrought(run: SourceRun, delivery: FrameDelivery, identity: string): FrameDelivery {
  const brought = run.broughtFromJournal
  if (brought?.identity !== identity) return delivery
  run.broughtFromJournal = undefined
  const journaled = {...delivery.journaled, redelivers: brought.frame}
  return {...delivery, journaled, attempt: brought.attempts + 1}
}

/** Kept with its bytes; the position stays, and the stream ends, unless the user chose to pass over this very frame. */
async function recordMalformed(
  run: SourceRun,
  deps: SwitchSourceDeps,
  {journaled, problem, identity}: Malformed,
): Promise<Ending | undefined> {
  try {
    await deps.commit(malformedChanges(journaled, problem, run.held.position))
  } catch (cause) {
    if (cause instanceof StoreFailure) return storeFailed(cause.error)
    throw cause
  }
  if (run.passNextMalformed) run.passOver.add(identity)
  run.passNextMalformed = false
  if (run.passOver.has(identity)) return undefined
  run.malformedInARow += 1
  run.lastMalformed = {frame: journaled.id, identity}
  return {kind: 'malformed', frame: journaled.id}
}
