import {type Cursor, compareCursors} from './cursor.ts'

/** What a server that keeps its events sends to a client that resumes from a cursor. */
export type Resumption<Item> =
  /** What is strictly greater than the cursor, in the order of the log; nothing where the cursor is at its head. */
  | {readonly kind: 'resumed'; readonly items: readonly Item[]}
  /** The cursor is ahead of every event that is known: refused, or waited for, but never called caught up. */
  | {readonly kind: 'future'}
  /** Of an opaque generation that the log does not hold: neither behind nor ahead. */
  | {readonly kind: 'unknownGeneration'}

/** @param cursor - absent: everything that is retained */
export function resumeFrom<Item>(
  log: readonly Item[],
  cursor: Cursor | undefined,
  cursorOf: (item: Item) => Cursor,
): Resumption<Item> {
  if (cursor === undefined) return {kind: 'resumed', items: log}
  const orders = log.map((item) => compareCursors(cursor, cursorOf(item)))
  if (orders.every((order) => order === 'after')) return {kind: 'future'}
  if (orders.every((order) => order === 'incomparable')) return {kind: 'unknownGeneration'}
  if (!orders.some((order) => order === 'before' || order === 'equal')) return {kind: 'future'}
  return {kind: 'resumed', items: log.filter((_, n) => orders[n] === 'before')}
}
