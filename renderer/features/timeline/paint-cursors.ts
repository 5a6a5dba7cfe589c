import type {ActivityRow} from '../../../shared/contract/rows.ts'
import type {Mark, Tone} from './mark.ts'
import {paintBackward} from './paint-stretches.ts'
import type {Surface} from './surface.ts'

type Of<Kind extends Mark['kind']> = Extract<Mark, {kind: Kind}>

/** A generation's band. Its edge is dashed where another one took its place: what came last in it was not seen. */
export function paintGeneration({context, palette}: Surface, {x0, x1, top, bottom, ended}: Of<'generation'>): void {
  context.fillStyle = palette.tones.line
  context.globalAlpha = 0.1
  context.fillRect(x0, top, x1 - x0, bottom - top)
  context.globalAlpha = 1
  if (!ended) return
  context.strokeStyle = palette.tones.muted
  context.lineWidth = 1.5
  context.setLineDash([3, 3])
  stroke(context, [
    [x1, top],
    [x1, bottom],
  ])
  context.setLineDash([])
}

/** As a gap's band, and the triangle points the way the cursor went; hollow where it stayed. */
export function paintNumbering(surface: Surface, mark: Of<'numbering'>): void {
  const {x1, y, edges, numbering} = mark
  const {context, palette} = surface
  paintBackward(surface, mark, {begun: edges.received, over: edges.decided})
  if (!edges.decided) return
  context.beginPath()
  context.moveTo(x1 - 5, y - 4)
  context.lineTo(x1 + 5, y - 4)
  context.lineTo(x1, y + 5)
  context.closePath()
  if (numbering.decision === 'kept') context.fillStyle = palette.background
  context.fill()
  if (numbering.decision === 'kept') context.stroke()
}

export function paintBoundary({context, palette}: Surface, {x, top, bottom}: Of<'boundary'>): void {
  context.strokeStyle = palette.tones.muted
  context.lineWidth = 1
  stroke(context, [
    [Math.round(x) + 0.5, top],
    [Math.round(x) + 0.5, bottom],
  ])
}

/** The step is taken out of the line, and two slants say that it is broken. */
export function paintHole({context, palette}: Surface, {x, y0, y1}: Of<'hole'>): void {
  context.strokeStyle = palette.background
  context.lineWidth = 5
  stroke(context, [
    [x, y0],
    [x, y1],
  ])
  context.strokeStyle = palette.tones.pending
  context.lineWidth = 1.75
  context.setLineDash([2, 2])
  stroke(context, [
    [x, y0],
    [x, y1],
  ])
  context.setLineDash([])
  const middle = (y0 + y1) / 2
  for (const y of [middle - 2, middle + 2])
    stroke(context, [
      [x - 4, y + 2],
      [x + 4, y - 2],
    ])
}

const STATE_TONES: Readonly<Record<ActivityRow['state'], Tone | undefined>> = {
  open: undefined,
  ended: undefined,
  aborted: undefined,
  failed: 'rejected',
  notSeen: undefined,
}

const KIND_TONES: Readonly<Record<ActivityRow['kind'], Tone>> = {
  turn: 'muted',
  message: 'line',
  tool: 'handled',
  bash: 'handled',
  compaction: 'discarded',
  retry: 'pending',
}

/** How far before its right end an end that is not known fades. CSS px. */
const FADES_PX = 12

/** Each kind has its own form: a bracket, a hollow bar, a bar, a bar in two, a wedge, dots. */
export function paintActivity({context, palette}: Surface, mark: Of<'activity'>): void {
  const {x0, x1, y, activity} = mark
  const tone = STATE_TONES[activity.state] ?? KIND_TONES[activity.kind]
  context.strokeStyle = palette.tones[tone]
  context.fillStyle = palette.tones[tone]
  const known = activity.state === 'ended' || activity.state === 'aborted' || activity.state === 'failed'
  const solid = known ? x1 : Math.max(x0 + 1, x1 - FADES_PX)
  paintBody(context, mark, solid)
  if (!known) paintOpenEnd(context, solid, Math.max(x1, solid + 6), y)
  if (activity.state === 'failed') paintCross(context, x1, y)
}

function paintBody(context: CanvasRenderingContext2D, {x0, y, activity}: Of<'activity'>, x1: number): void {
  context.lineWidth = 1.5
  switch (activity.kind) {
    case 'turn':
      stroke(context, [
        [x0, y + 4],
        [x0, y],
        [x1, y],
        [x1, y + 4],
      ])
      return
    case 'message':
      context.strokeRect(x0 + 0.75, y - 3, Math.max(x1 - x0 - 1.5, 1), 6)
      return
    case 'tool':
      context.fillRect(x0, y - 3.5, x1 - x0, 7)
      return
    case 'bash':
      context.fillRect(x0, y - 3.5, x1 - x0, 2.5)
      context.fillRect(x0, y + 1, x1 - x0, 2.5)
      return
    case 'compaction':
      context.beginPath()
      context.moveTo(x0, y - 4.5)
      context.lineTo(x1, y)
      context.lineTo(x0, y + 4.5)
      context.fill()
      return
    case 'retry':
      context.lineWidth = 4
      context.setLineDash([3, 3])
      stroke(context, [
        [x0, y],
        [x1, y],
      ])
      context.setLineDash([])
      return
  }
}

function paintOpenEnd(context: CanvasRenderingContext2D, x0: number, x1: number, y: number): void {
  context.lineWidth = 2
  context.setLineDash([2, 2])
  stroke(context, [
    [x0, y],
    [x1, y],
  ])
  context.setLineDash([])
}

function paintCross(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.lineWidth = 1.75
  stroke(context, [
    [x - 3.5, y - 3.5],
    [x + 3.5, y + 3.5],
  ])
  stroke(context, [
    [x - 3.5, y + 3.5],
    [x + 3.5, y - 3.5],
  ])
}

function stroke(context: CanvasRenderingContext2D, points: ReadonlyArray<readonly [x: number, y: number]>): void {
  context.beginPath()
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.stroke()
}
