import {type Cursor, type Generation, isNumbered} from './cursor.ts'
import {isRetired, noneRetired, type Retired, retire, retireAll, retiredGenerations, unite, without} from './retired.ts'

/** Where one numbered stream stands: the cursor held, and the generations it has left. */
export interface Lane {
  /** Absent before the first cursor. */
  readonly held?: Cursor
  readonly retired: Retired
}

/** What the number of an event means to a lane. */
export type Admission =
  | {readonly decision: 'first' | 'next'}
  /** Numbers between the held one and this one were not seen: to be explained, not yet a loss. */
  | {readonly decision: 'hole'; readonly missing: number}
  | ({readonly decision: 'newGeneration'} & Unseen)
  | Unmoved

/** What the number of a snapshot means to a lane. A baseline is adopted; it is never an event seen. */
export type Adoption =
  | ({readonly decision: 'adopted' | 'newGeneration'} & Unseen)
  | {readonly decision: 'unchanged'}
  | Exclude<Unmoved, {readonly decision: 'duplicate'}>

/** The held cursor stays. */
type Unmoved =
  | {readonly decision: 'duplicate' | 'stale'}
  /** First on a new connection, a lower numbered generation: the server lost its store. Held for the user, who may take it. */
  | {readonly decision: 'numberingReset'}

/** Both are absent where they would be 0. */
export interface Unseen {
  /** How many numbers were skipped, as far as they are known to exist. */
  readonly missing?: number
  /** How many whole numbered generations were skipped, each of unknown size. */
  readonly missingGenerations?: number
}

export interface Judged<Verdict> {
  readonly verdict: Verdict
  readonly lane: Lane
}

export function emptyLane(): Lane {
  return {retired: noneRetired()}
}

export function laneAt(held: Cursor | undefined, retired: Iterable<Generation> = []): Lane {
  return {...(held === undefined ? {} : {held}), retired: retireAll(noneRetired(), retired)}
}

/** @param newConnection - it is the first cursor of this stream since its connection was opened */
export function admit(lane: Lane, incoming: Cursor, newConnection: boolean): Judged<Admission> {
  const {held} = lane
  const standing = standingOf(lane, incoming, newConnection)
  if (standing === 'stale' || standing === 'numberingReset') return {verdict: {decision: standing}, lane}
  if (held === undefined) return moved({decision: 'first'}, lane, incoming)
  if (standing === 'newGeneration')
    return moved({decision: 'newGeneration', ...unseen(held, incoming, 'event')}, lane, incoming)
  const missing = incoming.sequence - held.sequence - 1
  if (missing < 0) return {verdict: {decision: 'duplicate'}, lane}
  return moved(missing === 0 ? {decision: 'next'} : {decision: 'hole', missing}, lane, incoming)
}

/** Adopts the cursor of a baseline. A hole is what it skips: those events are in it, if anywhere, and were not seen. */
export function adopt(lane: Lane, baseline: Cursor, newConnection: boolean): Judged<Adoption> {
  const {held} = lane
  const standing = standingOf(lane, baseline, newConnection)
  if (standing === 'stale' || standing === 'numberingReset') return {verdict: {decision: standing}, lane}
  if (held === undefined) return moved({decision: 'adopted'}, lane, baseline)
  if (standing === 'newGeneration')
    return moved({decision: 'newGeneration', ...unseen(held, baseline, 'snapshot')}, lane, baseline)
  const missing = baseline.sequence - held.sequence
  return missing > 0 ? moved({decision: 'adopted', missing}, lane, baseline) : {verdict: {decision: 'unchanged'}, lane}
}

/**
 * The user takes the numbering that a reset brought, or any other baseline. What was held retires; of numbered generations,
 * all above the baseline up to the one that was held.
 */
export function takeBaseline(lane: Lane, baseline: Cursor): Lane {
  return settled(baseline, leave(lane, baseline))
}

/** The same for the event that begins the numbering. Its own numbers before it were not seen. */
export function take(lane: Lane, first: Cursor): Judged<Admission> {
  const {held} = lane
  const verdict: Admission =
    held === undefined
      ? {decision: 'first'}
      : {decision: 'newGeneration', ...(numbersBefore(first) > 0 ? {missing: numbersBefore(first)} : {})}
  return {verdict, lane: takeBaseline(lane, first)}
}

