import type {Scenario, Step} from './scenario.ts'
import {BROKEN_FRAME, delegate, once, say} from './script.ts'

/** From 8/37/5 to 18/43/9, with one callback slow and one that fails once. */
const FIRST_RISE: readonly Step[] = [
  say(400, 'room-a', 'dana', 'is 2.4 still going out today?'),
  say(900, 'room-b', 'ben', 'the docs build is green again'),
  say(1_200, 'room-a', 'dana', 'asked for the changelog', {addressed: true}),
  say(1_200, 'room-b', 'ben', 'three pages still mention 2.3', {label: 'slow', addressed: true}),
  say(3_600, 'room-a', 'ben', 'looks fine to me'),
  say(1_200, 'room-a', 'ben', 'ping', {label: 'ping', addressed: true}),
  once('reopened', say(1_600, 'room-b', 'dana', 'thanks, I will take the last two pages')),
  say(1_000, 'room-a', 'dana', 'please retry the arm64 build', {addressed: true}),
  say(1_000, 'room-b', 'ben', 'pages are up'),
  say(1_000, 'room-a', 'ci', 'arm64 build finished, all checks green'),
]

/** The fall and everything that can go wrong after it: 18/43/9 becomes 2/7, then 7/9/1. */
const FALL: readonly Step[] = [
  {
    afterMs: 1_800,
    do: {
      kind: 'gap',
      reason: 'the bridge lost its events and counts anew; read room-a again',
      to: {s: 2, rooms: {'room-a': 7}},
      rooms: ['room-a'],
    },
  },
  delegate(3_400, 'room-a', 'dana', 'review the release notes'),
  {
    afterMs: 1_300,
    do: {
      kind: 'publish',
      event: {event: 'presence_hint', room: 'room-a', from: 'ben', text: 'typing', untyped: true},
    },
  },
  say(1_300, 'room-a', 'dana', 'are you back?', {addressed: true}),
  {afterMs: 1_300, do: {kind: 'raw', text: BROKEN_FRAME}},
  once('reopened', say(1_500, 'room-a', 'ben', 'that one got cut off, never mind')),
  {afterMs: 1_500, do: {kind: 'evict', code: 'closed'}},
  once('reopened', say(1_500, 'room-b', 'ben', 'moved the docs talk back in here')),
]

/**
 * From 7/9/1 to 18/43/9. A session holds the rooms most of the time, and what it hears passes this reader by. It takes
 * more than the 30 s after which a client calls its stream a success, so every lap meets the same short backoffs.
 */
const NEXT_RISE: readonly Step[] = [
  say(3_000, 'room-a', 'dana', 'tagging 2.4.1 now', {passedBy: 4}),
  say(3_500, 'room-a', 'ci', 'build started', {passedBy: 4}),
  say(3_500, 'room-b', 'ben', 'changelog reads well', {passedBy: 1}),
  say(3_500, 'room-a', 'dana', 'can you post the diff?', {passedBy: 4, label: 'slow', addressed: true}),
  say(4_500, 'room-b', 'dana', 'one typo in the headline', {passedBy: 1}),
  say(3_500, 'room-a', 'ben', 'approved', {passedBy: 4}),
  say(3_500, 'room-a', 'ci', 'build finished, all checks green', {passedBy: 4}),
  say(3_500, 'room-b', 'ben', 'typo fixed', {passedBy: 1}),
  say(4_000, 'room-a', 'ben', 'ping', {passedBy: 4, label: 'ping', addressed: true}),
  once('reopened', say(2_500, 'room-b', 'dana', 'publishing the page', {passedBy: 1})),
  say(3_000, 'room-a', 'dana', '2.4.1 is out', {passedBy: 3}),
]

/** The product's demo: everything a stream can do to a cursor within the first minute, and then over and over. */
export const tour: Scenario = {
  name: 'tour',
  about: 'the product demo: everything a stream can do to a cursor, in a minute, over and over',
  revision: 'r3',
  start: {s: 8, rooms: {'room-a': 37, 'room-b': 5}},
  steps: [...FIRST_RISE, ...FALL, ...NEXT_RISE],
  loopFrom: FIRST_RISE.length,
  callbacks: [
    {label: 'slow', delayMs: 2_500},
    {label: 'ping', delayMs: 350, rejectUpTo: 1, error: 'the pager answered 503'},
    {label: 'gap', delayMs: 2_000},
  ],
}
