import {
  clampSpan,
  type Interval,
  instantAt,
  panBy,
  reveal,
  spanMs,
  zoomAbout,
} from '../../../shared/timeline/time-scale.ts'
import {timeScaleOf} from './scene.ts'

/** What stretch of time is shown: one whose right edge sticks to now, or one the reader chose. */
export type TimelineView =
  | {readonly kind: 'live'; readonly spanMs: number}
  | {readonly kind: 'scrubbed'; readonly window: Interval}

export const FIRST_VIEW: TimelineView = {kind: 'live', spanMs: 60_000}

/** Now stands a little left of the edge, so that what arrives is seen whole. A share of the span. */
const AHEAD = 0.03

export function windowOf(view: TimelineView, now: number): Interval {
  if (view.kind === 'scrubbed') return view.window
  const to = now + view.spanMs * AHEAD
  return {from: to - view.spanMs, to}
}

export function spanOf(view: TimelineView): number {
  return view.kind === 'live' ? view.spanMs : view.window.to - view.window.from
}

/** Where and when something is done to a view: `width` and `x` in CSS px. */
export interface ViewContext {
  readonly now: number
  readonly width: number
}

/** By wheel: the instant under the pointer stays, so that a live view stops following. */
export function zoomAt(view: TimelineView, {now, width}: ViewContext, x: number, factor: number): TimelineView {
  const scale = zoomAbout(timeScaleOf(windowOf(view, now), width), x, factor)
  return {kind: 'scrubbed', window: {from: scale.from, to: scale.to}}
}

/** By key or button: a live view keeps its edge, another its middle. */
export function zoomBy(view: TimelineView, factor: number): TimelineView {
  return withSpan(view, spanOf(view) / factor)
}

export function withSpan(view: TimelineView, span: number): TimelineView {
  const clamped = clampSpan(span)
  if (view.kind === 'live') return {kind: 'live', spanMs: clamped}
  const middle = (view.window.from + view.window.to) / 2
  return {kind: 'scrubbed', window: {from: middle - clamped / 2, to: middle + clamped / 2}}
}

export function panned(view: TimelineView, {now, width}: ViewContext, pixels: number): TimelineView {
  const scale = panBy(timeScaleOf(windowOf(view, now), width), pixels)
  return {kind: 'scrubbed', window: {from: scale.from, to: scale.to}}
}

/** Brings an instant into view; nothing moves where it is in view already. */
export function showing(view: TimelineView, {now, width}: ViewContext, at: number): TimelineView {
  const window = windowOf(view, now)
  if (at >= window.from && at <= window.to) return view
  const scale = reveal(timeScaleOf(window, width), at)
  return {kind: 'scrubbed', window: {from: scale.from, to: scale.to}}
}

export function following(view: TimelineView): TimelineView {
  return view.kind === 'live' ? view : {kind: 'live', spanMs: spanOf(view)}
}

export function stopped(view: TimelineView, now: number): TimelineView {
  return view.kind === 'scrubbed' ? view : {kind: 'scrubbed', window: windowOf(view, now)}
}

export function instantUnder(view: TimelineView, {now, width}: ViewContext, x: number): number {
  return instantAt(timeScaleOf(windowOf(view, now), width), x)
}

/** Values at the edge and the age of what is open go on also where a pixel is minutes wide, and for who asked for less motion. */
const LONGEST_PAUSE_MS = 1_000

/**
 * How long a picture stays, in ms: until it has moved on by a pixel.
 *
 * @param stepping - the reader asked for less motion: it stands still and steps, instead of gliding
 */
export function pauseBetween(view: TimelineView, context: ViewContext, stepping: boolean): number {
  return stepping ? LONGEST_PAUSE_MS : Math.min(msPerPixel(view, context), LONGEST_PAUSE_MS)
}

/** How long a pixel is, in ms: what moves by less need not be drawn again. */
function msPerPixel(view: TimelineView, {now, width}: ViewContext): number {
  const scale = timeScaleOf(windowOf(view, now), width)
  return spanMs(scale) / (scale.right - scale.left)
}