/**
 * A stream that goes on under another name, as the server said. What the name held before gives way: of one generation the
 * higher number stays; another generation retires, and the one that is gone on with is retired no longer.
 */
export function inherit(own: Lane, from: Lane): Lane {
  const {held} = from
  if (held === undefined) return own
  const left = unite(own.retired, from.retired)
  if (own.held === undefined) return settled(held, left)
  if (own.held.generation !== held.generation) return settled(held, retire(left, own.held.generation))
  return settled(own.held.sequence > held.sequence ? own.held : held, left)
}

/** One stream that was held under two names. What comes later is `from`, and it lowers nothing. */
export function join(own: Lane, from: Lane): Lane {
  if (from.held === undefined) return own
  const {held, retired} = adopt(own, from.held, false).lane
  return settled(held ?? from.held, unite(retired, from.retired))
}

/** What is held is never among the retired. */
function settled(held: Cursor, retired: Retired): Lane {
  return {held, retired: without(retired, held.generation)}
}

type Standing = 'inLane' | 'newGeneration' | 'stale' | 'numberingReset'

function standingOf(lane: Lane, {generation}: Cursor, newConnection: boolean): Standing {
  const {held, retired} = lane
  if (isGrowth(lane, generation)) return 'newGeneration'
  const below = isBelow(lane, generation)
  if (below && newConnection && !leftForName(retired, generation)) return 'numberingReset'
  if (below || isRetired(retired, generation)) return 'stale'
  if (held === undefined || held.generation === generation) return 'inLane'
  if (!isNumbered(generation) || !isNumbered(held.generation)) return 'newGeneration'
  return generation <= retired.highest ? 'stale' : 'newGeneration' // up to it, a taken baseline retired them all
}

/** Also where the user gave its numbering up once: what begins there on a new connection is another one, and stale it would be lost. */
function isBelow({held}: Lane, generation: Generation): boolean {
  return held !== undefined && isNumbered(generation) && isNumbered(held.generation) && generation < held.generation
}

function moved<Verdict>(verdict: Verdict, lane: Lane, held: Cursor): Judged<Verdict> {
  return {verdict, lane: {held, retired: leave(lane, held)}}
}

/**
 * The numbering that the user took grows, one generation at a time, through those that the lost one had. Whatever jumps into
 * them is of the lost one.
 */
function isGrowth({held, retired}: Lane, generation: Generation): boolean {
  if (held === undefined || !isNumbered(held.generation) || !isNumbered(generation)) return false
  return generation === held.generation + 1 && generation <= retired.highest && !leftForName(retired, generation)
}

/** It was left when the stream went over to names, and not for a numbering that the user took: names came after it. */
function leftForName(retired: Retired, generation: Generation): boolean {
  if (!isRetired(retired, generation)) return false
  const left = retiredGenerations(retired)
  return left.slice(left.indexOf(generation)).some((one) => !isNumbered(one))
}

/** A numbered generation that is passed by a higher one needs no mark: lower is stale anyway. */
function leave({held, retired}: Lane, next: Cursor): Retired {
  if (held === undefined || held.generation === next.generation) return retired
  const passed = isNumbered(held.generation) && isNumbered(next.generation) && held.generation < next.generation
  return passed ? without(retired, next.generation) : retire(retired, held.generation)
}

function unseen(held: Cursor, next: Cursor, by: 'event' | 'snapshot'): Unseen {
  const numbered = isNumbered(next.generation)
  const missing = by === 'event' ? numbersBefore(next) : next.sequence + (numbered ? 1 : 0)
  const skipped = numbered && isNumbered(held.generation) ? next.generation - held.generation - 1 : 0
  return {...(missing > 0 ? {missing} : {}), ...(skipped > 0 ? {missingGenerations: skipped} : {})}
}

/** How many numbers its generation has before it. */
function numbersBefore({generation, sequence}: Cursor): number {
  return Math.max(0, sequence - (isNumbered(generation) ? 0 : 1))
}
