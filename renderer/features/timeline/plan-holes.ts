import type {FrameRow, HoleRow} from '../../../shared/contract/rows.ts'
import {drawnLane} from '../../../shared/cursor/cursor-position.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {shortHole} from '../../../shared/words/explain-hole.ts'
import {beside, type ToneWish, wish} from './label-wish.ts'
import type {Mark} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {instantOf, isInView, type Scene, yOn} from './scene.ts'

type HoleMark = Mark & {readonly kind: 'hole'}

/** A broken step smaller than this would not be seen. CSS px. */
const LEAST_STEP_PX = 12

/** Numbers not seen, each where its line steps over them. Never binned; those of one row and column share a mark. */
export function planHoles(scene: Scene): Planned {
  const settled = settledFrames(scene)
  const shared = new Map<string, HoleMark>()
  for (const hole of scene.input.data.holes) {
    const frame = settled.get(hole.frame)
    const at = frame === undefined ? hole.receivedAt : instantOf(frame)
    if (!isInView(scene, at)) continue
    const mark = markOf(scene, hole, at)
    const place = `${mark.key}/${Math.floor(mark.x)}`
    shared.set(place, joined(shared.get(place), mark))
  }
  return {marks: [...shared.values()], wishes: [...shared.values()].map(words)}
}

function settledFrames({input}: Scene): ReadonlyMap<number, FrameRow> {
  const wanted = new Set(input.data.holes.map(({frame}) => frame))
  if (wanted.size === 0) return new Map()
  return new Map(input.data.frames.filter(({id}) => wanted.has(id)).map((frame) => [frame.id, frame]))
}

function markOf(scene: Scene, hole: HoleRow, at: number): HoleMark {
  const key = drawnLane(hole.lane)
  const lane = scene.laneOf.get(key)
  const y0 = yOn(scene, key, hole.upTo)
  const foot = lane === undefined ? y0 : lane.top + lane.height - 5
  const y1 = hole.after === undefined ? foot : yOn(scene, key, hole.after)
  const [upper, lower] = [Math.min(y0, y1), Math.max(y0, y1)]
  return {
    ...{kind: 'hole', key, x: xOf(scene.time, at), at, holes: [hole], frames: [hole.frame]},
    y0: Math.min(upper, lower - LEAST_STEP_PX),
    y1: lower,
  }
}

function joined(there: HoleMark | undefined, mark: HoleMark): HoleMark {
  if (there === undefined) return mark
  return {
    ...mark,
    y0: Math.min(there.y0, mark.y0),
    y1: Math.max(there.y1, mark.y1),
    holes: [...there.holes, ...mark.holes],
    frames: [...there.frames, ...mark.frames],
  }
}

function words({holes, x, y0, y1}: HoleMark): ToneWish {
  const [hole] = holes
  const short = hole === undefined || holes.length > 1 ? `${holes.length} holes` : shortHole(hole)
  const text = holes.length === 1 && hole?.by === 'snapshot' ? `snapshot adopted; ${short}` : short
  return wish('hole', text, 'pending', beside(x - 4, x + 4, (y0 + y1) / 2), short)
}
