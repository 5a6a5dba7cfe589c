import type {DatabaseSync} from 'node:sqlite'
import {fromJson, type Row} from './read-row.ts'
import type {Triple} from './read-steps.ts'

/** By source's key and coordinate: where the newest move that is recorded led; `null`: it was removed. */
export type NewestMoves = ReadonlyMap<number, ReadonlyMap<string, number | null>>

export interface CursorFinding {
  readonly source: number
  readonly name: string
  readonly cursor: number | null
  readonly newestMove: number | null
}

export interface CheckedCursors {
  readonly equal: number
  /** No move of them is recorded any more. */
  readonly unchecked: number
  readonly differ: readonly CursorFinding[]
}

/** Goes back from the newest move until every coordinate was met, or the history ends. */
export function newestMoves(db: DatabaseSync, {until}: {readonly until: number}): NewestMoves {
  const newest = new Map<number, Map<string, number | null>>()
  let met = 0
  for (const {source, steps} of movesBackwards(db)) {
    const ofSource = newest.get(source) ?? new Map<string, number | null>()
    newest.set(source, ofSource)
    for (const [name, , after] of steps)
      if (!ofSource.has(name)) {
        ofSource.set(name, after)
        met += 1
      }
    if (met >= until) break
  }
  return newest
}

interface RecordedMove {
  readonly source: number
  readonly steps: readonly Triple[]
}

/** In the order they were made, the last first: those that frames carry, and those with a row of their own. */
function* movesBackwards(db: DatabaseSync): Generator<RecordedMove> {
  const carried = db
    .prepare('SELECT source, id AS place, steps FROM frames WHERE moved_at IS NOT NULL ORDER BY id DESC')
    .iterate()
  const apart = db
    .prepare('SELECT source, after_frame + 0.5 AS place, steps FROM moves ORDER BY after_frame DESC, id DESC')
    .iterate()
  try {
    let [one, other] = [carried.next(), apart.next()]
    while (one.done !== true || other.done !== true) {
      const takeOne = other.done === true || (one.done !== true && place(one.value) > place(other.value))
      const row: Row = (takeOne ? one.value : other.value) ?? {}
      yield {source: Number(row['source']), steps: fromJson(row['steps'])}
      if (takeOne) one = carried.next()
      else other = apart.next()
    }
  } finally {
    carried.return?.() // else the statements stay open, and so does the file they read
    apart.return?.()
  }
}

function place(row: Row): number {
  return Number(row['place'])
}

export function checkCursors(db: DatabaseSync, newest: NewestMoves): CheckedCursors {
  let [equal, unchecked] = [0, 0]
  const differ: CursorFinding[] = []
  for (const row of db.prepare('SELECT source, name, sequence FROM coordinates').iterate()) {
    const [source, name] = [Number(row['source']), fromJson<string>(row['name'])]
    const cursor = row['sequence'] === null ? null : Number(row['sequence'])
    const newestMove = newest.get(source)?.get(name)
    if (newestMove === undefined) unchecked += 1
    else if (newestMove === cursor) equal += 1
    else differ.push({source, name, cursor, newestMove})
  }
  return {equal, unchecked, differ}
}
