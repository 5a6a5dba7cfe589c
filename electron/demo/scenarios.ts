import {gaps} from './gap-scenarios.ts'
import type {Scenario} from './scenario.ts'
import {AFTERWARDS, BOOT, BROKEN_FRAME, burst, delegate, NOTHING, OPENING, QUICK_CALLBACKS, say} from './script.ts'
import {tour} from './tour-scenario.ts'

/** Longer than any test or visit lasts, in ms. */
const FOR_EVER = 1e12
const growing: readonly Scenario[] = [
  {
    name: 'steady',
    about: 'a message every second, for ever',
    revision: 'r3',
    start: NOTHING,
    loopFrom: 0,
    steps: [
      say(1_000, 'room-a', 'dana', 'still on it'),
      say(1_000, 'room-b', 'ben', 'looks fine to me'),
      say(1_000, 'room-a', 'ci', 'build finished, all checks green'),
      delegate(1_000, 'room-a', 'dana', 'review the release notes'),
    ],
  },
  {
    name: 'burst',
    about: '5,000 messages as fast as the socket takes them, then a message now and then',
    revision: 'r3',
    start: NOTHING,
    retain: {count: 20_000},
    callbacks: QUICK_CALLBACKS,
    steps: [burst('attached', 200, 5_000), say(1_000, 'room-b', 'ben', 'that was a lot'), ...OPENING],
  },
  {
    name: 'huge-frame',
    about: 'a message of 4 MiB, then a frame of 9 MiB that is kept nowhere, then small ones',
    revision: 'r3',
    start: NOTHING,
    steps: [
      ...OPENING,
      say(500, 'room-a', 'ci', 'the whole log:', {bytes: 4 * 1024 * 1024}),
      {afterMs: 1_000, do: {kind: 'oversized', bytes: 9 * 1024 * 1024}},
      ...AFTERWARDS,
    ],
  },
]

const callbacks: readonly Scenario[] = [
  {
    name: 'poison-frame',
    about: 'a message whose callback rejects every time',
    revision: 'r3',
    start: NOTHING,
    steps: [
      ...OPENING,
      say(500, 'room-a', 'ben', 'release 2.4 to everybody', {label: 'poison', addressed: true}),
      say(100, 'room-b', 'dana', 'this one waits behind it'),
    ],
    callbacks: [
      {label: 'poison', delayMs: 100, rejectUpTo: Number.POSITIVE_INFINITY, error: 'the release is not approved'},
    ],
  },
  {
    name: 'reject-once',
    about: 'a message whose callback rejects at the first attempt',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, say(500, 'room-a', 'ben', 'ping', {label: 'ping', addressed: true}), ...AFTERWARDS],
    callbacks: [{label: 'ping', delayMs: 100, rejectUpTo: 1, error: 'the pager answered 503'}],
  },
  {
    name: 'slow-callback',
    about: 'a message whose callback takes 20 s while others arrive',
    revision: 'r3',
    start: NOTHING,
    steps: [
      ...OPENING,
      say(500, 'room-a', 'dana', 'can you post the whole diff?', {label: 'slow', addressed: true}),
      say(1_000, 'room-b', 'ben', 'looks fine to me'),
      say(1_000, 'room-a', 'ben', 'no hurry'),
    ],
    callbacks: [{label: 'slow', delayMs: 20_000}],
  },
]

const malformed: readonly Scenario[] = [
  {
    name: 'malformed-once',
    about: 'one frame that is no JSON and comes no second time',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'raw', text: BROKEN_FRAME}}, ...AFTERWARDS],
  },
  {
    name: 'malformed-always',
    about: 'a retained event whose JSON breaks off: it comes again at every open',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, say(500, 'room-a', 'ben', 'this will not arrive', {garbled: true}), ...AFTERWARDS],
  },
  {
    name: 'unknown-frame',
    about: 'a frame of a kind no client knows: discarded, and the position moves',
    revision: 'r3',
    start: NOTHING,
    steps: [
      ...OPENING,
      {
        afterMs: 500,
        do: {
          kind: 'publish',
          event: {event: 'presence_hint', room: 'room-a', from: 'ben', text: 'typing', untyped: true},
        },
      },
      say(500, 'room-b', 'dana', 'thanks'),
    ],
  },
]

const endings: readonly Scenario[] = [
  {
    name: 'eviction',
    about: 'the server closes the connection with a code and takes it back',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'evict', code: 'closed'}}, ...AFTERWARDS],
  },
  {
    name: 'eviction-r1',
    about: 'the first revision evicts in prose: the heartbeat lapsed',
    revision: 'r1',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'evict', code: 'heartbeat_lapsed'}}, ...AFTERWARDS],
  },
  {
    name: 'takeover',
    about: 'another client takes the connection and keeps it',
    revision: 'r2',
    start: {s: BOOT, rooms: {}},
    steps: [...OPENING, {afterMs: 500, do: {kind: 'evict', code: 'taken_over'}}, ...AFTERWARDS],
  },
  {
    name: 'takeover-r1',
    about: 'the first revision tells of a takeover in prose',
    revision: 'r1',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'evict', code: 'taken_over'}}, ...AFTERWARDS],
  },
  {
    name: 'lapse',
    about: 'heartbeats are answered 503 for 8 s while messages go on: evicted, and resumed without a loss',
    revision: 'r3',
    start: NOTHING,
    steps: [
      ...OPENING,
      {afterMs: 200, do: {kind: 'refuse', what: 'beats', status: 503, forMs: 8_000}},
      say(1_000, 'room-a', 'dana', 'still on it'),
      say(1_000, 'room-b', 'ben', 'looks fine to me'),
      ...AFTERWARDS,
    ],
  },
  {
    name: 'instant-close',
    about: 'every stream is ended as soon as it is attached',
    revision: 'r3',
    start: NOTHING,
    steps: [{afterMs: 0, when: 'always', do: {kind: 'closeOnOpen'}}],
  },
  {
    name: 'socket-reset',
    about: 'the socket breaks in the middle of a frame',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'reset', half: true}}, ...AFTERWARDS],
  },
  {
    name: 'half-open',
    about: 'the server falls silent without a word, heartbeats too; a new stream is served again',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'silence', forMs: FOR_EVER}}, ...AFTERWARDS],
  },
  {
    name: 'unauthorized',
    about: 'the token is refused from the start',
    revision: 'r3',
    start: NOTHING,
    steps: [{afterMs: 0, when: 'always', do: {kind: 'refuse', what: 'all', status: 401, forMs: FOR_EVER}}],
  },
  {
    name: 'revoked',
    about: 'the token is refused after a while: at the next heartbeat',
    revision: 'r3',
    start: NOTHING,
    steps: [...OPENING, {afterMs: 200, do: {kind: 'refuse', what: 'all', status: 401, forMs: FOR_EVER}}],
  },
  {
    name: 'unavailable',
    about: 'opens are answered 503 for 5 s, then served',
    revision: 'r3',
    start: NOTHING,
    steps: [{afterMs: 0, when: 'always', do: {kind: 'refuse', what: 'opens', status: 503, forMs: 5_000}}, ...OPENING],
  },
]

/** Every scenario there is, the product's own first. */
export const scenarios: readonly Scenario[] = [tour, ...growing, ...gaps, ...callbacks, ...malformed, ...endings]

export function findScenario(name: string): Scenario | undefined {
  return scenarios.find((scenario) => scenario.name === name)
}
