import {assertNever} from '../../shared/base/assert-never.ts'
import {messageOf} from '../../shared/base/message-of.ts'
import {type Held, heldAfter, type Settlement} from '../../shared/callbacks/held.ts'
import {settlementOf} from '../../shared/callbacks/settlement.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import type {Change} from '../../shared/history/change.ts'
import type {Attempt, JournaledFrame, Outcome} from '../../shared/history/fact.ts'
import {type CoordinateKey, type Sequence, takeSteps} from '../../shared/position/position.ts'
import {CallbackFailure, type Callbacks, type RunCallback} from './callbacks.ts'
import {appliedGap, cursorFacts, gapOf, movedBy} from './changes-of-frame.ts'
import type {Clock} from './clock.ts'
import {type StoreError, StoreFailure} from './store/store.ts'

/** One delivery of one frame on its way to being handled. */
export interface FrameDelivery {
  readonly journaled: JournaledFrame
  readonly frame: Frame
  /** 1 + the runs of this frame since it was last handled; 0 where usually none is. */
  readonly attempt: number
  /** It was journaled by an earlier run and is redelivered from there. */
  readonly fromJournal: boolean
  /** Facts of its receipt, recorded in the transaction that journals it. */
  readonly alongside?: readonly Change[]
  /** How the last attempt on it ended, where the disk refused to record that. It is made up for before this one begins. */
  readonly unrecorded?: Attempt
}

export interface AcknowledgeDeps {
  /** Resolves when durable; rejects with `StoreFailure` when nothing of it is. */
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
}

/** How the handling of a frame ended. The position moved only where it is `handled`. */
export type HandlingEnd =
  | {readonly kind: 'handled'}
  | {readonly kind: 'rejected'; readonly error: string}
  /** The engine is closing; the frame is still to be handled. */
  | {readonly kind: 'aborted'}
  /** The disk refused the frame: it is not in the journal, its callback did not run. */
  | {readonly kind: 'notJournaled'; readonly error: StoreError}
  /** The callback ran, and the disk refused the record of it: its effect stands, and will come again. */
  | {readonly kind: 'notSettled'; readonly error: StoreError; readonly attempt: Attempt}

export interface Acknowledged {
  readonly held: Held
  readonly end: HandlingEnd
  /** As it ended, where a callback ran. */
  readonly attempt?: Attempt
  /** The position is another one than before. */
  readonly moved: boolean
}

/** A closing engine waits this long, in ms, for a callback that is already running. */
const CLOSING_GRACE_MS = 2_000

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
  given: FrameDelivery,
  callbacks: Callbacks,
  deps: AcknowledgeDeps,
  signal: AbortSignal,
): Promise<Acknowledged> {
  const settlement = settlementOf(held, given.frame)
  const name = callbackFor(given.frame, settlement, callbacks)
  if (name === undefined) return acknowledgeRun(held, [given], deps)
  const delivery = {...given, attempt: Math.max(1, given.attempt)}
  const begun = attemptOf(delivery, name, deps.clock)
  const refused = await refusal(deps, journalChanges(held, delivery, settlement, begun))
  if (refused !== undefined) return {held, end: {kind: 'notJournaled', error: refused}, moved: false}
  const journaled = {...held, vectorSeen: settlement.vectorSeen}
  const {end, ...facts} = await runCallback({delivery, settlement}, callbacks[name], deps.clock, signal)
  const ended: Attempt = {...begun, endedAt: deps.clock.now(), ...facts}
  const error = await refusal(deps, endChanges(delivery, settlement, ended, end))
  if (error !== undefined)
    return {held: journaled, end: {kind: 'notSettled', error, attempt: ended}, attempt: ended, moved: false}
  if (end.kind !== 'handled') return {held: journaled, end, attempt: ended, moved: false}
  return {held: heldAfter(journaled, settlement), end, attempt: ended, moved: settlement.steps.length > 0}
}

const HANDLED = {kind: 'handled'} as const

/**
 * Handles a run of consecutive frames of a source without callbacks: there the journal is the callback, so the run is
 * journaled and acknowledged in one transaction, each frame judged from the position the one before it left.
 */
export async function acknowledgeRun(
  held: Held,
  run: readonly FrameDelivery[],
  deps: AcknowledgeDeps,
): Promise<Acknowledged> {
  const draft = new Map<CoordinateKey, Sequence>(held.position)
  let {vectorSeen, retired} = held
  const changes: Change[] = []
  for (const delivery of run) {
    // The position of a gap is kept in the ledger, so it must not be the draft that later steps go on changing.
    const position = delivery.frame.kind === 'gap' ? new Map(draft) : draft
    const settlement = settlementOf({position, vectorSeen, retired}, delivery.frame)
    changes.push(...handledAtOnce(delivery, settlement, vectorSeen, deps.clock))
    takeSteps(draft, settlement.steps)
    vectorSeen = settlement.vectorSeen
    retired = settlement.retired
  }
  const error = await refusal(deps, changes)
  if (error !== undefined) return {held, end: {kind: 'notJournaled', error}, moved: false}
  return {
    held: {position: draft, vectorSeen, retired},
    end: HANDLED,
    moved: changes.some(({kind}) => kind === 'cursorMoved'),
  }
}

/** Commits, and tells why the store refused; anything else that goes wrong is a bug and throws. */
async function refusal(deps: AcknowledgeDeps, changes: readonly Change[]): Promise<StoreError | undefined> {
  try {
    await deps.commit(changes)
    return undefined
  } catch (cause) {
    if (cause instanceof StoreFailure) return cause.error
    throw cause
  }
}

