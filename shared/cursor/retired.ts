import {type Generation, isNumbered} from './cursor.ts'

/**
 * The generations a stream has left, in the order in which it left them. A value: whoever holds one sees it unchanged, while
 * its successors share its memory, because a stream may have left 100,000 of them.
 */
export interface Retired {
  /** When each was left, counted from 0. Successors add to the same map; those are not of this value. */
  readonly places: Map<Generation, number>
  /** The same, in that order. */
  readonly order: Generation[]
  readonly size: number
  /** The highest numbered one; -1 where there is none. */
  readonly highest: number
}

/** A function: an empty map must not be shared by two streams. */
export function noneRetired(): Retired {
  return {places: new Map(), order: [], size: 0, highest: -1}
}

export function isRetired(retired: Retired, generation: Generation): boolean {
  return (retired.places.get(generation) ?? retired.size) < retired.size
}

export function retire(retired: Retired, generation: Generation): Retired {
  if (isRetired(retired, generation)) return retired
  const highest = isNumbered(generation) ? Math.max(retired.highest, generation) : retired.highest
  const {places, order, size} = retired
  // What is judged twice from the same value has the same successor, and nothing is copied for the second.
  if (size < order.length && order[size] === generation) return {places, order, size: size + 1, highest}
  return {...grown(retired, generation), size: size + 1, highest}
}

function grown(retired: Retired, generation: Generation): Pick<Retired, 'places' | 'order'> {
  const isLast = retired.order.length === retired.size // otherwise another successor was there first
  const order = isLast ? retired.order : [...retiredGenerations(retired)]
  const places = isLast ? retired.places : new Map(order.map((one, place) => [one, place]))
  places.set(generation, retired.size)
  order.push(generation)
  return {places, order}
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

export function retiredGenerations({order, size}: Retired): readonly Generation[] {
  return order.slice(0, size)
}

/** What one has and the other has not. Where it grew from the other, only what it grew by is looked at. */
export function retiredBeyond(retired: Retired, other: Retired): readonly Generation[] {
  if (retired.places === other.places) return retired.order.slice(other.size, retired.size)
  return retiredGenerations(retired).filter((one) => !isRetired(other, one))
}
