import type {Brand} from '../base/brand.ts'
import {isJsonObject, member} from '../base/json.ts'
import {parseSequence, type Sequence} from '../position/position.ts'

/** One incarnation of a numbering that has a name only: equal or not equal, never earlier or later. `"10"` is such a name too. */
export type OpaqueGeneration = Brand<string, 'OpaqueGeneration'>

/** One incarnation of a numbering in the documented model: a non-negative safe integer, ordered. */
export type NumberedGeneration = Brand<number, 'NumberedGeneration'>

/** The two families never mix: the number 10 is not the string `"10"`, and neither comes before the other. */
export type Generation = OpaqueGeneration | NumberedGeneration

/** A place in a numbered stream. Opaque generations count from 1 (0 is before any event), numbered ones from 0. */
export interface Cursor {
  readonly generation: Generation
  readonly sequence: Sequence
}

export type CursorOrder = 'before' | 'equal' | 'after' | 'incomparable'

/** All or nothing. Fields that are not known are ignored. */
export function parseCursor(value: unknown): Cursor | undefined {
  if (!isJsonObject(value)) return undefined
  const generation = parseGeneration(member(value, 'generation'))
  const sequence = parseSequence(member(value, 'sequence'))
  return generation === undefined || sequence === undefined ? undefined : {generation, sequence}
}

/** An empty name names nothing. */
export function parseGeneration(value: unknown): Generation | undefined {
  if (typeof value === 'string') return value === '' ? undefined : (value as OpaqueGeneration)
  return parseSequence(value) as NumberedGeneration | undefined // both are non-negative safe integers
}

export function isNumbered(generation: Generation): generation is NumberedGeneration {
  return typeof generation === 'number'
}

/** `{5, 12}`: as the model writes it. */
export function pairText({generation, sequence}: {readonly [P in keyof Cursor]: string | number}): string {
  return `{${generation}, ${sequence}}`
}

/** How `a` stands to `b`. Numbered generations are lexicographic; of two opaque ones, only equal ones have an order inside. */
export function compareCursors(a: Cursor, b: Cursor): CursorOrder {
  if (a.generation === b.generation) return order(a.sequence, b.sequence)
  if (isNumbered(a.generation) && isNumbered(b.generation)) return order(a.generation, b.generation)
  return 'incomparable'
}

function order(a: number, b: number): CursorOrder {
  return a < b ? 'before' : a > b ? 'after' : 'equal'
}
