import {xOf} from '../../../shared/timeline/time-scale.ts'
import type {DensityBar, Mark} from './mark.ts'
import type {Scene} from './scene.ts'

/** How much of a row's height the tallest bar takes: the line above must stay readable. */
const SHARE_OF_LANE = 0.4

/**
 * Counts frames per row and column of pixels. The frames a binned answer only counted are in it from the start.
 * One mark a row, whatever the number of frames.
 */
export function createDensity(scene: Scene) {
  const {time, input, laneOf} = scene
  const columns = new Map<string, Map<number, number>>()
  const count = (key: string, x: number, frames: number): void => {
    if (x < time.left || x > time.right) return
    const row = columns.get(key) ?? new Map<number, number>()
    columns.set(key, row)
    const column = Math.floor(x)
    row.set(column, (row.get(column) ?? 0) + frames)
  }
  const {bins, binMs} = input.data
  for (const bin of bins) count(bin.lane, xOf(time, bin.at + (binMs ?? 0) / 2), bin.count)

  const marks = (): readonly Mark[] => {
    const most = Math.max(1, ...[...columns.values()].map((row) => largest(row.values())))
    return [...columns].flatMap(([key, row]): readonly Mark[] => {
      const lane = laneOf.get(key)
      if (lane === undefined) return []
      const tallest = lane.height * SHARE_OF_LANE
      return [{kind: 'density', key, bottom: lane.top + lane.height - 1, bars: bars(row, tallest, most)}]
    })
  }
  return {count, marks}
}

/** By logarithm: one frame must be seen beside a thousand. */
function bars(row: ReadonlyMap<number, number>, tallest: number, most: number): readonly DensityBar[] {
  return [...row].map(([x, count]) => ({
    x,
    count,
    height: Math.max(2, (tallest * Math.log1p(count)) / Math.log1p(most)),
  }))
}

function largest(values: Iterable<number>): number {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}
