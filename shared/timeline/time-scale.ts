import type {Brand} from '../base/brand.ts'
import {type EpochMs, epochMs} from '../base/units.ts'

/** CSS pixels from the left (or upper) edge of the timeline. Multiply by the device's ratio only at the canvas. */
export type Px = Brand<number, 'Px'>

/** The one cast that makes a pixel. */
export function px(value: number): Px {
  return value as Px
}

/** A window of time laid over a stretch of pixels. `to` is after `from`, `right` is right of `left`. */
export interface TimeScale {
  readonly from: EpochMs
  readonly to: EpochMs
  readonly left: Px
  readonly right: Px
}

/** A stretch of time, in ms since the epoch. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** Below this the wall clock's own milliseconds would be wider than a lane is high. */
export const SHORTEST_SPAN_MS = 20
export const LONGEST_SPAN_MS = 366 * 24 * 3_600_000

export function xOf(scale: TimeScale, at: number): Px {
  return px(scale.left + ((at - scale.from) / (scale.to - scale.from)) * (scale.right - scale.left))
}

export function instantAt(scale: TimeScale, x: number): EpochMs {
  return epochMs(scale.from + ((x - scale.left) / (scale.right - scale.left)) * (scale.to - scale.from))
}

export function spanMs(scale: TimeScale): number {
  return scale.to - scale.from
}

/** The instant under `x` stays where it is. A `factor` above 1 comes closer. */
export function zoomAbout(scale: TimeScale, x: number, factor: number): TimeScale {
  const kept = instantAt(scale, x)
  const span = clampSpan(spanMs(scale) / factor)
  const from = kept - ((x - scale.left) / (scale.right - scale.left)) * span
  return {...scale, from: epochMs(from), to: epochMs(from + span)}
}

/** What was under the pointer goes with it: positive pixels bring earlier time into view. */
export function panBy(scale: TimeScale, pixels: number): TimeScale {
  const shift = (pixels / (scale.right - scale.left)) * spanMs(scale)
  return {...scale, from: epochMs(scale.from - shift), to: epochMs(scale.to - shift)}
}

/** The same span, moved as little as shows the instant with a tenth of the window beside it. */
export function reveal(scale: TimeScale, at: number): TimeScale {
  const margin = spanMs(scale) / 10
  if (at < scale.from + margin) return startAt(scale, at - margin)
  if (at > scale.to - margin) return startAt(scale, at + margin - spanMs(scale))
  return scale
}

export function clampSpan(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_SPAN_MS), LONGEST_SPAN_MS)
}

function startAt(scale: TimeScale, from: number): TimeScale {
  return {...scale, from: epochMs(from), to: epochMs(from + spanMs(scale))}
}
