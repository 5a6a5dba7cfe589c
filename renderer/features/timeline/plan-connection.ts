import {assertNever} from '../../../shared/base/assert-never.ts'
import type {ConnectionRow} from '../../../shared/contract/rows.ts'
import {type Interval, xOf} from '../../../shared/timeline/time-scale.ts'
import {explainEnding} from '../../../shared/words/explain.ts'
import {nameConnection} from '../../../shared/words/name-state.ts'
import {STANDING_BY} from '../../../shared/words/name-waiting.ts'
import {duration} from '../../ui/format.ts'
import {type ToneWish, wish} from './label-wish.ts'
import type {Mark, StripState, Tone} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {laneOfTrack, type Scene} from './scene.ts'

type StripMark = Mark & {readonly kind: 'strip'}

/** The connection over time, as far as anybody watched. Changes inside one column of pixels show the worst of them. */
export function planConnection(scene: Scene): Planned {
  const lane = laneOfTrack(scene, 'connection')
  if (lane === undefined) return {marks: [], wishes: []}
  const y = lane.top + lane.height - 7
  const {connections} = scene.input.data
  const strips: StripMark[] = []
  const wishes: ToneWish[] = []
  for (const [i, row] of connections.entries()) {
    const holds = {from: row.at, to: connections[i + 1]?.at ?? scene.seen.to}
    for (const {from, to} of cut(holds, scene.known)) {
      const [x0, x1] = [xOf(scene.time, from), xOf(scene.time, to)]
      addStrip(strips, {kind: 'strip', x0, x1, y, state: stateOf(row), words: wordsOf(row), from, to})
      wishes.push(...labelOf(row, x0, x1, y - 11))
    }
  }
  return {marks: strips, wishes: apart(wishes, strips)}
}

/** Beyond its own stretch a label may stand over what needs no words; over another that does it would seem to be about that. */
function apart(wishes: readonly ToneWish[], strips: readonly StripMark[]): readonly ToneWish[] {
  const spoken = strips.filter(({state}) => LABEL_TONES[state] !== undefined)
  return wishes.map((wish) => {
    const [from = 0, to = 0] = wish.places.map(({x}) => x)
    return {
      ...wish,
      within: {
        left: Math.max(Number.NEGATIVE_INFINITY, ...spoken.filter(({x1}) => x1 <= from).map(({x1}) => x1)),
        right: Math.min(Number.POSITIVE_INFINITY, ...spoken.filter(({x0}) => x0 >= to).map(({x0}) => x0)),
      },
    }
  })
}

function addStrip(strips: StripMark[], strip: StripMark): void {
  const last = strips.at(-1)
  const sameColumn = last !== undefined && Math.floor(last.x0) === Math.floor(strip.x1)
  if (!sameColumn) strips.push(strip)
  else if (BADNESS[strip.state] > BADNESS[last.state])
    strips[strips.length - 1] = {...strip, x0: last.x0, from: last.from}
}

const BADNESS: Readonly<Record<StripState, number>> = {
  fresh: 0,
  unbeaten: 1,
  connecting: 2,
  stale: 3,
  waiting: 4,
  stopped: 5,
  held: 6,
}

function cut(holds: Interval, known: readonly Interval[]): readonly Interval[] {
  return known
    .map(({from, to}) => ({from: Math.max(from, holds.from), to: Math.min(to, holds.to)}))
    .filter(({from, to}) => to > from)
}

function stateOf({state, heartbeat}: ConnectionRow): StripState {
  if (state !== 'live') return state
  return heartbeat === 'none' ? 'unbeaten' : heartbeat
}

/** What the strip says when pointed at, and in the table. */
function wordsOf(row: ConnectionRow): string {
  const why = row.because === undefined ? '' : `. ${explainEnding(row.because).title}`
  switch (row.state) {
    case 'live':
      return row.heartbeat === 'none' ? 'attached' : `attached × ${row.heartbeat}`
    case 'connecting':
      return 'connecting'
    case 'waiting':
      return `${backoff(row)}${why}`
    case 'stopped':
      return row.because?.kind === 'asked' ? 'paused by you' : `${nameConnection(row).doing}${why}`
    case 'held':
      return `held${why}`
    default:
      return assertNever(row.state)
  }
}

function backoff({delayMs}: ConnectionRow): string {
  return delayMs === undefined ? STANDING_BY : `backoff ${duration(delayMs)}`
}

function labelOf(row: ConnectionRow, x0: number, x1: number, y: number): readonly ToneWish[] {
  const tone = LABEL_TONES[stateOf(row)]
  if (tone === undefined || x1 - x0 < LEAST_LABELLED_PX[tone === 'muted' ? 'calm' : 'urgent']) return []
  const text = wordsOf(row)
  const shorter = text.split('. ')[0] ?? text
  return [
    wish(
      'connection',
      text,
      tone,
      [
        {x: x0, end: 'left', y},
        {x: x1, end: 'right', y},
      ],
      shorter === text ? undefined : shorter,
    ),
  ]
}

/** A stop of a moment, as between two runs of the engine, is no news; a wait is. */
const LEAST_LABELLED_PX = {calm: 12, urgent: 0} as const

/** A healthy connection needs no words, and one that connects has none yet. */
const LABEL_TONES: Readonly<Partial<Record<StripState, Tone>>> = {
  stale: 'waiting',
  waiting: 'waiting',
  stopped: 'muted',
  held: 'rejected',
}
