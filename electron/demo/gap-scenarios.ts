import type {Scenario} from './scenario.ts'
import {AFTERWARDS, BOOT, burst, delegate, NOTHING, OPENING, QUICK_CALLBACKS, say} from './script.ts'

/** Losses the server declares, in all three revisions. */
export const gaps: readonly Scenario[] = [
  {
    name: 'gap',
    about: 'a gap that goes forward: room-a lost four messages, room-b none',
    revision: 'r3',
    start: {s: 15, rooms: {'room-a': 41, 'room-b': 8}},
    steps: [
      ...OPENING,
      {
        afterMs: 500,
        do: {
          kind: 'gap',
          reason: 'events older than the retention window were dropped; read room-a again',
          to: {s: 22, rooms: {'room-a': 47, 'room-b': 9}},
          rooms: ['room-a'],
        },
      },
      say(500, 'room-a', 'ben', 'did you see the last four?'),
      say(500, 'room-b', 'dana', 'nothing new here'),
    ],
  },
  {
    name: 'backward-reset',
    about: '18/43/9 is replaced by 2/7: s and room-a go back, room-b is removed; the next own event is 3',
    revision: 'r3',
    start: {s: 15, rooms: {'room-a': 41, 'room-b': 8}},
    steps: [
      ...OPENING,
      {
        afterMs: 500,
        do: {kind: 'gap', reason: 'synthetic reset', to: {s: 2, rooms: {'room-a': 7}}, rooms: ['room-a']},
      },
      delegate(500, 'room-a', 'dana', 'review the release notes'),
      say(500, 'room-b', 'ben', 'first message in here since'),
    ],
  },
  {
    name: 'slow-gap',
    about: 'the same fall from 18/43/9 to 2/7, and a gap callback that takes 8 s: until then the old position stands',
    revision: 'r3',
    start: {s: 15, rooms: {'room-a': 41, 'room-b': 8}},
    steps: [
      ...OPENING,
      {
        afterMs: 500,
        do: {kind: 'gap', reason: 'synthetic reset', to: {s: 2, rooms: {'room-a': 7}}, rooms: ['room-a']},
      },
      delegate(500, 'room-a', 'dana', 'review the release notes'),
    ],
    callbacks: [{label: 'gap', delayMs: 8_000}],
  },
  {
    name: 'backward-reset-r2',
    about: 'a server older than vectors goes back: only s is replaced',
    revision: 'r2',
    start: {s: BOOT + 15, rooms: {}},
    steps: [
      ...OPENING,
      {afterMs: 500, do: {kind: 'gap', reason: 'synthetic reset', to: {s: BOOT + 2, rooms: {}}, rooms: ['room-a']}},
      delegate(500, 'room-a', 'dana', 'review the release notes'),
    ],
  },
  {
    name: 'overflow',
    about: 'twelve messages while the client is away, of which the server kept five',
    revision: 'r3',
    start: NOTHING,
    retain: {count: 5},
    callbacks: QUICK_CALLBACKS,
    steps: [...OPENING, {afterMs: 500, do: {kind: 'close'}}, burst('away', 0, 12), ...AFTERWARDS],
  },
  {
    name: 'gap-during-catchup',
    about: 'the buffer overflows while a client that asked for all retained is still catching up',
    revision: 'r3',
    start: NOTHING,
    retain: {count: 30, batch: 5, batchPauseMs: 300},
    callbacks: QUICK_CALLBACKS,
    steps: [burst('always', 0, 25), burst('streaming', 700, 30), ...OPENING],
  },
  {
    name: 'restart-r1',
    about: 'the first revision restarts at 18 and counts anew: 18, then 3, 4, 5',
    revision: 'r1',
    start: NOTHING,
    callbacks: QUICK_CALLBACKS,
    steps: [
      burst('attached', 200, 18),
      {afterMs: 1_500, do: {kind: 'restart', to: NOTHING}},
      burst('away', 0, 3),
      ...AFTERWARDS,
    ],
  },
  {
    name: 'restart-r2',
    about: 'a restart that goes forward: the next boot has higher numbers, and every room may have lost something',
    revision: 'r2',
    start: {s: BOOT, rooms: {}},
    steps: [
      ...OPENING,
      {afterMs: 500, do: {kind: 'restart', to: {s: 2 * BOOT, rooms: {}}}},
      burst('away', 0, 2),
      ...AFTERWARDS,
    ],
  },
]
