import {expect, test} from 'vitest'
import {ask, frames, open, rig} from './testing/bridge-rig.ts'

/** What a reader at 18 is told by a server that restarted and has sent three. */
const restarts = [
  [
    'r1',
    {s: 0, rooms: {}},
    {from_sequence: 3, resumed_at: 3, reason: expect.stringMatching(/^the server restarted since/)},
    [],
  ],
  [
    'r2',
    {s: 2 ** 32, rooms: {}},
    {from_sequence: 18, resumed_at: 2 ** 32, reason: expect.any(String), rooms: [], all_rooms: true},
    [1, 2, 3].map((n) => ['message', {s: 2 ** 32 + n}]),
  ],
  [
    'r3',
    {s: 8, rooms: {'room-b': 4}},
    {
      from_sequence: 18,
      reason: expect.any(String),
      resumed_at: 8,
      resumed_position: {s: 8, 'r:room-b': 4},
      rooms: [],
      all_rooms: true,
    },
    [9, 10, 11].map((s) => ['message', {s}]),
  ],
] as const
test.each(restarts)('a restart is told by %s at the next open', (revision, start, gap, events) => {
  const {bridge, publish} = rig(revision, start)
  publish(3)
  const [state, ...rest] = frames(open(bridge, 0, 1, ask(18)))
  // What was asked for, not where the stream goes on.
  expect(state).toMatchObject(['connection_state', {cursor: 18}])
  expect(rest).toEqual([['gap', gap], ...events])
})

test('what expires while a stream catches up is told in its place', () => {
  const {bridge, publish} = rig('r1', undefined, {batch: 2})
  publish(4)
  open(bridge, 0, 1)
  publish(10)
  const [gap, next] = frames(bridge.written(1, 1))
  expect(gap).toEqual([
    'gap',
    {from_sequence: 2, resumed_at: 9, reason: expect.stringMatching(/^cursor 2 for agent agent-1/)},
  ])
  expect(next).toEqual(['message', {s: 10}])
})

test('an announced gap replaces the numbers under a live stream', () => {
  const {bridge, publish} = rig('r3', {s: 17, rooms: {'room-a': 42, 'room-b': 9}})
  publish(1)
  open(bridge, 0, 1)
  bridge.written(1, 1)
  const to = {s: 2, rooms: {'room-a': 7}}
  const outputs = bridge.gap(2, {to, reason: 'synthetic reset', rooms: ['room-a']})
  expect(outputs).toEqual([
    {
      kind: 'write',
      stream: 1,
      text: 'event: gap\ndata: {"from_sequence":18,"reason":"synthetic reset","resumed_at":2,"resumed_position":{"s":2,"r:room-a":7},"rooms":["room-a"]}\n\n',
    },
  ])
  publish(1)
  expect(frames(bridge.deliver(3))).toEqual([['message', {s: 3}]])
})

test.each([
  ['resumedAt', {from_sequence: 0, reason: 'r', resumed_at: 2, rooms: []}],
  ['neither', {from_sequence: 0, reason: 'r', rooms: []}],
] as const)('an announced gap can say less: %s', (says, said) => {
  const {bridge} = rig('r3')
  open(bridge, 0, 1)
  expect(frames(bridge.gap(1, {to: {s: 2, rooms: {}}, reason: 'r', rooms: [], says}))).toEqual([['gap', said]])
})
