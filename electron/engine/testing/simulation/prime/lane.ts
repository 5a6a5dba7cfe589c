import type {Hole} from '../owed.ts'
import type {LineMeaning, Place} from './read-line.ts'

/** Where a session stands, by the design's rules, worked out the plain way. */
export interface Standing {
  readonly held: Place | undefined
  readonly retired: ReadonlySet<string>
}

/** What a line comes to from there. */
export interface Verdict {
  readonly outcome: 'handled' | 'discarded' | 'duplicate' | 'stale'
  readonly after: Standing
  readonly hole: Hole | undefined
}

type Moving = Exclude<LineMeaning, {kind: 'nothing'}>

export function judgeLine(standing: Standing, line: Moving): Verdict {
  const {held, retired} = standing
  const {at} = line
  const outcome = line.kind === 'event' && !line.isKnown ? 'discarded' : 'handled'
  const unmoved = {after: standing, hole: undefined}
  if (retired.has(at.generation)) return {outcome: 'stale', ...unmoved}
  const isNew = held === undefined || held.generation !== at.generation
  // An event has a number of its own; a snapshot is of everything up to its number.
  const own = line.kind === 'event' ? 1 : 0
  const before = isNew ? 0 : held.sequence
  if (!isNew && at.sequence < before + own)
    return {outcome: line.kind === 'event' ? 'duplicate' : 'handled', ...unmoved}
  if (!isNew && at.sequence === before) return {outcome, ...unmoved}
  const missing = held === undefined ? 0 : Math.max(0, at.sequence - before - own)
  const left = held !== undefined && isNew ? [held.generation] : []
  return {
    outcome,
    after: {held: at, retired: new Set([...retired, ...left])},
    hole: missing === 0 || held === undefined ? undefined : holeBefore(held, at, missing),
  }
}

function holeBefore(held: Place, {generation, sequence}: Place, missing: number): Hole {
  const isSame = held.generation === generation
  return {
    lane: `g:${generation}`,
    upTo: sequence,
    missing,
    after: isSame ? held.sequence : undefined,
    tailOf: isSame ? undefined : `g:${held.generation}`,
  }
}

/** A session that goes on where another one was replaced: nothing it held is lowered. */
export function inheriting({held, retired}: Standing, at: Place): Standing {
  if (held?.generation === at.generation) return {held: held.sequence > at.sequence ? held : at, retired}
  const left = new Set(retired)
  if (held !== undefined) left.add(held.generation)
  left.delete(at.generation)
  return {held: at, retired: left}
}
