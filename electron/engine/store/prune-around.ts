import type {DatabaseSync} from 'node:sqlite'
import {LANE_LEVEL, widthOf} from './roll-up.ts'

const ROWS_A_STEP = 1_000
/** Fine roll-ups are kept for as many times the span of the frames: they are small, and what a wide view is drawn from. */
const CELLS_KEPT = 4

/**
 * Deletes roll-ups below an hour that are far older than the oldest frames; the coarser ones stay, so that a view of years still
 * shows that something was there. Only whole hours, and none that is still open: a coarser span is then whole without them.
 */
export function deleteOldCells(db: DatabaseSync, now: number): number {
  const detailsFrom = db.prepare('SELECT details_from FROM pruned').get()?.['details_from']
  if (typeof detailsFrom !== 'number') return 0
  const hour = widthOf(LANE_LEVEL)
  const from = Math.floor((now - CELLS_KEPT * Math.max(0, now - detailsFrom)) / hour) * hour
  const sources = db.prepare('SELECT source, open_second FROM tallies').all()
  let deleted = 0
  for (const row of sources) {
    const openHour = Math.floor((Number(row['open_second'] ?? 0) * 1_000) / hour) * hour
    for (let level = 0; level < LANE_LEVEL && deleted < ROWS_A_STEP; level++)
      deleted += deleteCells(db, {source: Number(row['source']), level, before: Math.min(from, openHour)})
  }
  if (deleted > 0)
    db.prepare('UPDATE pruned SET cells_from = coalesce(max(cells_from, ?), cells_from, ?)').run(from, from)
  return deleted
}

interface CellSpan {
  readonly source: number
  readonly level: number
  /** Epoch ms. */
  readonly before: number
}

function deleteCells(db: DatabaseSync, {source, level, before}: CellSpan): number {
  const end = before / widthOf(level)
  const further = db
    .prepare(`
      SELECT bucket FROM cells WHERE source = ? AND level = ? AND bucket < ? ORDER BY bucket LIMIT 1 OFFSET ${ROWS_A_STEP}`)
    .get(source, level, end)
  const until = further === undefined ? end : Number(further['bucket']) + 1
  const {changes} = db
    .prepare('DELETE FROM cells WHERE source = ? AND level = ? AND bucket < ?')
    .run(source, level, Math.min(until, end))
  return Number(changes)
}

/** Deletes connection states from before the oldest frames, except those that were in force there, and each source's last. */
export function deleteOldConnections(db: DatabaseSync): number {
  const {changes} = db
    .prepare(`
      DELETE FROM connections WHERE id IN (
        SELECT connections.id FROM pruned, sources
        JOIN connections ON connections.source = sources.key AND connections.at < pruned.details_from
        WHERE connections.id IS NOT sources.last_connection AND connections.id IS NOT (
          SELECT id FROM connections WHERE source = sources.key AND at < pruned.details_from
          ORDER BY at DESC, id DESC LIMIT 1)
        LIMIT ${ROWS_A_STEP})`)
    .run()
  return Number(changes)
}
