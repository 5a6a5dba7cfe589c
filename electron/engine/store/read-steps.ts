import type {DatabaseSync} from 'node:sqlite'
import {MOVES_WITHIN_MS} from './apply-change.ts'
import type {ReadSource} from './read-cells.ts'
import {fromJson} from './read-row.ts'

export type Triple = readonly [name: string, before: number | null, after: number | null]

/** One coordinate's part in one move, as it was recorded. */
export interface ReadStep {
  readonly name: string
  readonly at: number
  readonly frame: number | undefined
  readonly before: number | null
  readonly after: number | null
}

interface ReadMove {
  readonly at: number
  readonly frame: number | null
  /** Its place among all moves. */
  readonly order: number
  readonly steps: string
}

/** Steps with `from <= at < to` by time, moves of one instant in the order they were made. */
export function readSteps(db: DatabaseSync, source: ReadSource, from: number, to: number): readonly ReadStep[] {
  const carried = db
    .prepare(`
      SELECT moved_at AS at, id AS frame, id AS place, steps FROM frames
      WHERE source = ? AND received_at > ? AND received_at < ? AND moved_at >= ? AND moved_at < ?`)
    .all(source.key, from - MOVES_WITHIN_MS, to, from, to)
  const apart = db
    .prepare(
      'SELECT at, frame, after_frame + 0.5 AS place, steps FROM moves WHERE source = ? AND at >= ? AND at < ? ORDER BY id',
    )
    .all(source.key, from, to)
  const moves = [...carried, ...apart].map(
    (row): ReadMove => ({
      at: Number(row['at']),
      frame: row['frame'] === null ? null : Number(row['frame']),
      order: Number(row['place']),
      steps: String(row['steps']),
    }),
  )
  moves.sort((a, b) => a.at - b.at || a.order - b.order)
  return moves.flatMap(({at, frame, steps}) =>
    fromJson<readonly Triple[]>(steps).map(([name, before, after]) => ({
      name,
      at,
      frame: frame ?? undefined,
      before,
      after,
    })),
  )
}

/** How many frames or moves a range would bring, counted no further than `limit`. */
export function fits(
  db: DatabaseSync,
  source: ReadSource,
  {from, to, limit}: {from: number; to: number; limit: number},
) {
  const frames = db.prepare(
    'SELECT 1 FROM frames INDEXED BY frames_by_time WHERE source = ? AND received_at >= ? AND received_at < ? LIMIT 1 OFFSET ?',
  )
  const moves = db.prepare('SELECT 1 FROM moves WHERE source = ? AND at >= ? AND at < ? LIMIT 1 OFFSET ?')
  return [frames, moves].every((probe) => probe.get(source.key, from, to, limit) === undefined)
}
