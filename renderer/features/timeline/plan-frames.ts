import type {AttemptRow, FrameRow} from '../../../shared/contract/rows.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import type {FrameShape, Mark} from './mark.ts'
import {createDensity} from './plan-density.ts'
import {heldAt, instantOf, isInView, keyOfFrame, laneOfTrack, NO_ROW, type Scene, yOn} from './scene.ts'
import {isOrdinary} from './timeline-data.ts'

/** One appearance of a frame on its row: a failed run of its callback, or what it came to. */
interface Appearance {
  readonly frame: FrameRow
  readonly shape: FrameShape
  readonly at: number
  readonly x: number
  readonly y: number
}

/**
 * The frames of the window. More ordinary ones than columns of pixels become bars of density; all others keep their mark
 * at any zoom, sharing it only with their like in the same row and column.
 */
export function planFrames(scene: Scene): readonly Mark[] {
  const {frames, attempts, binMs} = scene.input.data
  const failed = failedRuns(attempts)
  const dense = binMs !== undefined || ordinaryInView(scene, frames) > scene.time.right - scene.time.left
  const marks = new Map<string, Draft>()
  const links = new Map<string, LinkMark>()
  const density = createDensity(scene)
  const ends = new Map<number, Appearance>()
  for (const frame of frames) {
    if (frame.kind === 'gap' && frame.outcome !== 'malformed' && failed.get(frame.id) === undefined) continue
    const plain = isOrdinary(frame) && frame.outcome !== 'control' && frame.redelivers === undefined
    if (dense && plain && frame.kind !== 'snapshot' && !failed.has(frame.id)) {
      density.count(keyOfFrame(scene, frame), xOf(scene.time, instantOf(frame)), 1)
      continue
    }
    const runs = appearances(scene, frame, failed.get(frame.id) ?? [])
    for (const run of runs) if (isInView(scene, run.at)) addMark(marks, scene, run)
    const earlier = frame.redelivers === undefined ? undefined : ends.get(frame.redelivers)
    addLinks(links, scene, earlier === undefined ? runs : [earlier, ...runs])
    const end = runs.at(-1)
    if (end !== undefined && end.shape !== 'dot' && end.shape !== 'speck') ends.set(frame.id, end)
  }
  const echoes = dense ? [] : planEchoes(scene, frames)
  return [...density.marks(), ...echoes, ...links.values(), ...marks.values()]
}

type Draft = Mark & {readonly kind: 'frame'; readonly frames: number[]}
type LinkMark = Mark & {readonly kind: 'link'}

/** What comes many times a second while one thing goes on: a part of a text, of an output. */
const PARTS: ReadonlySet<string> = new Set(['message_update', 'tool_execution_update', 'bash_output'])

function shapeOf({kind, event, outcome}: FrameRow): FrameShape {
  if (outcome !== 'handled') return SHAPES[outcome]
  if (kind === 'snapshot') return 'diamond'
  return PARTS.has(event) ? 'speck' : 'dot'
}

const SHAPES: Readonly<Record<FrameRow['outcome'], FrameShape>> = {
  handled: 'dot',
  rejected: 'ring',
  skipped: 'chevrons',
  discarded: 'square',
  malformed: 'cross',
  pending: 'waiting',
  control: 'tick',
  duplicate: 'ignored',
  stale: 'ignored',
}

function failedRuns(attempts: readonly AttemptRow[]): ReadonlyMap<number, readonly AttemptRow[]> {
  const failed = new Map<number, AttemptRow[]>()
  for (const attempt of attempts) {
    if (attempt.state === 'pending' || attempt.state === 'resolved') continue
    const of = failed.get(attempt.frame)
    if (of === undefined) failed.set(attempt.frame, [attempt])
    else of.push(attempt)
  }
  for (const runs of failed.values()) runs.sort((a, b) => a.n - b.n)
  return failed
}

