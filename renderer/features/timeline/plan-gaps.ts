import type {AttemptRow, GapRow} from '../../../shared/contract/rows.ts'
import type {Lane} from '../../../shared/timeline/lanes.ts'
import type {Place} from '../../../shared/timeline/place-labels.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {stepText} from '../../ui/format.ts'
import {beside, type ToneWish, wish} from './label-wish.ts'
import type {Mark} from './mark.ts'
import {isInView, type Scene, yOn} from './scene.ts'
import {gapSteps} from './timeline-data.ts'

export interface Planned {
  readonly marks: readonly Mark[]
  readonly wishes: readonly ToneWish[]
}

/**
 * Gaps: a band from where the gap was received to where its replacement was applied, and on each row what it did there.
 * Never binned; those of one column share a mark.
 */
export function planGaps(scene: Scene): Planned {
  const {data} = scene.input
  const known = new Set(data.gaps.map(({frame}) => frame))
  const unlisted = data.frames.filter(
    (frame) => frame.kind === 'gap' && frame.outcome !== 'malformed' && !known.has(frame.id),
  )
  const extents = [
    ...data.gaps
      .filter(({outcome}) => outcome !== 'malformed')
      .map((gap) => extentOf(gap, data.attempts, scene.input.now)),
    ...unlisted.map((frame) => ({
      frame: frame.id,
      gap: undefined,
      from: frame.receivedAt,
      to: frame.settledAt ?? frame.receivedAt,
      applied: false,
    })),
  ].filter(({from, to}) => to >= scene.input.window.from && from <= scene.input.window.to)
  const bands = planBands(scene, extents)
  const points = extents.flatMap((extent) => planSteps(scene, extent))
  return {
    marks: [...bands.marks, ...sharedByColumn(points.map(({mark}) => mark))],
    wishes: [...bands.wishes, ...points.map((point) => point.wish)],
  }
}

interface Extent {
  readonly frame: number
  readonly gap: GapRow | undefined
  readonly from: number
  readonly to: number
  /** The replacement became the durable position at `to`. */
  readonly applied: boolean
}

/** An open gap reaches to now; one that failed, to the end of its last run. */
function extentOf(gap: GapRow, attempts: readonly AttemptRow[], now: number): Extent {
  const from = gap.receivedAt
  if (gap.appliedAt !== undefined)
    return {frame: gap.frame, gap, from, to: Math.max(gap.appliedAt, from), applied: true}
  if (gap.outcome === 'pending') return {frame: gap.frame, gap, from, to: Math.max(now, from), applied: false}
  const ends = attempts.filter(({frame}) => frame === gap.frame).map(({endedAt, startedAt}) => endedAt ?? startedAt)
  return {frame: gap.frame, gap, from, to: Math.max(from, ...ends), applied: false}
}

function planBands(scene: Scene, extents: readonly Extent[]): Planned {
  const {time} = scene
  const bands = new Map<string, Mark & {readonly kind: 'gapBand'; readonly frames: number[]}>()
  const wishes: ToneWish[] = []
  const [, row] = scene.lanes
  if (row === undefined) return {marks: [], wishes: []}
  const {top} = row
  for (const {frame, gap, from, to, applied} of extents) {
    const [x0, x1] = [Math.max(xOf(time, from), time.left), Math.min(xOf(time, to), time.right)]
    const place = `${Math.floor(x0)}/${Math.floor(x1)}`
    const there = bands.get(place)
    if (there !== undefined) {
      there.frames.push(frame)
      continue
    }
    const edges = {received: isInView(scene, from), applied: applied && isInView(scene, to)}
    bands.set(place, {kind: 'gapBand', x0, x1, top, bottom: scene.bottom, edges, gap, at: from, frames: [frame]})
    const text = gap?.outcome === 'unmoved' ? 'gap, nothing moved' : 'gap'
    const width = text.length * scene.input.type.charPx
    wishes.push(wish('gap', text, 'gap', bandPlaces(x0, x1, row, width)))
  }
  return {marks: [...bands.values()], wishes}
}

/** In the band where it is wide enough, else left of it and low: before a gap that goes back, the line stands high. */
function bandPlaces(x0: number, x1: number, row: Lane, width: number): readonly Place[] {
  const [high, low] = [row.top + 9, row.top + row.height - 10]
  const leftOf = [low, high].map((y): Place => ({x: x0 - 5, end: 'right', y}))
  return x1 - x0 > width + 8
    ? [{x: x0 + 5, end: 'left', y: high}, ...leftOf]
    : [...leftOf, {x: x1 + 5, end: 'left', y: high}]
}

interface StepMark {
  readonly mark: Mark & {readonly kind: 'replaced' | 'removed'}
  readonly wish: ToneWish
}

/** Only what was applied: until then the old position is what everyone sees. */
function planSteps(scene: Scene, {frame, gap, to, applied}: Extent): readonly StepMark[] {
  if (gap === undefined || !applied || !isInView(scene, to)) return []
  const x = xOf(scene.time, to)
  return gapSteps(gap).flatMap(([key, before, after]): readonly StepMark[] => {
    if (!scene.values.has(key)) return []
    if (after !== null) return [replaced(scene, {key, x, at: to, frame}, before ?? undefined, after)]
    return before === null ? [] : [removed(scene, {key, x, at: to, frame}, before)]
  })
}

interface Spot {
  readonly key: string
  readonly x: number
  readonly at: number
  readonly frame: number
}

function replaced(scene: Scene, {key, x, at, frame}: Spot, before: number | undefined, after: number): StepMark {
  const y = (yOn(scene, key, before ?? after) + yOn(scene, key, after)) / 2
  return {
    mark: {kind: 'replaced', key, x, y, before, after, at, frames: [frame]},
    wish: wish('replaced', stepText(before ?? null, after), 'gap', beside(x - 4, x + 4, y)),
  }
}

function removed(scene: Scene, {key, x, at, frame}: Spot, before: number): StepMark {
  const y = yOn(scene, key, before)
  return {
    mark: {kind: 'removed', key, x, y, before, at, frames: [frame]},
    wish: wish('removed', stepText(before, null), 'gap', beside(x - 4, x + 4, y)),
  }
}

function sharedByColumn(marks: ReadonlyArray<StepMark['mark']>): readonly Mark[] {
  const shared = new Map<string, StepMark['mark']>()
  for (const mark of marks) {
    const place = `${mark.kind}/${mark.key}/${Math.floor(mark.x)}`
    const there = shared.get(place)
    shared.set(place, there === undefined ? mark : {...mark, frames: [...there.frames, ...mark.frames]})
  }
  return [...shared.values()]
}
