/**
 * Roll-ups: per source, level, span of time and lane, how many frames were received and the last value reached. They are
 * written in the transaction of the frames they count, yet most of a commit touches only the second that is running:
 *
 * - Of each source one second is *open*: the newest that anything was recorded in. A level's span that contains it is open too.
 * - What happens in the open second is added to level 0 only. When a later second opens, the spans that are no longer open
 *   are added to the level above.
 * - What happens in an earlier second (a clock set back) is added to every level whose span there is no longer open.
 *
 * So a span that is not open is whole at every level, and one that is open is the sum of the open spans of the levels up
 * to it. Both follow from the open second alone.
 */

/**
 * Widths of a span by level, in ms: 1 s, 15 s, 4 min, 1 h, 1 d. Below 1 s there would be more spans than frames. Each is about 16
 * of the one below: a sparse stream writes a row at every fine level for each frame, and a reader can add up spans.
 */
export const LEVELS_MS = [1_000, 15_000, 240_000, 3_600_000, 86_400_000] as const

/** The level with an index by lane, so that a lane's value long ago is one look-up. The schema names it as well. */
export const LANE_LEVEL = 3

/** `last` of a lane that was removed. Sequences are never negative. */
export const REMOVED = -1

/** The lane of frames that are drawn on none. Coordinates count from 1. */
export const NO_LANE = 0

/** The number of the span that an instant falls into. */
export function bucketOf(level: number, atMs: number): number {
  return Math.floor(atMs / widthOf(level))
}

/** The span at a level that contains a second. */
export function bucketOfSecond(level: number, second: number): number {
  return Math.floor((second * LEVELS_MS[0]) / widthOf(level))
}

export function widthOf(level: number): number {
  const width = LEVELS_MS[level]
  if (width === undefined) throw new Error(`no roll-up level ${level}`)
  return width
}

/** What one list of changes adds to one lane in one second. */
export interface Cell {
  count: number
  /** The last value in it; `REMOVED`; absent where no step was made. */
  last: number | undefined
}

/** Second → lane → cell, of one source. */
export type Cells = Map<number, Map<number, Cell>>

export function cellAt(cells: Cells, atMs: number, lane: number): Cell {
  const second = bucketOf(0, atMs)
  let lanes = cells.get(second)
  if (lanes === undefined) {
    lanes = new Map()
    cells.set(second, lanes)
  }
  let cell = lanes.get(lane)
  if (cell === undefined) {
    cell = {count: 0, last: undefined}
    lanes.set(lane, cell)
  }
  return cell
}
