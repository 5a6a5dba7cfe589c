import type {DatabaseSync, StatementSync} from 'node:sqlite'
import {bucketOfSecond, type Cell, type Cells, LEVELS_MS, widthOf} from './roll-up.ts'

export interface RollUpWriter {
  /** Adds cells of a source whose open second is `open` (`undefined`: nothing was recorded yet). Returns the open second after it. */
  readonly add: (source: number, cells: Cells, open: number | undefined) => number | undefined
}

export function createRollUpWriter(db: DatabaseSync): RollUpWriter {
  const upsert = db.prepare(`
    INSERT INTO cells (source, level, bucket, lane, count, last) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, last = coalesce(excluded.last, last)`)
  const folds = LEVELS_MS.slice(1).map((width, below) => prepareFold(db, below, width / widthOf(below)))

  return {
    add(source, cells, open) {
      const seconds = [...cells].sort(([a], [b]) => a - b)
      const first = seconds[0]
      const last = seconds.at(-1)
      if (first === undefined || last === undefined) return open
      const openBefore = open ?? first[0]
      for (const [second, lanes] of seconds) {
        if (second < openBefore) addLate(upsert, source, {second, lanes, open: openBefore})
        else for (const [lane, cell] of lanes) upsert.run(source, 0, second, lane, cell.count, cell.last ?? null)
      }
      const openAfter = Math.max(openBefore, last[0])
      close(folds, source, openBefore, openAfter)
      return openAfter
    },
  }
}

interface Late {
  readonly second: number
  readonly lanes: ReadonlyMap<number, Cell>
  readonly open: number
}

/** At a level whose span is still open it stops: what is there will be added upwards when that span closes. */
function addLate(upsert: StatementSync, source: number, {second, lanes, open}: Late): void {
  for (const level of LEVELS_MS.keys()) {
    const bucket = bucketOfSecond(level, second)
    for (const [lane, cell] of lanes) upsert.run(source, level, bucket, lane, cell.count, cell.last ?? null)
    if (bucket >= bucketOfSecond(level, open)) return
  }
}

/** Adds every span that closed between two open seconds to the level above, from the finest level up. */
function close(folds: readonly StatementSync[], source: number, openBefore: number, openAfter: number): void {
  for (const [level, fold] of folds.entries()) {
    const [from, to] = [bucketOfSecond(level, openBefore), bucketOfSecond(level, openAfter)]
    if (from === to) return
    fold.run(source, from, to)
  }
}

/** The last value of a wider span is that of the latest narrow one in which a step was made. */
function prepareFold(db: DatabaseSync, below: number, narrowInWide: number): StatementSync {
  return db.prepare(`
    INSERT INTO cells (source, level, bucket, lane, count, last)
    SELECT source, ${below + 1}, wide, lane, counted, last FROM (
      SELECT source, bucket / ${narrowInWide} AS wide, lane, sum(count) AS counted, last,
        max(CASE WHEN last IS NOT NULL THEN bucket END)
      FROM cells WHERE source = ? AND level = ${below} AND bucket >= ? AND bucket < ?
      GROUP BY bucket / ${narrowInWide}, lane
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count, last = coalesce(excluded.last, last)`)
}
