import type {Mark} from './mark.ts'
import {paintActivity, paintBoundary, paintGeneration, paintHole, paintNumbering} from './paint-cursors.ts'
import {paintFrame, paintRemoved, paintReplaced, paintSelected} from './paint-points.ts'
import {paintBand, paintPruned, paintSelectedBand, paintSpan, paintStrip, paintUnwatched} from './paint-stretches.ts'
import {LABEL_INSET_PX} from './plan-lines.ts'
import {GUTTER_PX, RULER_PX} from './scene.ts'
import type {Surface} from './surface.ts'

/** Draws marks in the order given. Decides nothing: what is shown, and where, stands in the marks. */
export function paintTimeline(surface: Surface, marks: readonly Mark[]): void {
  const {context, width, height, palette} = surface
  context.fillStyle = palette.background
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  // Each painter takes the marks of its own key; TypeScript cannot follow a key through a union.
  for (const mark of marks) PAINTERS[mark.kind](surface, mark as never)
}

type Of<Kind extends Mark['kind']> = Extract<Mark, {kind: Kind}>

/** A mapped type: a new kind of mark stops the compile here. */
const PAINTERS: {readonly [Kind in Mark['kind']]: (surface: Surface, mark: Of<Kind>) => void} = {
  grid: paintGrid,
  lane: paintLane,
  unwatched: paintUnwatched,
  pruned: paintPruned,
  strip: paintStrip,
  stepLine: paintStepLine,
  density: paintDensity,
  frame: paintFrame,
  echo: paintEcho,
  link: paintLink,
  gapBand: paintBand,
  replaced: paintReplaced,
  removed: paintRemoved,
  span: paintSpan,
  generation: paintGeneration,
  numbering: paintNumbering,
  boundary: paintBoundary,
  hole: paintHole,
  activity: paintActivity,
  label: paintLabel,
  now: paintUpright,
  moment: paintUpright,
  selected: paintSelected,
  selectedBand: paintSelectedBand,
}

function paintGrid({context, palette, height}: Surface, {x, label}: Of<'grid'>): void {
  context.fillStyle = palette.grid
  context.fillRect(Math.round(x), RULER_PX - 6, 1, height - RULER_PX + 6)
  context.font = palette.font
  context.fillStyle = palette.tones.muted
  context.textAlign = 'left'
  context.fillText(label, Math.round(x) + LABEL_INSET_PX, RULER_PX / 2)
}

function paintLane({context, palette, width}: Surface, {top, bottom, name, value}: Of<'lane'>): void {
  context.fillStyle = palette.hairline
  context.fillRect(0, bottom - 1, width, 1)
  const middle = (top + bottom) / 2
  context.font = palette.font
  context.textAlign = 'left'
  context.fillStyle = palette.tones.muted
  context.fillText(name, 10, middle, GUTTER_PX - 24)
  if (value === '') return
  context.textAlign = 'right'
  context.fillStyle = palette.tones.text
  context.fillText(value, GUTTER_PX - 10, middle)
}

function paintStepLine({context, palette}: Surface, {pieces}: Of<'stepLine'>): void {
  context.strokeStyle = palette.tones.line
  context.lineWidth = 1.5
  context.beginPath()
  for (const piece of pieces) {
    for (const [i, [x, y]] of piece.entries()) {
      if (i === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
  }
  context.stroke()
}

/** One path a row, however many bars. */
function paintDensity({context, palette}: Surface, {bars, bottom}: Of<'density'>): void {
  context.fillStyle = palette.tones.handled
  context.globalAlpha = 0.32
  context.beginPath()
  for (const {x, height} of bars) context.rect(x, bottom - height, 1, height)
  context.fill()
  context.globalAlpha = 1
}

function paintEcho({context, palette}: Surface, {x, y}: Of<'echo'>): void {
  context.fillStyle = palette.tones.line
  context.fillRect(x - 0.75, y - 4, 1.5, 8)
}

function paintLink({context, palette}: Surface, {x0, y0, x1, y1}: Of<'link'>): void {
  context.strokeStyle = palette.tones.rejected
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x0, y0)
  context.lineTo(x1, y1)
  context.stroke()
}

/** A rim of background keeps words readable over lines. */
function paintLabel({context, palette}: Surface, {x, y, text, tone, strong}: Of<'label'>): void {
  context.font = strong ? palette.labelFont : palette.font
  context.textAlign = 'left'
  context.strokeStyle = palette.background
  context.lineWidth = 4
  context.strokeText(text, x, y)
  context.fillStyle = palette.tones[tone]
  context.fillText(text, x, y)
}

function paintUpright({context, palette, height}: Surface, {kind, x}: Of<'now' | 'moment'>): void {
  context.strokeStyle = kind === 'now' ? palette.tones.line : palette.tones.muted
  context.lineWidth = 1
  context.setLineDash(kind === 'now' ? [2, 3] : [])
  context.beginPath()
  context.moveTo(Math.round(x) + 0.5, RULER_PX - 6)
  context.lineTo(Math.round(x) + 0.5, height)
  context.stroke()
  context.setLineDash([])
}
