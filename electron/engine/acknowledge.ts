import {type Held, type Settlement, settlementOf} from '../../shared/callbacks/settlement.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import type {Change} from '../../shared/history/change.ts'
import type {Attempt, JournaledFrame} from '../../shared/history/fact.ts'
import {type CoordinateKey, type Sequence, type Step, takeSteps} from '../../shared/position/position.ts'
import type {Callbacks} from './callbacks.ts'
import {gapOf, movedBy} from './changes-of-frame.ts'
import type {Clock} from './clock.ts'

/** One delivery of one frame on its way to being handled. */
export interface FrameDelivery {
  readonly journaled: JournaledFrame
  readonly frame: Frame
  /** 1 + the rejections of this frame since it was last handled. */
  readonly attempt: number
  /** It was journaled by an earlier run and is redelivered from there. */
  readonly fromJournal: boolean
}

export interface AcknowledgeDeps {
  /** Resolves when durable; rejects with `StoreFailure` when nothing of it is. */
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
}

/** How the callback of a frame ended. `aborted`: the engine is closing; the frame is still to be handled. */
export type CallbackEnd =
  | {readonly kind: 'resolved'}
  | {readonly kind: 'rejected'; readonly error: string}
  | {readonly kind: 'aborted'}

export interface Acknowledged {
  readonly held: Held
  readonly end: CallbackEnd
}

/**
 * Handles one frame: journal, callback, cursor.
 *
 * The order is the contract. The frame and the start of this attempt are durable before the callback begins; the cursor
 * moves only after it resolved, in one transaction with the record of the attempt. A crash between two steps brings the
 * frame again from the journal; no crash loses it, and none lets the cursor pass it. Callbacks therefore see each frame at
 * least once. While the callback runs, the old position is what everyone sees.
 */
export async function acknowledge(
  held: Held,
  delivery: FrameDelivery,
  callbacks: Callbacks,
  deps: AcknowledgeDeps,
  signal: AbortSignal,
): Promise<Acknowledged> {
  const settlement = settlementOf(held, delivery.frame)
  const journaled = {position: held.position, vectorSeen: settlement.vectorSeen}
  const begun = attemptOf(delivery, settlement, deps.clock)
  await deps.commit(journalChanges(held, delivery, settlement, begun))
  if (begun === undefined) return settle(journaled, delivery, settlement, deps)
  const end = await runCallback(delivery, callbacks[begun.callback], signal)
  if (end.kind === 'resolved') return settle(journaled, delivery, settlement, deps, begun)
  await deps.commit(failureChanges(delivery, settlement, begun, end, deps.clock))
  return {held: journaled, end}
}

/**
 * Handles a run of consecutive frames of a source without callbacks: there the journal is the callback, so the run is
 * journaled and acknowledged in one transaction, each frame judged from the position the one before it left.
 */
export async function acknowledgeRun(held: Held, run: readonly FrameDelivery[], deps: AcknowledgeDeps): Promise<Held> {
  const draft = new Map<CoordinateKey, Sequence>(held.position)
  let vectorSeen = held.vectorSeen
  const changes: Change[] = []
  for (const delivery of run) {
    const settlement = settlementOf({position: draft, vectorSeen}, delivery.frame)
    changes.push(...handledAtOnce(delivery, settlement, vectorSeen, deps.clock))
    takeSteps(draft, settlement.steps)
    vectorSeen = settlement.vectorSeen
  }
  await deps.commit(changes)
  return {position: draft, vectorSeen}
}

async function runCallback(delivery: FrameDelivery, callback: Callbacks['onEvent'], signal: AbortSignal): Promise<CallbackEnd> {
  const {frame, attempt, journaled} = delivery
  try {
    await callback({source: journaled.source, frame, attempt}, signal)
    return {kind: 'resolved'} // also when the engine is closing: what was done is done
  } catch (cause) {
    if (signal.aborted) return {kind: 'aborted'}
    return {kind: 'rejected', error: cause instanceof Error ? cause.message : String(cause)}
  }
}

async function settle(
  held: Held,
  delivery: FrameDelivery,
  settlement: Settlement,
  deps: AcknowledgeDeps,
  begun?: Attempt,
): Promise<Acknowledged> {
  const at = deps.clock.now()
  const {id: frame, source} = delivery.journaled
  const changes: Change[] = []
  if (begun !== undefined) changes.push({kind: 'attemptEnded', attempt: {...begun, state: 'resolved', endedAt: at}})
  changes.push({kind: 'frameSettled', frame, source, outcome: settlement.outcome, attempt: delivery.attempt, at})
  changes.push(...movedBy(delivery.journaled, settlement, at), ...gapOf(delivery, settlement, settlement.gap?.outcome, at))
  await deps.commit(changes)
  return {held: {position: moved(held, settlement.steps), vectorSeen: held.vectorSeen}, end: {kind: 'resolved'}}
}

function moved(held: Held, steps: readonly Step[]): Held['position'] {
  if (steps.length === 0) return held.position
  const position = new Map(held.position)
  takeSteps(position, steps)
  return position
}

function attemptOf(delivery: FrameDelivery, settlement: Settlement, clock: Clock): Attempt | undefined {
  if (settlement.callback === undefined) return undefined
  const {id: frame, source} = delivery.journaled
  return {frame, source, n: delivery.attempt, callback: settlement.callback, state: 'pending', startedAt: clock.now()}
}

function journalChanges(held: Held, delivery: FrameDelivery, settlement: Settlement, begun: Attempt | undefined): Change[] {
  const {journaled: frame, attempt} = delivery
  const changes: Change[] = []
  if (!delivery.fromJournal) changes.push({kind: 'frameJournaled', frame, outcome: 'pending', attempt})
  if (settlement.vectorSeen && !held.vectorSeen) changes.push({kind: 'vectorSeen', source: frame.source})
  changes.push(...gapOf(delivery, settlement, 'pending'))
  if (begun !== undefined) changes.push({kind: 'attemptStarted', attempt: begun})
  return changes
}

function failureChanges(
  delivery: FrameDelivery,
  settlement: Settlement,
  begun: Attempt,
  end: Exclude<CallbackEnd, {kind: 'resolved'}>,
  clock: Clock,
): Change[] {
  const at = clock.now()
  const ended: Attempt = {...begun, state: end.kind, endedAt: at, ...(end.kind === 'rejected' ? {error: end.error} : {})}
  const changes: Change[] = [{kind: 'attemptEnded', attempt: ended}]
  if (end.kind === 'aborted') return changes // still pending: it comes again at the next start
  const {id: frame, source} = delivery.journaled
  changes.push({kind: 'frameSettled', frame, source, outcome: 'rejected', attempt: delivery.attempt, at})
  changes.push(...gapOf(delivery, settlement, 'rejected'))
  return changes
}

function handledAtOnce(delivery: FrameDelivery, settlement: Settlement, vectorSeen: boolean, clock: Clock): Change[] {
  const at = clock.now()
  const {journaled: frame, attempt, fromJournal} = delivery
  const {outcome} = settlement
  const changes: Change[] = []
  if (fromJournal) changes.push({kind: 'frameSettled', frame: frame.id, source: frame.source, outcome, attempt, at})
  else changes.push({kind: 'frameJournaled', frame, outcome, attempt})
  if (settlement.vectorSeen && !vectorSeen) changes.push({kind: 'vectorSeen', source: frame.source})
  changes.push(...movedBy(frame, settlement, at), ...gapOf(delivery, settlement, settlement.gap?.outcome, at))
  return changes
}
