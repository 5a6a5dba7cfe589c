import type {AttemptRow} from '../../../shared/contract/rows.ts'
import type {Place} from '../../../shared/timeline/place-labels.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {nameAttempt} from '../../../shared/words/name-state.ts'
import {duration} from '../../ui/format.ts'
import {type ToneWish, wish} from './label-wish.ts'
import type {Mark, Tone} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {laneOfTrack, type Scene} from './scene.ts'

/** A run shorter than a pixel must still be seen. */
const LEAST_SPAN_PX = 4
/** A run at least this long is worth its own words. */
const LONG_MS = 1_000

type SpanMark = Mark & {readonly kind: 'span'}

/** Runs of callbacks, as long as they took. They never overlap: one frame at a time is handled. Runs of one kind in one column share a mark. */
export function planCallbacks(scene: Scene): Planned {
  const lane = laneOfTrack(scene, 'callbacks')
  if (lane === undefined) return {marks: [], wishes: []}
  const y = lane.top + 15
  const spans = new Map<string, SpanMark & {readonly frames: number[]; runs: number}>()
  for (const attempt of scene.input.data.attempts) {
    const to = endOf(scene, attempt)
    if (to < scene.input.window.from || attempt.startedAt > scene.input.window.to) continue
    const [x0, x1] = extent(scene, attempt.startedAt, to)
    const place = `${attempt.state}/${attempt.callback}/${Math.floor(x0)}/${Math.floor(x1)}`
    const there = spans.get(place)
    if (there === undefined)
      spans.set(place, {kind: 'span', x0, x1, y, attempt, runs: 1, at: attempt.startedAt, frames: [attempt.frame]})
    else {
      there.runs += 1
      if (there.frames.at(-1) !== attempt.frame) there.frames.push(attempt.frame)
    }
  }
  return {marks: [...spans.values()], wishes: [...spans.values()].flatMap((span) => words(scene, span))}
}

/** An open run reaches to now. One whose end nobody recorded is drawn at its start. */
export function endOf(scene: Scene, {state, startedAt, endedAt}: AttemptRow): number {
  return endedAt ?? (state === 'pending' ? Math.max(scene.input.now, startedAt) : startedAt)
}

function extent({time}: Scene, from: number, to: number): readonly [x0: number, x1: number] {
  const [x0, x1] = [Math.max(xOf(time, from), time.left), Math.min(xOf(time, to), time.right)]
  const missing = Math.max(LEAST_SPAN_PX - (x1 - x0), 0)
  const start = Math.min(Math.max(x0 - missing / 2, time.left), time.right - LEAST_SPAN_PX)
  return [start, Math.max(x1, start + LEAST_SPAN_PX)]
}

const TONES: Readonly<Record<AttemptRow['state'], Tone>> = {
  pending: 'pending',
  resolved: 'muted',
  rejected: 'rejected',
  timedOut: 'rejected',
  aborted: 'rejected',
}

function words(scene: Scene, {attempt, x0, x1, y}: SpanMark): readonly ToneWish[] {
  const took = endOf(scene, attempt) - attempt.startedAt
  const isGap = attempt.callback === 'onGap'
  const plain = attempt.state === 'resolved' && !isGap
  if (plain && took < LONG_MS) return []
  const failed = attempt.state === 'rejected' || attempt.state === 'timedOut' || attempt.state === 'aborted'
  const word = [isGap ? 'onGap' : '', attempt.state === 'resolved' ? '' : nameAttempt(attempt.state).word]
    .filter((part) => part !== '')
    .join(' ')
  const text = `${word} ${failed ? `(attempt ${attempt.n})` : duration(took)}`.trim()
  const what = attempt.state === 'pending' ? 'pending' : failed ? 'failed' : isGap ? 'gapSpan' : 'duration'
  const tone = isGap && !failed ? 'gap' : TONES[attempt.state]
  const below = y + 17
  // A gap's own band runs through the space below its run.
  const first: Place = isGap ? {x: x1 + 6, end: 'left', y: below} : {x: x0, end: 'left', y: below}
  return [
    wish(
      what,
      text,
      tone,
      [first, {x: x1, end: 'right', y: below}, {x: x1 + 6, end: 'left', y}, {x: x0 - 6, end: 'right', y}],
      failed ? word : undefined,
    ),
  ]
}
