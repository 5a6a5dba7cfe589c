/** Orders two rows; 0 means that they are the same row, the later one replacing the earlier. */
export type RowOrder<Row> = (a: Row, b: Row) => number

/**
 * Rows in ascending order, changed in place. A store holds it beside a version number that grows once per animation
 * frame: a copy, or a notification, for every event is what makes screens slow.
 */
export interface RowLog<Row> {
  /** Always the same array. What is read from it holds until the version grows. */
  readonly rows: readonly Row[]
  readonly put: (row: Row) => void
  /** The row as it is held, where one of the same identity is. */
  readonly find: (row: Row) => Row | undefined
  /** Drops the oldest rows above `max`; tells the newest one it dropped. */
  readonly dropOldest: (max: number) => Row | undefined
  readonly dropNewest: (max: number) => void
  readonly replaceAll: (rows: readonly Row[]) => void
  /** Tells the newest one it removed. */
  readonly removeWhere: (gone: (row: Row) => boolean) => Row | undefined
}

export function createRowLog<Row>(order: RowOrder<Row>): RowLog<Row> {
  const rows: Row[] = []
  const put = (row: Row): void => {
    const last = rows.at(-1)
    if (last === undefined || order(last, row) < 0) {
      rows.push(row) // nearly always: rows come in order
      return
    }
    const at = firstNotBefore(rows, row, order)
    const there = rows[at]
    rows.splice(at, there !== undefined && order(there, row) === 0 ? 1 : 0, row)
  }
  return {
    rows,
    put,
    find: (row) => {
      const there = rows[firstNotBefore(rows, row, order)]
      return there !== undefined && order(there, row) === 0 ? there : undefined
    },
    dropOldest: (max) => (rows.length > max ? rows.splice(0, rows.length - max).at(-1) : undefined),
    dropNewest: (max) => {
      if (rows.length > max) rows.length = max
    },
    replaceAll: (next) => {
      rows.length = 0
      for (const row of next) put(row)
    },
    removeWhere: (gone) => {
      const newest = rows.findLast(gone)
      if (newest === undefined) return undefined
      const kept = rows.filter((row) => !gone(row))
      rows.length = 0
      for (const row of kept) rows.push(row)
      return newest
    },
  }
}

/** The index of the first row that does not come before `row`. */
export function firstNotBefore<Row>(rows: readonly Row[], row: Row, order: RowOrder<Row>): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = rows[middle]
    if (there !== undefined && order(there, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
