import type {DatabaseSync} from 'node:sqlite'
import {bucketOf, bucketOfSecond, LANE_LEVEL, widthOf} from './roll-up.ts'

/** A source as a reader finds it. */
export interface ReadSource {
  readonly key: number
  /** The second that is open (roll-up.ts); `undefined` before anything was recorded. */
  readonly openSecond: number | undefined
  /** Retention deleted frames received before it. */
  readonly detailsFrom: number | undefined
  /** And before it the roll-ups below an hour. */
  readonly cellsFrom: number | undefined
}

/** As SQLite gives it, because a range holds thousands. `last` is `REMOVED`, or null where no step was made. */
export type ReadCell = readonly [bucket: number, lane: number, count: number, last: number | null]

export function findSource(db: DatabaseSync, id: string): ReadSource | undefined {
  const row = db
    .prepare(`
      SELECT key, open_second, details_from, cells_from
      FROM sources JOIN tallies ON tallies.source = sources.key JOIN pruned WHERE sources.id = ?`)
    .get(id)
  if (row === undefined) return undefined
  return {
    key: Number(row['key']),
    openSecond: optionalNumber(row['open_second']),
    detailsFrom: optionalNumber(row['details_from']),
    cellsFrom: optionalNumber(row['cells_from']),
  }
}

/**
 * The cells of a level with `from <= bucket < to`, by bucket, at most `limit`; what is still open below is added in.
 */
export function readCells(
  db: DatabaseSync,
  source: ReadSource,
  level: number,
  {from, to, limit}: {readonly from: number; readonly to: number; readonly limit: number},
): readonly ReadCell[] {
  const found = db.prepare(`
    SELECT bucket, lane, count, last FROM cells
    WHERE source = ? AND level = ? AND bucket >= ? AND bucket < ? ORDER BY bucket, lane LIMIT ?`)
  found.setReturnArrays(true)
  // The rows are what the columns above say.
  const cells = found.all(source.key, level, from, to, limit) as unknown as ReadCell[]
  const open = openBelow(db, source, level).filter(([bucket]) => bucket >= from && bucket < to)
  const [first] = open
  if (first === undefined) return cells
  // The open span is the newest there is, so it is the last of any range.
  return [
    ...cells.filter(([bucket]) => bucket < first[0]),
    ...joined(
      cells.filter(([bucket]) => bucket >= first[0]),
      open,
    ),
  ]
}

/** Whether a level has more cells in a range than a screen can use. */
export function hasMoreCells(
  db: DatabaseSync,
  source: ReadSource,
  level: number,
  {from, to, limit}: {readonly from: number; readonly to: number; readonly limit: number},
): boolean {
  const probe = db.prepare(`
    SELECT 1 FROM cells WHERE source = ? AND level = ? AND bucket >= ? AND bucket < ? LIMIT 1 OFFSET ?`)
  return probe.get(source.key, level, from, to, limit) !== undefined
}

/**
 * The value of each lane just before an instant that is a multiple of 1 s, for the lanes that held one. Looks back through
 * ever wider spans: the rest of the running 15 s, 4 minutes and hour, then hour by hour through an index by lane.
 */
export function valuesBefore(
  db: DatabaseSync,
  source: ReadSource,
  atMs: number,
  lanes: readonly number[],
): ReadonlyMap<number, number> {
  const values = new Map<number, number>()
  for (let level = 0; level < LANE_LEVEL; level++) {
    const to = bucketOf(level, atMs)
    const from = (bucketOf(level + 1, atMs) * widthOf(level + 1)) / widthOf(level)
    if (from < to) takeLatest(values, lastInEach(db, source, level, {from, to}))
  }
  const hour = bucketOf(LANE_LEVEL, atMs)
  takeLatest(values, new Map(openBelow(db, source, LANE_LEVEL).flatMap(stepBefore(hour))))
  const before = db.prepare(`
    SELECT last FROM cells WHERE lane = ? AND bucket < ? AND level = ${LANE_LEVEL} AND last IS NOT NULL
    ORDER BY bucket DESC LIMIT 1`)
  for (const lane of lanes) {
    if (values.has(lane)) continue
    const last = before.get(lane, hour)?.['last']
    if (typeof last === 'number') values.set(lane, last)
  }
  return values
}

function stepBefore(hour: number) {
  return ([bucket, lane, , last]: ReadCell): [number, number][] =>
    bucket < hour && last !== null ? [[lane, last]] : []
}

function takeLatest(values: Map<number, number>, earlier: ReadonlyMap<number, number>): void {
  for (const [lane, last] of earlier) if (!values.has(lane)) values.set(lane, last)
}

function lastInEach(
  db: DatabaseSync,
  source: ReadSource,
  level: number,
  {from, to}: {readonly from: number; readonly to: number},
): ReadonlyMap<number, number> {
  const rows = db
    .prepare(`
      SELECT lane, last, max(bucket) AS bucket FROM cells
      WHERE source = ? AND level = ? AND bucket >= ? AND bucket < ? AND last IS NOT NULL GROUP BY lane`)
    .all(source.key, level, from, to)
  const latest = new Map(rows.map((row) => [Number(row['lane']), row]))
  const values = new Map([...latest].map(([lane, row]) => [lane, Number(row['last'])]))
  for (const [bucket, lane, , last] of openBelow(db, source, level)) {
    const stored = Number(latest.get(lane)?.['bucket'] ?? -1)
    if (last !== null && bucket >= from && bucket < to && bucket >= stored) values.set(lane, last)
  }
  return values
}

/** What was not added to a level yet: the open spans of the levels below it, as cells of that level, one a lane. */
function openBelow(db: DatabaseSync, source: ReadSource, level: number): readonly ReadCell[] {
  const second = source.openSecond
  if (second === undefined) return []
  const found = db.prepare('SELECT ?, lane, count, last FROM cells WHERE source = ? AND level = ? AND bucket = ?')
  found.setReturnArrays(true)
  const bucket = bucketOfSecond(level, second)
  let cells: readonly ReadCell[] = []
  for (let below = level - 1; below >= 0; below--) {
    const finer = found.all(bucket, source.key, below, bucketOfSecond(below, second)) as unknown as ReadCell[] // as selected
    cells = joined(cells, finer)
  }
  return cells
}

/** Adds cells of one bucket, by lane; the last value of the second list is the later one. */
function joined(cells: readonly ReadCell[], later: readonly ReadCell[]): readonly ReadCell[] {
  const byLane = new Map(cells.map((cell) => [cell[1], cell]))
  for (const cell of later) {
    const [bucket, lane, count, last] = cell
    const earlier = byLane.get(lane)
    byLane.set(lane, earlier === undefined ? cell : [bucket, lane, earlier[2] + count, last ?? earlier[3]])
  }
  return [...byLane.values()]
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
