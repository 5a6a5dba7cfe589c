import type {DatabaseSync} from 'node:sqlite'
import type {Outcome} from '../../../shared/history/fact.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import {chooseDeleted, type OldFrame, type PruneOrder} from '../../../shared/history/retention.ts'
import {COUNT_COMMIT} from './cut-log.ts'
import {deleteOldCells, deleteOldConnections} from './prune-around.ts'

/** What one step deleted, and whether there may be more to delete. */
export interface PruneStep {
  readonly frames: number
  /** Of the file, free for other pages from now on. */
  readonly bytes: number
  readonly more: boolean
}

/** A step takes no more frames than this, and no more of their bytes: commits wait behind it. */
const FRAMES_A_STEP = 200
const BYTES_A_STEP = 1024 * 1024

/**
 * One short transaction of retention: deletes the oldest frames that the limits let go, with their attempts and moves; once
 * none is left, what surrounded them. Never deleted: sources, cursors, the gap ledger, what `chooseDeleted` keeps, moves
 * with a reason or of no frame, and the newest frame, whose number is what the next one is counted from.
 */
export function pruneStep(db: DatabaseSync, order: PruneOrder): PruneStep {
  db.exec('BEGIN IMMEDIATE')
  try {
    const before = bytesInUse(db)
    const {frames, advanced} = deleteOldFrames(db, order, before)
    const around = advanced ? 0 : deleteOldCells(db, order.now) + deleteOldConnections(db)
    db.exec(COUNT_COMMIT)
    const bytes = Math.max(0, before - bytesInUse(db))
    db.exec('COMMIT')
    return {frames, bytes, more: advanced || around > 0}
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

interface Advance {
  readonly frames: number
  /** Some were deleted, or are now known to stay for good. */
  readonly advanced: boolean
}

function deleteOldFrames(db: DatabaseSync, order: PruneOrder, inUse: number): Advance {
  const oldest = oldestFrames(db)
  const {deleted, next} = chooseDeleted(oldest, order, inUse - (order.maxBytes ?? Number.POSITIVE_INFINITY))
  const passed = next ?? (oldest.at(-1)?.id ?? 0) + 1
  const waiting = oldest.find(({unhandled}) => unhandled)?.id ?? passed // looked at again once it is handled
  const from = Math.min(passed, waiting)
  noteDeleted(db, deleted, {now: order.now, next: from})
  for (const [first, last] of runsOf(deleted)) deleteFrames(db, first, last)
  return {frames: deleted.length, advanced: deleted.length > 0 || from > (oldest[0]?.id ?? from)}
}

/** Those that were not looked at yet, apart from the newest of all. */
function oldestFrames(db: DatabaseSync): readonly OldFrame[] {
  const rows = db
    .prepare(`
      SELECT id, received_at, outcome, size,
        id IN (SELECT frame FROM gaps) OR id IN (SELECT frame FROM numberings) AS in_ledger,
        EXISTS (SELECT 1 FROM unhandled WHERE unhandled.frame = frames.id) AS unhandled
      FROM frames WHERE id >= (SELECT next_frame FROM pruned) AND id < (SELECT max(id) FROM frames)
      ORDER BY id LIMIT ${FRAMES_A_STEP}`)
    .all()
  const frames = rows.map(
    (row): OldFrame => ({
      id: row['id'] as FrameId, // written from these types
      receivedAt: Number(row['received_at']),
      outcome: row['outcome'] as Outcome, // likewise
      size: Number(row['size']),
      inLedger: row['in_ledger'] === 1,
      unhandled: row['unhandled'] === 1,
    }),
  )
  return frames.slice(0, countWithin(frames, BYTES_A_STEP))
}

/** How many, from the first on and at least one, are together no larger. */
function countWithin(frames: readonly OldFrame[], limit: number): number {
  let bytes = 0
  for (const [index, {size}] of frames.entries()) {
    bytes += size
    if (bytes > limit) return Math.max(1, index)
  }
  return frames.length
}

function noteDeleted(
  db: DatabaseSync,
  deleted: readonly OldFrame[],
  {now, next}: {readonly now: number; readonly next: number},
): void {
  const times = deleted.map(({receivedAt}) => receivedAt).filter((at) => at <= now)
  const from = times.length === 0 ? null : Math.max(...times) + 1
  db.prepare(`
    UPDATE pruned SET next_frame = max(next_frame, ?), frames = frames + ?,
      details_from = coalesce(max(details_from, ?), details_from, ?)`).run(next, deleted.length, from, from)
}

/** Frames one after another, so that few statements delete many. */
function runsOf(frames: readonly OldFrame[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = []
  for (const {id} of frames) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === id - 1) run[1] = id
    else runs.push([id, id])
  }
  return runs
}

function deleteFrames(db: DatabaseSync, first: number, last: number): void {
  db.prepare("DELETE FROM activities WHERE frame BETWEEN ? AND ? AND state <> 'open'").run(first, last)
  db.prepare('DELETE FROM attempts WHERE frame BETWEEN ? AND ?').run(first, last)
  db.prepare('DELETE FROM outputs WHERE frame BETWEEN ? AND ?').run(first, last)
  db.prepare('DELETE FROM moves WHERE frame BETWEEN ? AND ? AND reason IS NULL').run(first, last)
  db.prepare('DELETE FROM frames WHERE id BETWEEN ? AND ?').run(first, last)
}

function bytesInUse(db: DatabaseSync): number {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
