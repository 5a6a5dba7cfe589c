import type {JsonObject} from '../../../shared/base/json.ts'
import {compareCursors, type NumberedCursor} from './cursor.ts'

/** One message as it is stored, whatever it looks like on a wire. */
export interface Entry {
  readonly type: 'event' | 'snapshot'
  readonly cursor: NumberedCursor
  /** ISO 8601. */
  readonly at: string
  readonly body: JsonObject
}

/** What a numbered server knows: everything since its store began, in order. */
export interface NumberedLog {
  /** The cursor of the last message; `undefined` before the first. */
  readonly head: () => NumberedCursor | undefined
  readonly append: (body: JsonObject, at: string) => Entry
  /** The next generation begins with it, at sequence 0. */
  readonly snapshot: (body: JsonObject, at: string) => Entry
  /** Leaves numbers out. */
  readonly skip: (events: number) => void
  readonly skipGenerations: (count: number) => void
  /** What is strictly greater; everything where no cursor is named. */
  readonly after: (cursor: NumberedCursor | undefined) => readonly Entry[]
  readonly entries: () => readonly Entry[]
}

/** @param stored - of an earlier run, in order: its numbering goes on */
export function createNumberedLog(stored: readonly Entry[], firstGeneration: number): NumberedLog {
  const entries: Entry[] = [...stored]
  const last = entries.at(-1)?.cursor
  let generation = last?.generation ?? firstGeneration - 1
  let nextSequence = last === undefined ? 0 : last.sequence + 1

  const add = (type: Entry['type'], body: JsonObject, at: string): Entry => {
    const entry: Entry = {type, cursor: {generation, sequence: nextSequence}, at, body}
    nextSequence += 1
    entries.push(entry)
    return entry
  }

  return {
    head: () => entries.at(-1)?.cursor,
    append: (body, at) => add('event', body, at),
    snapshot: (body, at) => {
      generation += 1
      nextSequence = 0
      return add('snapshot', body, at)
    },
    skip: (events) => {
      nextSequence += events
    },
    skipGenerations: (count) => {
      generation += count
    },
    after: (cursor) => entries.slice(cursor === undefined ? 0 : firstAfter(entries, cursor)),
    entries: () => entries,
  }
}

/** By halving: a log can be long, and every reader asks once. */
function firstAfter(entries: readonly Entry[], cursor: NumberedCursor): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry !== undefined && compareCursors(entry.cursor, cursor) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
