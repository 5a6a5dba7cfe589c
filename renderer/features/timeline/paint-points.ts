import {assertNever} from '../../../shared/base/assert-never.ts'
import type {FrameShape, Mark, Tone} from './mark.ts'
import type {Surface} from './surface.ts'

type Of<Kind extends Mark['kind']> = Extract<Mark, {kind: Kind}>

const TONES: Readonly<Record<FrameShape, Tone>> = {
  dot: 'handled',
  speck: 'handled',
  diamond: 'pending',
  ring: 'rejected',
  chevrons: 'pending',
  square: 'discarded',
  cross: 'malformed',
  waiting: 'pending',
  tick: 'muted',
  ignored: 'muted',
}

const HOLLOW: ReadonlySet<FrameShape> = new Set(['diamond', 'ring', 'square', 'waiting'])

const RADIUS_PX = 3.5

export function paintFrame({context, palette}: Surface, {shape, x, y}: Of<'frame'>): void {
  context.strokeStyle = palette.tones[TONES[shape]]
  context.lineWidth = 1.75
  context.beginPath()
  outline(context, shape, x, y)
  // Shapes that stand for something not done are hollow: filled with the ground, so that no line shows through.
  const whole = shape === 'dot' || shape === 'speck'
  context.fillStyle = whole ? palette.tones.handled : palette.background
  if (whole) context.fill()
  else {
    if (HOLLOW.has(shape)) context.fill()
    if (shape === 'waiting') context.setLineDash([2, 2])
    context.stroke()
    context.setLineDash([])
  }
}

function outline(context: CanvasRenderingContext2D, shape: FrameShape, x: number, y: number): void {
  switch (shape) {
    case 'dot':
      context.arc(x, y, RADIUS_PX, 0, Math.PI * 2)
      return
    case 'speck':
      context.arc(x, y, 2.25, 0, Math.PI * 2)
      return
    case 'diamond':
      context.moveTo(x, y - 5)
      context.lineTo(x + 5, y)
      context.lineTo(x, y + 5)
      context.lineTo(x - 5, y)
      context.closePath()
      return
    case 'ring':
    case 'waiting':
      context.arc(x, y, RADIUS_PX + 0.75, 0, Math.PI * 2)
      return
    case 'chevrons':
      chevron(context, x - 4, y)
      chevron(context, x + 1, y)
      return
    case 'square':
      context.rect(x - RADIUS_PX, y - RADIUS_PX, RADIUS_PX * 2, RADIUS_PX * 2)
      return
    case 'cross':
      cross(context, x, y, RADIUS_PX + 0.5)
      return
    case 'tick':
      context.moveTo(x, y - 3)
      context.lineTo(x, y + 3)
      return
    case 'ignored':
      context.moveTo(x, y - 10)
      context.lineTo(x, y - 5)
      return
    default:
      assertNever(shape)
  }
}

function chevron(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.moveTo(x, y - 4)
  context.lineTo(x + 4, y)
  context.lineTo(x, y + 4)
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, reach: number): void {
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.moveTo(x - reach, y + reach)
  context.lineTo(x + reach, y - reach)
}

export function paintReplaced({context, palette}: Surface, {x, y, before, after}: Of<'replaced'>): void {
  const down = before !== undefined && after < before ? 1 : -1
  context.fillStyle = palette.tones.gap
  context.beginPath()
  context.moveTo(x - 5, y - 4 * down)
  context.lineTo(x + 5, y - 4 * down)
  context.lineTo(x, y + 5 * down)
  context.fill()
}

export function paintRemoved({context, palette}: Surface, {x, y}: Of<'removed'>): void {
  context.lineWidth = 4.5
  context.strokeStyle = palette.background
  context.beginPath()
  cross(context, x, y, 4.5)
  context.stroke()
  context.lineWidth = 2.25
  context.strokeStyle = palette.tones.gap
  context.stroke()
}

export function paintSelected({context, palette}: Surface, {x, y}: Of<'selected'>): void {
  context.strokeStyle = palette.tones.text
  context.lineWidth = 1.5
  context.beginPath()
  context.arc(x, y, 8.5, 0, Math.PI * 2)
  context.stroke()
}
