import fc from 'fast-check'
import {type Cursor, parseCursor} from '../cursor/cursor.ts'

/** A cursor written as it is on the wire. */
export function cursor(value: unknown): Cursor {
  const parsed = parseCursor(value)
  if (parsed === undefined) throw new Error(`no cursor: ${JSON.stringify(value)}`)
  return parsed
}

/** Few generations and few numbers, so that cursors meet; names that are members of every object among them. */
const generations = fc.oneof(fc.constantFrom('a', 'b', 'c', '1', '__proto__'), fc.nat(4))
const sequences = fc.oneof(fc.nat(6), fc.constant(Number.MAX_SAFE_INTEGER))

export const anyCursor: fc.Arbitrary<Cursor> = fc
  .record({generation: generations, sequence: sequences})
  .map((value) => cursor(value))

export const opaqueCursor: fc.Arbitrary<Cursor> = anyCursor.filter(({generation}) => typeof generation === 'string')
export const numberedCursor: fc.Arbitrary<Cursor> = anyCursor.filter(({generation}) => typeof generation === 'number')
