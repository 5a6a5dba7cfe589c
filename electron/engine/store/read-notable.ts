import type {DatabaseSync, SQLInputValue} from 'node:sqlite'
import type {ReadSource} from './read-cells.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Up to this many of a kind are answered whole; of more, the first in each such part of the range, which is about three
 * columns of a screen. Each is a look-up somewhere in the file, so this is what bounds the time of a wide range.
 */
export const KEPT_WHOLE = 400

const NOTABLE = ['gap', 'rejected', 'skipped', 'malformed', 'numbering']

/** Frames that stand out or wait for their callback, by id: they are shown at any zoom, whatever surrounds them. */
export function notableFrames(db: DatabaseSync, source: ReadSource, span: Span): readonly number[] {
  const ids = NOTABLE.flatMap((kind) =>
    sparse(db, span, {
      rows: `SELECT received_at AS at, id FROM frames INDEXED BY frames_notable_by_time
        WHERE source = ? AND notable = ? AND received_at >= ? AND received_at < ? ORDER BY received_at`,
      of: [source.key, kind],
    }),
  )
  const waiting = db
    .prepare(`
      SELECT id FROM unhandled JOIN frames ON frames.id = unhandled.frame
      WHERE unhandled.source = ? AND received_at >= ? AND received_at < ? LIMIT ${KEPT_WHOLE}`)
    .all(source.key, span.from, span.to)
  return [...new Set([...ids, ...waiting.map((row) => Number(row['id']))])].sort((a, b) => a - b)
}

export interface Search {
  /** Selects `at` and `id` by time; takes the values of `of`, then from and to. */
  readonly rows: string
  readonly of: readonly SQLInputValue[]
}

/**
 * Ids in a range of time: all of them, or where they are many, the first in each part of it, each found by a look-up of its own, so
 * that the cost follows the screen and not the history.
 */
export function sparse(db: DatabaseSync, {from, to}: Span, {rows, of}: Search): readonly number[] {
  const all = db.prepare(`${rows} LIMIT ${KEPT_WHOLE + 1}`).all(...of, from, to)
  if (all.length <= KEPT_WHOLE) return all.map((row) => Number(row['id']))
  const next = db.prepare(`${rows} LIMIT 1`)
  const ids: number[] = []
  const part = (to - from) / KEPT_WHOLE
  let at = from
  while (at < to) {
    const row = next.get(...of, at, to)
    if (row === undefined) break
    ids.push(Number(row['id']))
    const found = Number(row['at'])
    at = Math.max(found + 1, Math.ceil(from + (Math.floor((found - from) / part) + 1) * part))
  }
  return ids
}
