import type {DatabaseSync} from 'node:sqlite'
import {bucketOf, bucketOfSecond, LANE_LEVEL, widthOf} from './roll-up.ts'

/** A source as a reader finds it. */
export interface ReadSource {
  readonly key: number
  /** The second that is open (roll-up.ts); `undefined` before anything was recorded. */
  readonly openSecond: number | undefined
}

export interface ReadCell {
  readonly bucket: number
  readonly lane: number
  readonly count: number
  /** `REMOVED`, or `undefined` where no step was made. */
  readonly last: number | undefined
}

export function findSource(db: DatabaseSync, id: string): ReadSource | undefined {
  const row = db
    .prepare('SELECT key, open_second FROM sources JOIN tallies ON tallies.source = sources.key WHERE id = ?')
    .get(id)
  if (row === undefined) return undefined
  return {key: Number(row['key']), openSecond: typeof row['open_second'] === 'number' ? row['open_second'] : undefined}
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
  found.setReturnArrays(true) // a range may hold many thousand
  const cells = (found.all(source.key, level, from, to, limit) as unknown as CellArray[]).map(cellOf)
  const open = openBelow(db, source, level).filter(({bucket}) => bucket >= from && bucket < to)
  return open.length === 0 ? cells : joined(cells, open)
}

type CellArray = readonly [bucket: number, lane: number, count: number, last: number | null]

function cellOf([bucket, lane, count, last]: CellArray): ReadCell {
  return {bucket, lane, count, last: last ?? undefined}
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
 * ever wider spans: the rest of the running 10 s, minute, 10 minutes and hour, then hour by hour through an index by lane.
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
  return ({bucket, lane, last}: ReadCell): [number, number][] =>
    bucket < hour && last !== undefined ? [[lane, last]] : []
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
  for (const {bucket, lane, last} of openBelow(db, source, level)) {
    const stored = Number(latest.get(lane)?.['bucket'] ?? -1)
    if (last !== undefined && bucket >= from && bucket < to && bucket >= stored) values.set(lane, last)
  }
  return values
}

/** What was not added to a level yet: the open spans of the levels below it, as cells of that level, one a lane. */
function openBelow(db: DatabaseSync, source: ReadSource, level: number): readonly ReadCell[] {
  const second = source.openSecond
  if (second === undefined) return []
  const found = db.prepare('SELECT bucket, lane, count, last FROM cells WHERE source = ? AND level = ? AND bucket = ?')
  const bucket = bucketOfSecond(level, second)
  let cells: readonly ReadCell[] = []
  for (let below = level - 1; below >= 0; below--) {
    const rows = found.all(source.key, below, bucketOfSecond(below, second))
    const finer = rows.map(({lane, count, last}) => ({
      bucket,
      lane: Number(lane),
      count: Number(count),
      last: typeof last === 'number' ? last : undefined,
    }))
    cells = joined(cells, finer)
  }
  return cells
}

/** Adds cells of the same bucket and lane; the last value of the second list is the later one. */
function joined(cells: readonly ReadCell[], later: readonly ReadCell[]): readonly ReadCell[] {
  if (cells.length === 0) return later
  const byPlace = new Map(cells.map((cell) => [`${cell.bucket} ${cell.lane}`, cell]))
  for (const cell of later) {
    const place = `${cell.bucket} ${cell.lane}`
    const earlier = byPlace.get(place)
    byPlace.set(
      place,
      earlier === undefined ? cell : {...cell, count: earlier.count + cell.count, last: cell.last ?? earlier.last},
    )
  }
  return [...byPlace.values()].sort((a, b) => a.bucket - b.bucket || a.lane - b.lane)
}
