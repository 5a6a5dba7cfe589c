import type {Mark, StripState, Tone} from './mark.ts'
import {RULER_PX} from './scene.ts'
import type {Surface} from './surface.ts'

type Of<Kind extends Mark['kind']> = Extract<Mark, {kind: Kind}>

const STRIP_TONES: Readonly<Record<StripState, Tone>> = {
  fresh: 'fresh',
  unbeaten: 'fresh',
  stale: 'waiting',
  connecting: 'muted',
  waiting: 'waiting',
  stopped: 'muted',
  held: 'rejected',
}

/** The dash of a strip tells its state without its colour; whole where the connection is well, hollow where it is stopped. */
const STRIP_DASHES: Readonly<Record<StripState, readonly number[]>> = {
  fresh: [],
  unbeaten: [],
  stale: [7, 3],
  connecting: [2, 2],
  waiting: [3, 3],
  stopped: [],
  held: [10, 2, 2, 2],
}

const STRIP_PX = 6

export function paintStrip({context, palette}: Surface, {x0, x1, y, state}: Of<'strip'>): void {
  context.strokeStyle = palette.tones[STRIP_TONES[state]]
  // A pixel of air between two states.
  const [from, to] = [x0, Math.max(x1 - 1, x0 + 0.5)]
  if (state === 'stopped') {
    context.lineWidth = 1
    context.strokeRect(from + 0.5, y - STRIP_PX / 2 + 0.5, Math.max(to - from - 1, 0.5), STRIP_PX - 1)
    return
  }
  context.lineWidth = state === 'unbeaten' || state === 'connecting' ? 2 : STRIP_PX
  context.globalAlpha = state === 'fresh' ? 0.65 : 1
  context.setLineDash([...STRIP_DASHES[state]])
  horizontal(context, from, to, y)
  context.setLineDash([])
  context.globalAlpha = 1
}

/** Open where it is pending: dashed, with no end. */
export function paintSpan({context, palette}: Surface, {x0, x1, y, attempt}: Of<'span'>): void {
  const failed = attempt.state === 'rejected' || attempt.state === 'timedOut' || attempt.state === 'aborted'
  const tone: Tone = failed ? 'rejected' : attempt.callback === 'onGap' ? 'gap' : 'handled'
  context.strokeStyle = palette.tones[attempt.state === 'pending' && attempt.callback === 'onEvent' ? 'pending' : tone]
  context.lineWidth = 7
  context.setLineDash(attempt.state === 'pending' ? [4, 3] : [])
  horizontal(context, x0, x1, y)
  context.setLineDash([])
}

export function paintBand(surface: Surface, {edges, ...band}: Of<'gapBand'>): void {
  paintBackward(surface, band, {begun: edges.received, over: edges.applied})
}

/** What takes a cursor back, from the edge where it came to the dashed one where it was done. */
export function paintBackward(
  {context, palette}: Surface,
  {x0, x1, top, bottom}: Pick<Of<'gapBand'>, 'x0' | 'x1' | 'top' | 'bottom'>,
  edges: {readonly begun: boolean; readonly over: boolean},
): void {
  context.fillStyle = palette.tones.gap
  context.globalAlpha = 0.16
  context.fillRect(x0, top, x1 - x0, bottom - top)
  context.globalAlpha = 1
  context.strokeStyle = palette.tones.gap
  context.lineWidth = 1.5
  if (edges.begun) vertical(context, x0, top, bottom)
  if (!edges.over) return
  context.setLineDash([4, 3])
  vertical(context, x1, top, bottom)
  context.setLineDash([])
}

/** A thick rail above and below: its edges keep their own meaning. */
export function paintSelectedBand({context, palette}: Surface, {x0, x1, top, bottom}: Of<'selectedBand'>): void {
  context.strokeStyle = palette.tones.text
  context.lineWidth = 3
  horizontal(context, x0 - 1, Math.max(x1, x0 + 4) + 1, top)
  horizontal(context, x0 - 1, Math.max(x1, x0 + 4) + 1, bottom - 1.5)
}

/** Hatched: nothing is claimed about this time. */
export function paintUnwatched({context, palette, height}: Surface, {x0, x1}: Of<'unwatched'>): void {
  context.save()
  context.beginPath()
  context.rect(x0, RULER_PX, x1 - x0, height - RULER_PX)
  context.clip()
  context.strokeStyle = palette.tones.muted
  context.globalAlpha = 0.28
  context.lineWidth = 1
  context.beginPath()
  const tall = height - RULER_PX
  for (let x = Math.floor((x0 - tall) / 9) * 9; x < x1; x += 9) {
    context.moveTo(x, height)
    context.lineTo(x + tall, RULER_PX)
  }
  context.stroke()
  context.restore()
}

/** Dotted under the ruler, as far as no frames are left. */
export function paintPruned({context, palette}: Surface, {x0, x1}: Of<'pruned'>): void {
  context.strokeStyle = palette.tones.muted
  context.lineWidth = 2
  context.setLineDash([1, 4])
  horizontal(context, x0, x1, RULER_PX + 1)
  context.setLineDash([])
}

function horizontal(context: CanvasRenderingContext2D, x0: number, x1: number, y: number): void {
  context.beginPath()
  context.moveTo(x0, y)
  context.lineTo(x1, y)
  context.stroke()
}

function vertical(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  context.beginPath()
  context.moveTo(x, top)
  context.lineTo(x, bottom)
  context.stroke()
}
