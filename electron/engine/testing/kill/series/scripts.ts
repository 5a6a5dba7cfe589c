import type {Scenario, Step} from '../../../../demo/scenario.ts'
import {burst, delegate, NOTHING, once, say} from '../../../../demo/script.ts'
import type {KeptProfile} from '../check-profile.ts'
import type {Effect} from '../point.ts'

const UNKNOWN: Step = {
  afterMs: 0,
  do: {kind: 'publish', event: {event: 'presence_hint', room: 'room-a', from: 'ben', text: 'typing', untyped: true}},
}

/** Without losses, so that every event up to the cursor must have been handled. */
export const whole: Scenario = {
  name: 'whole',
  about: 'events of every kind, none ever lost',
  revision: 'r3',
  start: NOTHING,
  steps: [
    say(0, 'room-a', 'dana', 'first'),
    UNKNOWN,
    delegate(0, 'room-b', 'ben', 'a task'),
    burst('always', 0, 40),
    UNKNOWN,
    say(300, 'room-b', 'ben', 'and so on'),
    delegate(300, 'room-a', 'dana', 'and so forth'),
  ],
  loopFrom: 5,
  retain: {count: 20_000},
}

/** The same, and more at once than one life can handle. */
export const plenty: Scenario = {
  ...whole,
  name: 'plenty',
  steps: [...whole.steps.slice(0, 5), burst('always', 0, 6_000), ...whole.steps.slice(5)],
  loopFrom: 6,
}

/** What has no type is discarded: no callback runs for it. */
const UNTYPED = new Set([2, 44])

/** Of `whole` and `plenty`: every event up to the cursor had its effect, or stands in the history. */
export function missing({own, frames}: KeptProfile, effects: readonly Effect[], callbacks: boolean): readonly string[] {
  const names = callbacks ? effects.map(({frame}) => frame) : frames.map(({name}) => name)
  const there = new Set(names.map(numberOf))
  const all = Array.from({length: own}, (_, n) => n + 1).filter((n) => !UNTYPED.has(n))
  const lost = all.filter((n) => !there.has(n))
  return lost.length === 0 ? [] : [`the cursor is at ${own}, and these are not there: ${lost.slice(0, 5).join(', ')}`]
}

/** The own number of an event is the number of its making, where nothing was lost: `$m.run-7` is 7. */
function numberOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1])
}

/** Back, on, and away with a room; one a life, and each with a reason of its own, so that no two are the same frame. */
export function falling(gaps: number): Scenario {
  return {
    name: 'falling',
    about: 'gaps in either direction between events',
    revision: 'r3',
    start: {s: 15, rooms: {'room-a': 41, 'room-b': 8}},
    steps: Array.from({length: gaps}, (_, n) => fall(n)).flat(),
  }
}

function fall(n: number): readonly Step[] {
  const back = {s: 2 + n, rooms: {'room-a': 7}}
  const on = {s: 30 + n, rooms: {'room-a': 50, 'room-b': 20}}
  return [
    once('reopened', say(0, 'room-a', 'dana', `before ${n}`)),
    say(0, 'room-b', 'ben', `before ${n}`),
    {afterMs: 20, do: {kind: 'gap', reason: `reset ${n}`, to: n % 2 === 0 ? back : on, rooms: ['room-a']}},
    say(20, 'room-a', 'ben', `after ${n}`),
  ]
}
