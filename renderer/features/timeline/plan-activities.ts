import type {ActivityRow} from '../../../shared/contract/rows.ts'
import type {Place} from '../../../shared/timeline/place-labels.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {nameActivityKind, nameActivityState} from '../../../shared/words/name-activity.ts'
import {duration} from '../../ui/format.ts'
import {type ToneWish, wish} from './label-wish.ts'
import type {ActivityMark, Tone} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {laneOfTrack, type Scene} from './scene.ts'

/** Turns stand on the first line; what happens inside them below, side by side in time. */
const LINES_PX = [9, 22, 36, 50]
/** What is shorter must still be seen. */
const LEAST_PX = 3
/** Narrower than this, words would say more than the mark. */
const LABELLED_PX = 14
const LONGEST_LABEL = 28

/** What the agent did that lasts, as long as it took. An open one grows; of one whose end was not seen, the end is left open. */
export function planActivities(scene: Scene): Planned {
  const lane = laneOfTrack(scene, 'activities')
  if (lane === undefined) return {marks: [], wishes: []}
  const shared = new Map<string, ActivityMark>()
  for (const {activity, line} of linesOf(scene)) {
    const [from, to] = extentOf(scene, activity)
    if (to < scene.input.window.from || from > scene.input.window.to) continue
    const [x0, x1] = pixels(scene, from, to)
    const place = `${activity.kind}/${activity.state}/${line}/${Math.floor(x0)}/${Math.floor(x1)}`
    const there = shared.get(place)
    const frames = [...(there?.frames ?? []), activity.frame]
    const y = lane.top + (LINES_PX[line] ?? 0)
    shared.set(place, {kind: 'activity', x0, x1, y, activity, together: frames.length, at: from, frames})
  }
  const marks = [...shared.values()]
  return {marks, wishes: marks.flatMap((mark) => words(scene, mark))}
}

/** The first free line for each, by time alone, so that nothing changes its line when the view moves. */
function linesOf(scene: Scene): ReadonlyArray<{readonly activity: ActivityRow; readonly line: number}> {
  const free = LINES_PX.slice(1).map(() => Number.NEGATIVE_INFINITY)
  const inOrder = [...scene.input.data.activities].sort((a, b) => beginOf(a) - beginOf(b) || a.frame - b.frame)
  return inOrder.map((activity) => {
    if (activity.kind === 'turn') return {activity, line: 0}
    const [from, to] = extentOf(scene, activity)
    const found = free.findIndex((until) => until <= from)
    const line = found === -1 ? free.length - 1 : found
    free[line] = Math.max(free[line] ?? 0, to)
    return {activity, line: line + 1}
  })
}

function beginOf({startedAt, endedAt}: ActivityRow): number {
  return startedAt ?? endedAt ?? 0
}

/** [from, to], epoch ms. Where only one end is known, that is all there is. */
export function extentOf(scene: Scene, activity: ActivityRow): readonly [from: number, to: number] {
  const from = beginOf(activity)
  if (activity.endedAt !== undefined) return [from, Math.max(activity.endedAt, from)]
  return [from, activity.state === 'open' ? Math.max(scene.input.now, from) : from]
}

function pixels({time}: Scene, from: number, to: number): readonly [x0: number, x1: number] {
  const x0 = Math.min(Math.max(xOf(time, from), time.left), time.right - LEAST_PX)
  return [x0, Math.max(Math.min(xOf(time, to), time.right), x0 + LEAST_PX)]
}

const TONES: Readonly<Record<ActivityRow['state'], Tone>> = {
  open: 'pending',
  ended: 'muted',
  aborted: 'muted',
  failed: 'rejected',
  notSeen: 'pending',
}

function words(scene: Scene, {activity, together, x0, x1, y}: ActivityMark): readonly ToneWish[] {
  const {kind, state, label} = activity
  const ordinary = state === 'ended'
  if (together > 1 || (kind === 'turn' && ordinary) || (ordinary && x1 - x0 < LABELLED_PX)) return []
  const [from, to] = extentOf(scene, activity)
  const name = cut(label === '' ? nameActivityKind(kind) : label)
  const how = state === 'open' ? duration(to - from) : ordinary ? '' : nameActivityState(state).word
  const places: readonly Place[] = [
    {x: x1 + 5, end: 'left', y},
    {x: x0 - 5, end: 'right', y},
    {x: x0 + 4, end: 'left', y: y + 14},
  ]
  return [wish('activity', `${name} ${how}`.trim(), TONES[state], places)]
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line
}
