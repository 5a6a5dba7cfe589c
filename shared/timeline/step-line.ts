import {type Interval, type TimeScale, xOf} from './time-scale.ts'

/** A coordinate's value over time. Only durable, acknowledged values. */
export interface StepLine {
  /** The value before the first step; `undefined` where it was not held. */
  readonly start: number | undefined
  /** By time, ascending. A step to `undefined` removes the coordinate. */
  readonly steps: readonly ValueStep[]
}

export interface ValueStep {
  readonly at: number
  readonly value: number | undefined
}

/** A step of a move that a known frame made. */
export interface FrameStep extends ValueStep {
  readonly frame: number | undefined
}

/**
 * Steps by time, so that the last one is the latest move. Where the wall clock was set back, moves made before have later
 * instants than moves made after; those are taken to have happened by the instant of the next one, as the clock now has it.
 *
 * @param steps - in any order; those without a frame are ordered by their instant alone
 */
export function stepsInOrder(steps: readonly FrameStep[]): readonly FrameStep[] {
  if (steps.every((step, i) => i === 0 || isAfter(step, steps[i - 1]))) return steps // nearly always
  const moves = steps.filter(({frame}) => frame !== undefined).sort((a, b) => (a.frame ?? 0) - (b.frame ?? 0))
  let next = Number.POSITIVE_INFINITY
  const inTime = moves.toReversed().map((step) => {
    next = Math.min(next, step.at)
    return {...step, at: next}
  })
  const unnamed = steps.filter(({frame}) => frame === undefined)
  return [...unnamed, ...inTime.reverse()].sort((a, b) => a.at - b.at)
}

function isAfter(step: FrameStep, before: FrameStep | undefined): boolean {
  if (before === undefined) return true
  const inFrames = step.frame === undefined || before.frame === undefined || step.frame >= before.frame
  return step.at >= before.at && inFrames
}

/** Values laid over a lane's height. A larger value stands higher, so that a step back goes down. */
export interface ValueScale {
  readonly least: number
  readonly most: number
  /** CSS px of the largest and of the smallest value. */
  readonly top: number
  readonly bottom: number
}

/** [x, y] in CSS px. */
export type Point = readonly [x: number, y: number]
export type Polyline = readonly Point[]

/** The smallest and largest value a line has inside the interval, its value at the start included. */
export function valuesIn(line: StepLine, interval: Interval): readonly [least: number, most: number] | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const see = (value: number | undefined) => {
    if (value === undefined) return
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  see(valueAt(line, interval.from))
  for (let i = firstAfter(line.steps, interval.from); i < line.steps.length; i++) {
    const step = line.steps[i]
    if (step === undefined || step.at > interval.to) break
    see(step.value)
  }
  return least > most ? undefined : [least, most]
}

/** A line that never moved lies in the middle of its lane. */
export function yOfValue(scale: ValueScale, value: number): number {
  if (scale.most === scale.least) return (scale.top + scale.bottom) / 2
  return scale.bottom - ((value - scale.least) / (scale.most - scale.least)) * (scale.bottom - scale.top)
}

/** The value in force at an instant: a step counts from its own instant on. */
export function valueAt(line: StepLine, at: number): number | undefined {
  const after = firstAfter(line.steps, at)
  return after === 0 ? line.start : line.steps[after - 1]?.value
}

/**
 * The line inside one interval of the window as drawable pieces: flat, then straight up or down. A removed coordinate ends
 * its piece. Steps that fall into one column of pixels become one upright stroke over all their values, so that a step
 * back is never lost and the points are bounded by the width.
 */
export function drawSteps(
  line: StepLine,
  time: TimeScale,
  values: ValueScale,
  interval: Interval,
): readonly Polyline[] {
  const pieces: Point[][] = []
  let piece: Point[] = []
  let held = valueAt(line, interval.from)
  if (held !== undefined) piece.push([xOf(time, interval.from), yOfValue(values, held)])
  for (const column of columnsOf(line, time, interval)) {
    if (held !== undefined) piece.push([column.x, yOfValue(values, held)])
    if (column.values.length > 1) piece.push(...extremes(column, values))
    held = column.ends
    if (held !== undefined) piece.push([column.x, yOfValue(values, held)])
    else {
      pieces.push(piece)
      piece = []
    }
  }
  if (held !== undefined) piece.push([xOf(time, interval.to), yOfValue(values, held)])
  return [...pieces, piece].filter((points) => points.length > 1)
}

interface Column {
  readonly x: number
  /** The least and the most of several values; one value where there is one. */
  readonly values: readonly number[]
  readonly ends: number | undefined
}

function columnsOf(line: StepLine, time: TimeScale, interval: Interval): readonly Column[] {
  const columns: Column[] = []
  for (let i = firstAfter(line.steps, interval.from); i < line.steps.length; i++) {
    const step = line.steps[i]
    if (step === undefined || step.at > interval.to) break
    const x = xOf(time, step.at)
    const last = columns.at(-1)
    if (last === undefined || Math.floor(last.x) !== Math.floor(x)) {
      columns.push({x, values: step.value === undefined ? [] : [step.value], ends: step.value})
    } else columns[columns.length - 1] = widen(last, step.value)
  }
  return columns
}

function widen(column: Column, value: number | undefined): Column {
  const seen = [
    ...column.values,
    ...(column.ends === undefined ? [] : [column.ends]),
    ...(value === undefined ? [] : [value]),
  ]
  return {x: column.x, values: seen.length === 0 ? [] : [Math.min(...seen), Math.max(...seen)], ends: value}
}

function extremes(column: Column, values: ValueScale): readonly Point[] {
  return column.values.map((value): Point => [column.x, yOfValue(values, value)])
}

/** The index of the first step after an instant, by halving. */
function firstAfter(steps: readonly ValueStep[], at: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
