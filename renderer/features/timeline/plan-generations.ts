import {GENERATION, generationOfLane, SEQUENCE} from '../../../shared/cursor/cursor-position.ts'
import type {Lane} from '../../../shared/timeline/lanes.ts'
import type {Place} from '../../../shared/timeline/place-labels.ts'
import type {StepLine} from '../../../shared/timeline/step-line.ts'
import {type Interval, xOf} from '../../../shared/timeline/time-scale.ts'
import {type ToneWish, wish} from './label-wish.ts'
import type {GenerationMark, Mark} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {isInView, type Scene} from './scene.ts'

/** Opaque generations as bands, each on its own row; numbered ones as boundaries across theirs. */
export function planGenerations(scene: Scene): Planned {
  const bands = scene.lanes.flatMap((lane) => bandsOf(scene, lane))
  const boundaries = planBoundaries(scene)
  return {
    marks: [...bands, ...boundaries],
    wishes: [...bands.flatMap((band) => bandWords(scene, band)), ...boundaries.map(boundaryWords)],
  }
}

function bandsOf(scene: Scene, {track, top, height}: Lane): readonly GenerationMark[] {
  if (track.kind !== 'coordinate' || generationOfLane(track.key) === undefined) return []
  const line = scene.input.data.lines.get(track.key)
  if (line === undefined) return []
  const row = scene.input.generations.find(({lane}) => lane === track.key)
  return heldStretches(line, scene.seen, row?.firstAt).map(({from, to, ended, last}): GenerationMark => {
    const x0 = Math.max(xOf(scene.time, from), scene.time.left)
    return {
      ...{kind: 'generation', key: track.key, x0, x1: Math.max(xOf(scene.time, to), x0), from, to},
      top: top + 2,
      bottom: top + height - 3,
      first: row?.firstSequence,
      last: Math.max(last, row?.lastSequence ?? last),
      ended,
    }
  })
}

interface Stretch extends Interval {
  /** It ends because the cursor left the row, inside the view. */
  readonly ended: boolean
  readonly last: number
}

/** Where a row holds a value. A generation that a stream came back to has several. */
function heldStretches(line: StepLine, seen: Interval, began = seen.from): readonly Stretch[] {
  const stretches: Stretch[] = []
  let [from, last] = [line.start === undefined ? undefined : Math.min(began, seen.from), line.start ?? 0]
  for (const {at, value} of line.steps) {
    if (at > seen.to) break
    if (value === undefined) {
      if (from !== undefined && at >= seen.from) stretches.push({from, to: at, ended: true, last})
      from = undefined
    } else {
      from ??= at
      last = value
    }
  }
  if (from !== undefined) stretches.push({from, to: seen.to, ended: false, last})
  return stretches
}

function bandWords(scene: Scene, {x0, x1, top, bottom, first, last, ended}: GenerationMark): readonly ToneWish[] {
  const numbers = `${first === undefined ? '' : `${first} `}… ${last}`
  const inside = [{x: x0 + 5, end: 'left', y: top + 8} as const, {x: x0 + 5, end: 'left', y: bottom - 8} as const]
  const middle = (top + bottom) / 2
  const after = [middle, top + 8, bottom - 8].map((y): Place => ({x: x1 + 6, end: 'left', y}))
  const numbersFit = x1 - x0 > numbers.length * scene.input.type.charPx + 8
  return [
    ...(numbersFit ? [wish('generation', numbers, 'text', inside)] : []),
    ...(ended ? [wish('generation', 'retired', 'muted', after)] : []),
  ]
}

type BoundaryMark = Mark & {readonly kind: 'boundary'}

function planBoundaries(scene: Scene): readonly BoundaryMark[] {
  const lane = scene.lanes.find(({track}) => track.kind === 'coordinate' && track.key === SEQUENCE)
  const line = scene.input.data.lines.get(GENERATION)
  if (lane === undefined || line === undefined) return []
  // What the user took has a mark of its own.
  const told = new Set(
    scene.input.data.frames.flatMap(({cause, settledAt}) => (cause === 'numberingTaken' ? [settledAt] : [])),
  )
  const shared = new Map<number, BoundaryMark>()
  let before = line.start
  for (const {at, value} of line.steps) {
    const isLower = value !== undefined && before !== undefined && value < before
    before = value
    if (value === undefined || !isInView(scene, at) || told.has(at)) continue
    const x = xOf(scene.time, at)
    const there = shared.get(Math.floor(x))
    shared.set(Math.floor(x), {
      ...{kind: 'boundary', key: SEQUENCE, x, at, generation: value},
      top: lane.top + 2,
      bottom: lane.top + lane.height - 3,
      together: (there?.together ?? 0) + 1,
      anew: isLower || there?.anew === true,
    })
  }
  return [...shared.values()]
}

function boundaryWords({x, top, bottom, generation}: BoundaryMark): ToneWish {
  const places = [top + 8, bottom - 8].flatMap((y) => [
    {x: x + 5, end: 'left', y} as const,
    {x: x - 5, end: 'right', y} as const,
  ])
  return wish('generation', `gen ${generation}`, 'muted', places)
}
