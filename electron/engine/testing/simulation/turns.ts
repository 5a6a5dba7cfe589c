import {type Attempt, countsAsFailure} from '../../../../shared/history/fact.ts'
import {chosenOf, type Subject} from './choose-handlers.ts'
import type {HandlerList, HandlerLists} from './handler-lists.ts'
import type {Run, Runs} from './runs.ts'
import type {Rule} from './verdict.ts'

/** A durable frame, as far as its callbacks go. */
export interface Called {
  readonly id: number
  /** Event and data: what a callback sees of it. */
  readonly key: string
  /** The source itself does something for such a frame, where it does anything. */
  readonly isCallable: boolean
  /** As the rules of handlers see it from what is held now. */
  readonly subject: () => Subject | undefined
  attempts: number
  attemptOpen: boolean
  /** When the last attempt was durable. */
  attemptAt: number
  /** Attempts that failed by themselves, when the last of them was durable, and after how many the source is to be held. */
  failures: number
  failedAt: number
  limit: number
  /** What each handler was told to know the frame by. Once it is handled, a repetition may come in another run of numbers. */
  readonly toldKeys: Map<string, string>
}

/** What is known of the callbacks of one source. */
export interface Turns {
  /** The source itself does something for a frame, before any handler. */
  readonly hasCallbacks: boolean
  readonly lists: HandlerLists
  readonly runs: Runs
  readonly broken: (rule: Rule, detail: string) => void
  readonly now: () => number
  /** The user said that what is held is to run again. */
  word: boolean
}

/** Without a word of its own, a failure is one of so many until the source is held. */
const USUAL_LIMIT = 3
const NEVER_FAILED = {failures: 0, failedAt: 0, limit: USUAL_LIMIT}

type Named = Pick<Called, 'id' | 'key' | 'isCallable' | 'subject'>

/** @param before - an earlier delivery of the same frame; its failures count where it was still to be handled */
export function newCalled(named: Named, before: Called | undefined, waited: boolean): Called {
  const counted = waited && before !== undefined ? before : {...NEVER_FAILED, toldKeys: new Map<string, string>()}
  const {failures, failedAt, limit, toldKeys} = counted
  return {
    ...named,
    attempts: before?.attempts ?? 0,
    attemptOpen: false,
    attemptAt: 0,
    failures,
    failedAt,
    limit,
    toldKeys,
  }
}

/** What is to run for a frame by one list: `undefined` stands for what the source itself does. */
function turnsBy(turns: Turns, one: Called, list: HandlerList): readonly (string | undefined)[] {
  const own = turns.hasCallbacks && one.isCallable ? [undefined] : []
  return [...own, ...chosenOf(list, one.subject()).map(({id}) => id)]
}

/** Nothing is to run for it, by one of these lists at least; or something is. */
export function mayCome(
  turns: Turns,
  one: Called,
  lists: readonly HandlerList[],
): {readonly alone: boolean; readonly called: boolean} {
  const sizes = lists.map((list) => turnsBy(turns, one, list).length)
  return {alone: sizes.includes(0), called: sizes.some((size) => size > 0)}
}

export interface Begun {
  readonly run: Omit<Run, 'state'>
  /** What the effect is to be known by, where the handler was told. */
  readonly told?: string
}

/** A callback begins: its frame and attempt are durable, and it is its turn. */
export function beginRun(turns: Turns, one: Called | undefined, {run, told}: Begun): Run {
  const {broken, runs} = turns
  const {key, attempt, handler} = run
  const name = handler?.name ?? 'the callback'
  if (one === undefined || one.attempts !== attempt || !one.attemptOpen)
    broken('a callback began before its frame and attempt were durable', `${name}, attempt ${attempt} of ${key}`)
  const before = runs.lastAttempt(key, handler?.id)
  if (before > 0 && attempt < 2) broken('a second effect was called the first attempt', `${name} of ${key}`)
  else if (before >= attempt) broken('one attempt ran a handler twice', `${name}, attempt ${attempt} of ${key}`)
  if (one !== undefined) judgeTurn(turns, one, {run, ...(told === undefined ? {} : {told})})
  return runs.begin(run)
}

function judgeTurn(turns: Turns, one: Called, {run, told}: Begun): void {
  const {handler, key, attempt} = run
  const done = turns.runs.of(key, attempt)
  const order = [...done.map((earlier) => earlier.handler?.id), handler?.id]
  const isNext = turns.lists
    .since(one.attemptAt)
    .some((list) => String(turnsBy(turns, one, list).slice(0, order.length)) === String(order))
  if (!isNext || done.some(({state}) => state !== 'resolved'))
    turns.broken('a handler ran out of its turn', `${order.join(', ')} for ${one.id}`)
  const isHeld = one.failures >= one.limit && one.failedAt < one.attemptAt
  if (done.length === 0 && isHeld && !turns.word)
    turns.broken('a frame ran again that should hold its source', `${one.id} after ${one.failures} failures`)
  if (handler === undefined || told === undefined) return
  const before = one.toldKeys.get(handler.id)
  if (before !== undefined && before !== told)
    turns.broken('a repetition was told by another key than the first run', `${one.id}: ${told} for ${before}`)
  one.toldKeys.set(handler.id, told)
}

/** What is about to be written of an attempt's end is what was seen of it. */
export function judgeEnd(turns: Turns, one: Called, {n, state, runs: told = []}: Attempt): void {
  const done = turns.runs.of(one.key, n)
  const last = done.at(-1)
  const isTrue = state === 'resolved' ? ranThrough(turns, one, done) : state === 'aborted' || last?.state === state
  if (!isTrue && state === 'resolved') {
    turns.broken('a frame was handled before its callback resolved', `${one.id} attempt ${n}: ${inShort(done)}`)
    return
  }
  const seen = done.flatMap(({handler}) => (handler === undefined ? [] : [handler.id]))
  const isWhole = state === 'aborted' || String(told.map(({handler}) => handler)) === String(seen)
  if (!isTrue || !isWhole)
    turns.broken('an attempt is recorded otherwise than it ran', `${one.id} attempt ${n} ${state}: ${inShort(done)}`)
}

/** Every one that a list in force chose resolved, in this attempt. */
function ranThrough(turns: Turns, one: Called, done: readonly Run[]): boolean {
  const order = String(done.map(({handler}) => handler?.id))
  const isOrdered = turns.lists.since(one.attemptAt).some((list) => String(turnsBy(turns, one, list)) === order)
  return isOrdered && done.every(({state}) => state === 'resolved')
}

/** An attempt that is durable now: begun, or ended. */
export function countAttempt(turns: Turns, one: Called | undefined, {frame, n, state}: Attempt): void {
  const before = one?.attempts ?? 0
  const starts = state === 'pending'
  if (one === undefined || n !== (starts ? before + 1 : before)) {
    turns.broken('attempts were not counted on', `${frame}: ${n} after ${before}`)
    return
  }
  one.attempts = n
  one.attemptOpen = starts
  if (starts) one.attemptAt = turns.now()
  if (!countsAsFailure(state)) return
  one.failures += 1
  one.failedAt = turns.now()
  one.limit = turns.runs.of(one.key, n).at(-1)?.handler?.attempts ?? USUAL_LIMIT
  turns.word = false
}

function inShort(runs: readonly Run[]): string {
  return runs.map(({handler, state}) => `${handler?.id ?? 'callback'} ${state}`).join(', ')
}
