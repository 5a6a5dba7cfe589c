import {type Box, placeLabels} from '../../../shared/timeline/place-labels.ts'
import type {Point, Polyline} from '../../../shared/timeline/step-line.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import type {ToneWish} from './label-wish.ts'
import type {Mark} from './mark.ts'
import {planActivities} from './plan-activities.ts'
import {planCallbacks} from './plan-callbacks.ts'
import {planConnection} from './plan-connection.ts'
import {planFrames} from './plan-frames.ts'
import {planGaps} from './plan-gaps.ts'
import {planGenerations} from './plan-generations.ts'
import {planHoles} from './plan-holes.ts'
import {planGround, planGroundLabels, planStepLines} from './plan-lines.ts'
import {planNumberings} from './plan-numberings.ts'
import {isInView, layScene, RULER_PX, type Scene, type TimelineInput} from './scene.ts'

/**
 * Everything the timeline shows, as a list of marks in the order of painting. Pure; the work is linear in the rows given,
 * the number of marks bounded by rows times columns of pixels.
 */
export function planTimeline(input: TimelineInput): readonly Mark[] {
  const scene = layScene(input)
  const connection = planConnection(scene)
  const gaps = planGaps(scene)
  const callbacks = planCallbacks(scene)
  const generations = planGenerations(scene)
  const numberings = planNumberings(scene)
  const holes = planHoles(scene)
  const activities = planActivities(scene)
  const frames = planFrames(scene)
  const density = frames.filter(({kind}) => kind === 'density')
  const bands = gaps.marks.filter(({kind}) => kind === 'gapBand')
  const points = gaps.marks.filter(({kind}) => kind !== 'gapBand')
  const lines = planStepLines(scene)
  const placed = [...frames, ...points, ...holes.marks, ...activities.marks, ...callbacks.marks]
  return [
    ...planGround(scene),
    ...generations.marks,
    ...bands,
    ...numberings.marks,
    ...connection.marks,
    ...density,
    ...lines,
    ...holes.marks,
    ...activities.marks,
    ...callbacks.marks,
    ...frames.filter(({kind}) => kind !== 'density'),
    ...points,
    ...planSelected(scene, [...bands, ...numberings.marks, ...placed]),
    ...planLabels(
      scene,
      [connection, gaps, callbacks, generations, numberings, holes, activities]
        .flatMap(({wishes}) => wishes)
        .concat(planGroundLabels(scene)),
      [...placed, ...lines],
    ),
    ...planEdges(scene),
  ]
}

function planLabels(scene: Scene, wishes: readonly ToneWish[], marks: readonly Mark[]): readonly Mark[] {
  const {time, input, bottom} = scene
  const bounds = {left: time.left, right: time.right, top: RULER_PX, bottom}
  return placeLabels(wishes, bounds, input.type, obstaclesOf(marks)).map(
    ({wish, text, box}): Mark => ({
      kind: 'label',
      x: box.left,
      y: (box.top + box.bottom) / 2,
      width: box.right - box.left,
      text,
      tone: wish.tone,
      strong: wish.strong,
    }),
  )
}

/** Enough to keep words off the marks near them; more would cost more than it shows. */
const MOST_OBSTACLES = 800
const POINT_PX = 5

function obstaclesOf(marks: readonly Mark[]): readonly Box[] {
  const boxes: Box[] = []
  for (const mark of marks) {
    if (boxes.length >= MOST_OBSTACLES) break
    if (mark.kind === 'span' || mark.kind === 'activity')
      boxes.push(around([mark.x0, mark.y], [mark.x1, mark.y], POINT_PX))
    else if (mark.kind === 'hole') boxes.push(around([mark.x, mark.y0], [mark.x, mark.y1], POINT_PX))
    else if (mark.kind === 'frame' || mark.kind === 'replaced' || mark.kind === 'removed')
      boxes.push(around([mark.x, mark.y], [mark.x, mark.y], POINT_PX))
    else if (mark.kind === 'stepLine') for (const piece of mark.pieces) boxes.push(...strokesOf(piece))
  }
  return boxes
}

function strokesOf(piece: Polyline): readonly Box[] {
  return piece.slice(1).map((to, i) => around(piece[i] ?? to, to, 0.5))
}

function around([x0, y0]: Point, [x1, y1]: Point, reach: number): Box {
  return {
    left: Math.min(x0, x1) - reach,
    right: Math.max(x0, x1) + reach,
    top: Math.min(y0, y1) - reach,
    bottom: Math.max(y0, y1) + reach,
  }
}

/** A ring of its own round what is selected, wherever it was selected. */
function planSelected({input}: Scene, marks: readonly Mark[]): readonly Mark[] {
  const {selectedFrame} = input
  if (selectedFrame === undefined) return []
  const drawn = marks.some((mark) => mark.kind === 'frame' && mark.frames.includes(selectedFrame))
  return marks.flatMap((mark): readonly Mark[] => {
    if (!('frames' in mark) || !mark.frames.includes(selectedFrame)) return []
    if (mark.kind === 'gapBand' || mark.kind === 'numbering') {
      const {x0, x1, top, bottom} = mark
      return [{kind: 'selectedBand', x0, x1, top, bottom, frame: selectedFrame}]
    }
    if (mark.kind === 'hole' && !drawn)
      return [{kind: 'selected', x: mark.x, y: (mark.y0 + mark.y1) / 2, frame: selectedFrame}]
    if (mark.kind !== 'frame') return []
    return [{kind: 'selected', x: mark.x, y: mark.y, frame: selectedFrame}]
  })
}

function planEdges(scene: Scene): readonly Mark[] {
  const {now, moment} = scene.input
  return [
    ...(isInView(scene, now) ? [{kind: 'now', x: xOf(scene.time, now)} as const] : []),
    ...(moment !== undefined && isInView(scene, moment) ? [{kind: 'moment', x: xOf(scene.time, moment)} as const] : []),
  ]
}