/** The callback that runs for a frame, if one does. What is not understood is discarded after one only where that was asked for. */
function callbackFor(frame: Frame, settlement: Settlement, {chooses}: Callbacks): Attempt['callback'] | undefined {
  if (chooses === undefined) return settlement.callback
  if (frame.kind === 'control' || !chooses(frame, settlement)) return undefined
  return settlement.callback ?? 'onEvent'
}

interface Called {
  readonly delivery: FrameDelivery
  readonly settlement: Settlement
}

/** How a callback ended, and what an attempt keeps of it. */
interface CallbackEnding extends Pick<Attempt, 'state' | 'error' | 'runs' | 'retry'> {
  readonly end: CallbackEnd
}

async function runCallback(
  {delivery, settlement}: Called,
  callback: RunCallback,
  clock: Clock,
  signal: AbortSignal,
): Promise<CallbackEnding> {
  const {frame, attempt, journaled} = delivery
  const over = new AbortController()
  const called = {source: journaled.source, frame, attempt, settlement, journaled: {...journaled, ...settlement.place}}
  const run = callback(called, signal).then(
    // Also when the engine is closing: what was done is done.
    (report): CallbackEnding => ({
      end: HANDLED,
      state: 'resolved',
      ...(report === undefined ? {} : {runs: report.runs}),
    }),
    (cause: unknown) => failureOf(cause, signal),
  )
  const ending = await Promise.race([run, closing(clock, signal, over.signal)])
  over.abort()
  return ending
}

type CallbackEnd = Extract<HandlingEnd, {kind: 'handled' | 'rejected' | 'aborted'}>

function failureOf(cause: unknown, signal: AbortSignal): CallbackEnding {
  const told = cause instanceof CallbackFailure ? cause.told : undefined
  const runs = told === undefined ? {} : {runs: told.runs}
  if (signal.aborted || told?.state === 'aborted') return {...ABORTED, ...runs}
  const error = messageOf(cause)
  const retry = told?.retry === undefined ? {} : {retry: told.retry}
  return {end: {kind: 'rejected', error}, state: told?.state ?? 'rejected', error, ...runs, ...retry}
}

const ABORTED: CallbackEnding = {end: {kind: 'aborted'}, state: 'aborted'}

/** Settles only when the engine closes and the grace is over: a callback that ignores its signal must not hold the door. */
async function closing(clock: Clock, signal: AbortSignal, over: AbortSignal): Promise<CallbackEnding> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), {once: true, signal: over})
  })
  await clock.wait(CLOSING_GRACE_MS, over)
  return ABORTED
}

function attemptOf(delivery: FrameDelivery, callback: Attempt['callback'], clock: Clock): Attempt {
  const {id: frame, source} = delivery.journaled
  return {frame, source, n: delivery.attempt, callback, state: 'pending', startedAt: clock.now()}
}

function journalChanges(held: Held, delivery: FrameDelivery, settlement: Settlement, begun: Attempt): Change[] {
  const {journaled: frame} = delivery
  const changes = owedTo(delivery)
  if (!delivery.fromJournal) changes.push(...journalEntry(delivery, settlement, 'pending'))
  if (settlement.vectorSeen && !held.vectorSeen) changes.push({kind: 'vectorSeen', source: frame.source})
  changes.push(...gapOf(delivery, settlement, 'pending'), {kind: 'attemptStarted', attempt: begun})
  return changes
}

/** First of all: it is of an attempt on the delivery that this one takes the place of. */
export function owedTo({unrecorded}: Pick<FrameDelivery, 'unrecorded'>): Change[] {
  return unrecorded === undefined ? [] : [{kind: 'attemptEnded', attempt: unrecorded}]
}

/** What the end of a callback writes: after `handled` the move, in the transaction that records the attempt. */
function endChanges(delivery: FrameDelivery, settlement: Settlement, ended: Attempt, end: CallbackEnd): Change[] {
  const {id: frame, source} = delivery.journaled
  const {attempt} = delivery
  const at = ended.endedAt ?? ended.startedAt
  const changes: Change[] = [{kind: 'attemptEnded', attempt: ended}]
  switch (end.kind) {
    case 'handled':
      changes.push({kind: 'frameSettled', frame, source, outcome: settlement.outcome, attempt, at})
      changes.push(...movedBy(delivery.journaled, settlement, at), ...appliedGap(delivery, settlement, at))
      changes.push(...cursorFacts(delivery.journaled, settlement, at))
      return changes
    case 'rejected':
      changes.push({kind: 'frameSettled', frame, source, outcome: 'rejected', attempt, at})
      changes.push(...gapOf(delivery, settlement, 'rejected'))
      return changes
    case 'aborted': // the frame is still pending: it comes again at the next start
      return changes
    default:
      return assertNever(end)
  }
}

function journalEntry({journaled, attempt, alongside}: FrameDelivery, {place}: Settlement, outcome: Outcome): Change[] {
  return [{kind: 'frameJournaled', frame: {...journaled, ...place}, outcome, attempt}, ...(alongside ?? [])]
}

function handledAtOnce(delivery: FrameDelivery, settlement: Settlement, vectorSeen: boolean, clock: Clock): Change[] {
  const at = clock.now()
  const {journaled: frame, attempt, fromJournal} = delivery
  const {outcome} = settlement
  const changes = owedTo(delivery)
  if (fromJournal) changes.push({kind: 'frameSettled', frame: frame.id, source: frame.source, outcome, attempt, at})
  else changes.push(...journalEntry(delivery, settlement, outcome))
  if (settlement.vectorSeen && !vectorSeen) changes.push({kind: 'vectorSeen', source: frame.source})
  changes.push(...movedBy(frame, settlement, at), ...appliedGap(delivery, settlement, at))
  changes.push(...cursorFacts(frame, settlement, at))
  return changes
}
