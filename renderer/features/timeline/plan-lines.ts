import {assertNever} from '../../../shared/base/assert-never.ts'
import {generationOfLane} from '../../../shared/cursor/cursor-position.ts'
import type {Lane} from '../../../shared/timeline/lanes.ts'
import {ticksOf} from '../../../shared/timeline/ruler.ts'
import {drawSteps} from '../../../shared/timeline/step-line.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {nameLane, shortLane} from '../../../shared/words/name-cursor.ts'
import {PRUNED} from './describe-mark.ts'
import {type ToneWish, wish} from './label-wish.ts'
import type {Mark} from './mark.ts'
import {GUTTER_PX, heldAt, RULER_PX, type Scene} from './scene.ts'

/** Room for `16:04:36.204` and air beside it. */
const TICKS_APART_PX = 84
export const LABEL_INSET_PX = 4

/** The ruler, the rows, where nobody watched, and of what no frames are left. */
export function planGround(scene: Scene): readonly Mark[] {
  const {time, input, dead} = scene
  return [
    ...ticksOf(time, input.offsetMs, TICKS_APART_PX).map(
      ({x, label}): Mark => ({kind: 'grid', x, label: fits(scene, x, label) ? label : ''}),
    ),
    ...dead.map(({from, to}): Mark => ({kind: 'unwatched', x0: xOf(time, from), x1: xOf(time, to), from, to})),
    ...prunedMark(scene),
    ...scene.lanes.map((lane): Mark => {
      const value = valueShown(scene, lane)
      const name = nameOf(lane, roomForName(scene, value))
      return {kind: 'lane', top: lane.top, bottom: lane.top + lane.height, name, value}
    }),
  ]
}

function prunedMark({time, pruned}: Scene): readonly Mark[] {
  if (pruned === undefined) return []
  const {from, to} = pruned
  return [{kind: 'pruned', x0: xOf(time, from), x1: xOf(time, to), from, to}]
}

/** At its end, where the details begin. */
export function planGroundLabels({time, pruned}: Scene): readonly ToneWish[] {
  if (pruned === undefined) return []
  return [wish('duration', PRUNED, 'muted', [{x: xOf(time, pruned.to) - 6, end: 'right', y: RULER_PX + 8}])]
}

/** Each coordinate's acknowledged position, interrupted where nobody watched. */
export function planStepLines({lanes, input, values, known, time}: Scene): readonly Mark[] {
  return lanes.flatMap(({track}): readonly Mark[] => {
    if (track.kind !== 'coordinate') return []
    const line = input.data.lines.get(track.key)
    const scale = values.get(track.key)
    if (line === undefined || scale === undefined) return []
    const pieces = known.flatMap((interval) => drawSteps(line, time, scale, interval))
    return pieces.length === 0 ? [] : [{kind: 'stepLine', key: track.key, pieces}]
  })
}

/** Right of its line, as far as the time goes. */
function fits({time, input}: Scene, x: number, label: string): boolean {
  return x + LABEL_INSET_PX + label.length * input.type.charPx <= time.right
}

/** How many characters the name of a row may have beside its value. */
function roomForName({input}: Scene, value: string): number {
  return Math.floor((GUTTER_PX - 24) / input.type.charPx) - (value === '' ? 0 : value.length + 1)
}

function nameOf({track}: Lane, room: number): string {
  switch (track.kind) {
    case 'coordinate':
      return nameLane(track.key).length <= room ? nameLane(track.key) : shortLane(track.key)
    case 'connection':
    case 'activities':
    case 'callbacks':
      return track.kind
    case 'more':
      return `${track.keys.length} more`
    default:
      return assertNever(track)
  }
}

/** The value at the right edge, so that a lane says where it stands. */
function valueShown(scene: Scene, {track}: Lane): string {
  if (track.kind !== 'coordinate') return ''
  const last = scene.known.at(-1)
  if (last === undefined || last.to < scene.seen.to) return 'unknown'
  const held = heldAt(scene, track.key, scene.seen.to)?.toString()
  // Of a generation that was left, its band says so.
  return held ?? (generationOfLane(track.key) === undefined ? 'none' : '')
}