function appearances(scene: Scene, frame: FrameRow, failed: readonly AttemptRow[]): readonly Appearance[] {
  const key = keyOfFrame(scene, frame)
  const place = (shape: FrameShape, at: number): Appearance => ({
    frame,
    shape,
    at,
    x: xOf(scene.time, at),
    y: yOfShape(scene, frame, key, shape, at),
  })
  const rings = failed.map((run) => place('ring', run.endedAt ?? run.startedAt))
  const alreadyThere = (frame.outcome === 'rejected' && rings.length > 0) || isMovedGap(frame)
  return alreadyThere ? rings : [...rings, place(shapeOf(frame), instantOf(frame))]
}

/** A gap is drawn as its band; only a malformed one, or a failed run of its callback, stands on a row of its own. */
function isMovedGap(frame: FrameRow): boolean {
  return frame.kind === 'gap' && frame.outcome !== 'malformed'
}

/**
 * What moved stands where its line stands after it. What did not move yet stands where it would lead to, above the line;
 * a malformed frame leads nowhere and stands on the line.
 */
function yOfShape(scene: Scene, frame: FrameRow, key: string, shape: FrameShape, at: number): number {
  if (shape === 'tick' || key === NO_ROW) {
    const strip = laneOfTrack(scene, 'connection')
    return strip === undefined ? 0 : strip.top + strip.height - 5
  }
  const held = heldAt(scene, key, at)
  const unreached = shape === 'ring' || shape === 'waiting'
  if (unreached && frame.kind !== 'gap') return yOn(scene, key, frame.sequence ?? held)
  const own = frame.steps?.find(([stepped]) => stepped === key)?.[2] ?? undefined
  return yOn(scene, key, shape === 'cross' ? held : (own ?? held))
}

function addMark(marks: Map<string, Draft>, scene: Scene, {frame, shape, at, x, y}: Appearance): void {
  const own = keyOfFrame(scene, frame)
  const key = shape === 'tick' || own === NO_ROW ? undefined : own
  const place = `${shape}/${Math.floor(x)}/${key ?? ''}`
  const there = marks.get(place)
  if (there === undefined) marks.set(place, {kind: 'frame', shape, key, x, y, at, frames: [frame.id]})
  else if (there.frames.at(-1) !== frame.id) there.frames.push(frame.id)
}

/** From each run to the next. One a column and row is enough to be seen, and bounds them by the width: the longest. */
function addLinks(links: Map<string, LinkMark>, scene: Scene, runs: readonly Appearance[]): void {
  for (const [i, to] of runs.entries()) {
    const from = runs[i - 1]
    if (from === undefined || from.x > scene.time.right || to.x < scene.time.left) continue
    if (to.x - from.x < 2) continue
    const place = `${Math.floor(from.x)}/${keyOfFrame(scene, to.frame)}`
    const x1 = Math.min(to.x, scene.time.right)
    if ((links.get(place)?.x1 ?? 0) >= x1) continue
    links.set(place, {kind: 'link', x0: Math.max(from.x, scene.time.left), y0: from.y, x1, y1: to.y})
  }
}

/** The other coordinates a frame moved. A gap's are drawn by the gap. */
function planEchoes(scene: Scene, frames: readonly FrameRow[]): readonly Mark[] {
  return frames.flatMap((frame): readonly Mark[] => {
    const at = instantOf(frame)
    if (frame.kind === 'gap' || !isInView(scene, at)) return []
    return (frame.steps ?? []).flatMap(([key, , after]): readonly Mark[] => {
      if (key === keyOfFrame(scene, frame) || after === null || !scene.values.has(key)) return []
      return [{kind: 'echo', key, x: xOf(scene.time, at), y: yOn(scene, key, after), at, frames: [frame.id]}]
    })
  })
}

function ordinaryInView(scene: Scene, frames: readonly FrameRow[]): number {
  return frames.reduce((count, frame) => count + Number(isOrdinary(frame) && isInView(scene, instantOf(frame))), 0)
}
