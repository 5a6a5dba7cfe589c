import {type Generation, isNumbered} from './cursor.ts'

/**
 * The generations a stream has left, in the order in which it left them. A value: whoever holds one sees it unchanged, while
 * its successors share its memory, because a stream may have left 100,000 of them.
 */
export interface Retired {
  /** When each was left, counted from 0. Successors add to the same map; those are not of this value. */
  readonly places: Map<Generation, number>
  readonly size: number
  /** The highest numbered one; -1 where there is none. */
  readonly highest: number
}

/** A function: an empty map must not be shared by two streams. */
export function noneRetired(): Retired {
  return {places: new Map(), size: 0, highest: -1}
}

export function isRetired(retired: Retired, generation: Generation): boolean {
  return (retired.places.get(generation) ?? retired.size) < retired.size
}

export function retire(retired: Retired, generation: Generation): Retired {
  if (isRetired(retired, generation)) return retired
  const grown = retired.places.size === retired.size // otherwise another successor was there first
  const places = grown ? retired.places : new Map(retiredGenerations(retired).map((one, place) => [one, place]))
  places.set(generation, retired.size)
  const highest = isNumbered(generation) ? Math.max(retired.highest, generation) : retired.highest
  return {places, size: retired.size + 1, highest}
}

export function retireAll(retired: Retired, generations: Iterable<Generation>): Retired {
  let more = retired
  for (const generation of generations) more = retire(more, generation)
  return more
}

/** What either left, the first one's before the other's. Of two that grew from one another the larger is both. */
export function unite(a: Retired, b: Retired): Retired {
  if (a.places === b.places) return a.size < b.size ? b : a
  return a.size === 0 ? b : retireAll(a, retiredGenerations(b))
}

export function without(retired: Retired, generation: Generation): Retired {
  if (!isRetired(retired, generation)) return retired
  return retireAll(
    noneRetired(),
    retiredGenerations(retired).filter((one) => one !== generation),
  )
}

export function retiredGenerations({places, size}: Retired): readonly Generation[] {
  return [...places.keys()].slice(0, size)
}
