import type {DatabaseSync} from 'node:sqlite'
import type {TimelineRange} from '../../../shared/contract/contract.ts'
import {hasMoreCells, type ReadCell, type ReadSource, readCells, valuesBefore} from './read-cells.ts'
import {chosenLanes, type NamedLane} from './read-lanes.ts'
import {bucketOf, LANE_LEVEL, LEVELS_MS, NO_LANE, REMOVED, widthOf} from './roll-up.ts'

/** Bins of one width over a range, each made of `merged` spans of a level. */
export interface Bins {
  readonly level: number
  readonly merged: number
  readonly binMs: number
  /** The first and the one after the last, in bins since the epoch. */
  readonly from: number
  readonly to: number
}

/** More cells than this make an answer slow and no picture better. */
const CELLS_READ = 6_000

/**
 * From the finest roll-ups that can be read in a moment, as many spans added up as make a bin no narrower than a column: a
 * sparse stream is shown to the column, a dense one as finely as its lanes allow.
 */
export function chooseBins(
  db: DatabaseSync,
  source: ReadSource,
  {from, to, columns}: {readonly from: number; readonly to: number; readonly columns: number},
): Bins {
  const coarsest = LEVELS_MS.length - 1
  const finest = source.cellsFrom !== undefined && from < source.cellsFrom ? LANE_LEVEL : 0
  const readable = [...LEVELS_MS.keys()].slice(finest).find((level) => {
    const span = {from: bucketOf(level, from), to: bucketOf(level, to - 1) + 1, limit: CELLS_READ}
    return !hasMoreCells(db, source, level, span)
  })
  return binsAt(readable ?? coarsest, {from, to, columns})
}

/** Bins of one level over a range. */
export function binsAt(
  level: number,
  {from, to, columns}: {readonly from: number; readonly to: number; readonly columns: number},
): Bins {
  const merged = Math.max(1, Math.ceil((to - from) / widthOf(level) / columns))
  const binMs = merged * widthOf(level)
  return {level, merged, binMs, from: Math.floor(from / binMs), to: Math.floor((to - 1) / binMs) + 1}
}

/** Counts and lines of a range from its roll-ups. They cover whole bins, so a little more than was asked for at either end. */
export function readBins(db: DatabaseSync, source: ReadSource, bins: Bins): Pick<TimelineRange, 'bins' | 'lanes'> {
  const {level, merged, binMs, from, to} = bins
  const cells = readCells(db, source, level, {from: from * merged, to: to * merged, limit: 2 * CELLS_READ})
  const lanes = chosenLanes(db, source, busiest(cells))
  const starts = valuesBefore(
    db,
    source,
    from * binMs,
    lanes.map(({id}) => id),
  )
  const byLane = grouped(cells)
  return {
    bins: [...lanes, {id: NO_LANE, name: ''}].flatMap(({id, name}) =>
      countsOf(byLane.get(id) ?? [], merged).map(([bin, count]) => ({lane: name, at: bin * binMs, count})),
    ),
    lanes: lanes
      .map((lane) => lineOf(lane, starts.get(lane.id), byLane.get(lane.id) ?? [], {merged, binMs}))
      .filter(({start, steps}) => start !== undefined || steps.length > 0),
  }
}

type Line = TimelineRange['lanes'][number]

function lineOf(
  {name}: NamedLane,
  start: number | undefined,
  cells: readonly ReadCell[],
  {merged, binMs}: {readonly merged: number; readonly binMs: number},
): Line {
  const last = new Map<number, number>()
  for (const [bucket, , , value] of cells) if (value !== null) last.set(Math.floor(bucket / merged), value)
  return {
    lane: name,
    ...(start === undefined || start === REMOVED ? {} : {start}),
    steps: [...last].map(([bin, value]) => ({at: (bin + 1) * binMs, value: value === REMOVED ? null : value})),
  }
}

function countsOf(cells: readonly ReadCell[], merged: number): readonly [bin: number, count: number][] {
  const counts = new Map<number, number>()
  for (const [bucket, , count] of cells) {
    const bin = Math.floor(bucket / merged)
    if (count > 0) counts.set(bin, (counts.get(bin) ?? 0) + count)
  }
  return [...counts]
}

function grouped(cells: readonly ReadCell[]): ReadonlyMap<number, readonly ReadCell[]> {
  const byLane = new Map<number, ReadCell[]>()
  for (const cell of cells) {
    const list = byLane.get(cell[1])
    if (list === undefined) byLane.set(cell[1], [cell])
    else list.push(cell)
  }
  return byLane
}

/** Lanes in which something happened, those in which most did first. */
function busiest(cells: readonly ReadCell[]): readonly number[] {
  const weights = new Map<number, number>()
  for (const [, lane, count] of cells) if (lane !== NO_LANE) weights.set(lane, (weights.get(lane) ?? 0) + count + 1)
  return [...weights].sort(([, a], [, b]) => b - a).map(([lane]) => lane)
}
