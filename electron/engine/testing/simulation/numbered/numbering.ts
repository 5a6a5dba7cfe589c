import type {Outcome} from '../../../../../shared/history/fact.ts'
import type {Hole} from '../owed.ts'
import {comparePlaces, type Place} from './read-message.ts'

/** Where a numbered stream stands, by the design's rules, worked out the plain way. */
export interface Standing {
  readonly held: Place | undefined
  /** Generations that a numbering had which the user gave up for another one, and which that one has not had yet. */
  readonly left: ReadonlySet<number>
}

/** One message with a cursor, as it came. */
export interface Numbered {
  readonly at: Place
  readonly isKnown: boolean
  /** The first number of its connection. */
  readonly isFirst: boolean
}

/** What a message comes to from there. */
export interface Verdict {
  /** `asks`: the numbering began anew, and the user is to say whether that is so. */
  readonly outcome: Extract<Outcome, 'handled' | 'discarded' | 'duplicate' | 'stale'> | 'asks'
  readonly after: Standing
  readonly hole: Hole | undefined
}

/** @param isTaken - the user said that its numbering is the one to go on with */
export function judgeNumbered(standing: Standing, message: Numbered, isTaken: boolean): Verdict {
  const {held} = standing
  const {at, isKnown} = message
  const outcome = isKnown ? 'handled' : 'discarded'
  if (held === undefined) return {outcome, after: moved(standing, at), hole: undefined}
  const unmoved = {after: standing, hole: undefined}
  if (at.generation === held.generation && comparePlaces(at, held) <= 0) return {outcome: 'duplicate', ...unmoved}
  if (isOfTheLost(standing, at)) return {outcome: 'stale', ...unmoved}
  const isBelow = at.generation < held.generation
  if (isBelow && !isTaken) return {outcome: message.isFirst ? 'asks' : 'stale', ...unmoved}
  return {outcome, after: moved(standing, at), hole: isBelow ? headOf(held, at) : holeBefore(held, at)}
}

/** It jumps into what a numbering had that was given up. One generation after the other, the present one grows through them. */
function isOfTheLost({held, left}: Standing, {generation}: Place): boolean {
  return held !== undefined && generation > held.generation + 1 && generation <= Math.max(...left)
}

function moved({held, left}: Standing, at: Place): Standing {
  const all = new Set(left)
  if (held !== undefined && at.generation < held.generation) all.add(held.generation)
  all.delete(at.generation)
  return {held: at, left: all}
}

/** The numbering is another one: what is missing is what it has before this number. */
function headOf(held: Place, {generation, sequence}: Place): Hole | undefined {
  if (sequence === 0) return undefined
  return {
    lane: laneOf(generation),
    upTo: sequence,
    missing: sequence,
    after: undefined,
    tailOf: laneOf(held.generation),
  }
}

function holeBefore(held: Place, {generation, sequence}: Place): Hole | undefined {
  const isSame = held.generation === generation
  const missing = isSame ? sequence - held.sequence - 1 : sequence
  const missingGenerations = isSame ? 0 : generation - held.generation - 1
  if (missing === 0 && missingGenerations === 0) return undefined
  return {
    lane: laneOf(generation),
    upTo: sequence,
    missing,
    ...(missingGenerations === 0 ? {} : {missingGenerations}),
    after: isSame ? held.sequence : undefined,
    tailOf: isSame ? undefined : laneOf(held.generation),
  }
}

function laneOf(generation: number): string {
  return `n:${generation}`
}
