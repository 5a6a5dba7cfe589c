import {expect, test} from 'vitest'
import type {Bridge} from './bridge.ts'
import {CONNECTION_CAP} from './bridge-open.ts'
import type {Output} from './bridge-state.ts'
import {ask, frames, open, rig} from './testing/bridge-rig.ts'

/** A session that beats every 2 s and has been told everything. */
function beating(bridge: Bridge, from: number, to: number): readonly Output[] {
  const outputs: Output[] = []
  for (let now = from; now <= to; now += 2_000) {
    bridge.beat(now, {connectionId: 'c', cursor: 0})
    outputs.push(...bridge.tick(now))
  }
  return outputs
}

test('a stream begins with its state, and then with all that is retained', () => {
  const {bridge, publish} = rig('r1')
  publish(2)
  const [accepted, ...rest] = open(bridge, 0, 1)
  expect(accepted).toEqual({kind: 'accept', stream: 1})
  expect(frames(rest)).toMatchObject([
    ['connection_state', {connection_id: 'c', agent_id: 'agent-1', cursor: 0, protocol: 1, rooms: []}],
    ['message', {s: 1}],
    ['message', {s: 2}],
  ])
})

test('a generation is told by servers that have one, and is higher at each attach', () => {
  const generations = (['r1', 'r2', 'r3'] as const).map((revision) => {
    const {bridge} = rig(revision)
    const told = [open(bridge, 0, 1), open(bridge, 1, 2)].map((outputs) => JSON.stringify(frames(outputs)))
    return told.map((text) => /"generation":(\d+)/.exec(text)?.[1])
  })
  expect(generations).toEqual([
    [undefined, undefined],
    ['101', '102'],
    ['101', '102'],
  ])
})

test('a stream opened at the head gets only what comes later', () => {
  const {bridge, publish} = rig('r1')
  publish(2)
  expect(frames(open(bridge, 0, 1, ask('head')))).toMatchObject([['connection_state', {cursor: 2}]])
  publish(1)
  expect(frames(bridge.deliver(1))).toEqual([['message', {s: 3}]])
})

test('the next batch waits for the carrier', () => {
  const {bridge, publish} = rig('r1', undefined, {batch: 2})
  publish(5)
  const ids = (outputs: readonly Output[]) =>
    frames(outputs)
      .slice(-2)
      .map((frame) => JSON.stringify(frame).match(/"s":(\d)/)?.[1])
  expect(ids(open(bridge, 0, 1))).toEqual(['1', '2'])
  expect(bridge.tick(1)).toEqual([])
  expect(bridge.status(1)).toMatchObject({attached: 1, caughtUp: false})
  expect(ids(bridge.written(2, 1))).toEqual(['3', '4'])
  expect(frames(bridge.written(3, 1))).toEqual([['message', {s: 5}]])
  expect(bridge.written(4, 1)).toEqual([])
  expect(bridge.status(4)).toMatchObject({caughtUp: true})
})

test.each([
  ['r1', {from_sequence: 5, resumed_at: 5, reason: expect.stringMatching(/^events older than the retention window/)}],
  ['r2', {from_sequence: 1, resumed_at: 5, reason: expect.any(String), rooms: ['room-a'], all_rooms: false}],
  [
    'r3',
    {
      from_sequence: 1,
      reason: expect.any(String),
      resumed_at: 5,
      resumed_position: {s: 5, 'r:room-a': 5},
      rooms: ['room-a'],
    },
  ],
] as const)('what expired is told by %s at the open, and the rest follows', (revision, gap) => {
  const {bridge, publish} = rig(revision)
  publish(10)
  const [, ...rest] = frames(open(bridge, 0, 1, ask(1)))
  expect(rest).toEqual([['gap', gap], ...[6, 7, 8, 9, 10].map((s) => ['message', {s}])])
})

test('a connection that beats every 2 s lives', () => {
  const {bridge} = rig('r2')
  open(bridge, 0, 1)
  expect(beating(bridge, 0, 60_000).filter(({kind}) => kind === 'end')).toEqual([])
})

test.each([
  ['r1', {reason: 'heartbeat lapsed'}],
  ['r2', {code: 'heartbeat_lapsed', reason: 'heartbeat lapsed', room_id: null}],
] as const)('six seconds after the last beat %s evicts at its next sweep', (revision, said) => {
  const {bridge} = rig(revision)
  open(bridge, 0, 1)
  expect(beating(bridge, 0, 4_000)).toEqual([])
  expect([6_000, 8_000, 10_000].flatMap((now) => bridge.tick(now))).toEqual([])
  const outputs = bridge.tick(12_000)
  expect(frames(outputs)).toEqual([['evicted', said]])
  expect(outputs.at(-1)).toEqual({kind: 'end', stream: 1})
  expect(bridge.beat(12_100, {connectionId: 'c', cursor: 0})).toMatchObject({status: 404})
})

test('a stream attached elsewhere takes the connection: later servers tell the loser at once', () => {
  const {bridge} = rig('r2')
  open(bridge, 0, 1)
  const outputs = open(bridge, 1, 2)
  expect(outputs.slice(0, 3).map(({kind, stream}) => [kind, stream])).toEqual([
    ['write', 1],
    ['end', 1],
    ['accept', 2],
  ])
  expect(frames(outputs)[0]).toMatchObject(['evicted', {code: 'taken_over'}])
  // The loser's socket closing is not the winner's.
  bridge.closed(1)
  expect(bridge.status(2).attached).toBe(1)
})

test('the first revision tells the loser when an event or the keepalive wakes it', () => {
  const woken = rig('r1')
  open(woken.bridge, 0, 1)
  expect(frames(open(woken.bridge, 1, 2))).toMatchObject([['connection_state', {}]])
  woken.publish(1)
  expect(frames(woken.bridge.deliver(2))[0]).toEqual([
    'evicted',
    {reason: 'another stream attached to this connection'},
  ])
  const idle = rig('r1')
  open(idle.bridge, 0, 1)
  open(idle.bridge, 1, 2)
  expect(frames(idle.bridge.tick(1_000))).toEqual([])
  expect(frames(idle.bridge.tick(15_001))[0]).toEqual([
    'evicted',
    {reason: 'another stream attached to this connection'},
  ])
})

test.each([
  ['r1', true],
  ['r2', false],
] as const)('an open that still holds an old incarnation: served by %s is %s', (revision, served) => {
  const {bridge} = rig(revision)
  open(bridge, 0, 1)
  open(bridge, 1, 2)
  const again = bridge.open(2, 3, ask(0, {expectedGeneration: 101}))
  expect(again.ok).toBe(served)
  if (!again.ok) expect(again.error).toMatchObject({status: 409, body: expect.stringContaining('"taken_over"')})
  expect(bridge.open(3, 4, ask(0, {expectedGeneration: served ? 103 : 102})).ok).toBe(true)
})

test('a beat of an old incarnation is told of the takeover', () => {
  const {bridge} = rig('r2')
  open(bridge, 0, 1)
  open(bridge, 1, 2)
  expect(bridge.beat(2, {connectionId: 'c', cursor: 0, generation: 101})).toMatchObject({status: 409})
  expect(bridge.beat(2, {connectionId: 'c', cursor: 0, generation: 102})).toMatchObject({status: 200})
})

test('an eviction by takeover leaves the connection to the other, for good', () => {
  const {bridge} = rig('r2')
  open(bridge, 0, 1)
  bridge.evict(1, 'taken_over')
  expect(bridge.beat(2, {connectionId: 'c', cursor: 0, generation: 101})).toMatchObject({status: 409})
  expect(bridge.open(3, 2, ask(0, {expectedGeneration: 101}))).toMatchObject({ok: false, error: {status: 409}})
  bridge.tick(60_000)
  expect(bridge.beat(60_001, {connectionId: 'c', cursor: 0})).toMatchObject({status: 409})
})

test('an agent has at most 32 connections, and a lapsed one makes room', () => {
  const {bridge} = rig('r1')
  for (let n = 0; n < CONNECTION_CAP; n++) open(bridge, 0, n, ask(0, {connectionId: `c${n}`}))
  const over = bridge.open(1, 99, ask(0, {connectionId: 'over'}))
  expect(over).toMatchObject({
    ok: false,
    error: {status: 409, body: expect.stringContaining('already has 32 open connections')},
  })
  // One that is known may come back.
  expect(bridge.open(1, 100, ask(0, {connectionId: 'c0'})).ok).toBe(true)
  bridge.tick(10_000)
  expect(bridge.open(10_001, 101, ask(0, {connectionId: 'over'})).ok).toBe(true)
})

test('an id of another agent is not open here', () => {
  const {bridge} = rig('r1', undefined, {isForeign: (id) => id === 'theirs'})
  expect(bridge.open(0, 1, ask(0, {connectionId: 'theirs'}))).toMatchObject({
    ok: false,
    error: {status: 409, body: '{"detail":"connection theirs is not open; reconnect and resume from your cursor"}'},
  })
})

test('a beat without a stream is a conflict, and one of nobody is not found', () => {
  const {bridge} = rig('r1')
  open(bridge, 0, 1)
  bridge.closed(1)
  expect(bridge.beat(1, {connectionId: 'c', cursor: 0})).toMatchObject({
    status: 409,
    body: expect.stringContaining('no stream attached'),
  })
  expect(bridge.beat(1, {connectionId: 'never', cursor: 0})).toMatchObject({status: 404})
})

test('a beat that reports too much swallows events, and is answered with the server’s own cursor', () => {
  const {bridge, publish} = rig('r1', undefined, {batch: 1})
  publish(5)
  open(bridge, 0, 1)
  expect(bridge.beat(1, {connectionId: 'c', cursor: 99})).toMatchObject({
    status: 200,
    body: '{"ok":true,"rooms":[],"cursor":5}',
  })
  expect(bridge.written(2, 1)).toEqual([])
})

test('an idle stream gets a keepalive every 15 s, counted from the last byte', () => {
  const {bridge, publish} = rig('r1')
  open(bridge, 0, 1)
  publish(1)
  bridge.deliver(10_000)
  bridge.written(10_000, 1)
  bridge.beat(10_000, {connectionId: 'c', cursor: 0})
  expect(beating(bridge, 10_000, 24_000)).toEqual([])
  expect(beating(bridge, 25_000, 38_000)).toEqual([{kind: 'write', stream: 1, text: ': keepalive\n\n'}])
})

test('a half-open stream hears nothing and its beats are never answered; a new one is served', () => {
  const {bridge, publish} = rig('r2')
  open(bridge, 0, 1)
  bridge.mute(1e9)
  publish(1)
  expect(bridge.deliver(1)).toEqual([])
  expect(bridge.beat(2, {connectionId: 'c', cursor: 0})).toBeUndefined()
  expect(bridge.status(2).attached).toBe(0)
  expect(bridge.tick(20_000)).toEqual([])
  expect(frames(open(bridge, 21_000, 2))).toMatchObject([
    ['connection_state', {}],
    ['message', {s: 1}],
  ])
})

test('a restart breaks every socket and forgets every connection', () => {
  const {bridge} = rig('r1')
  open(bridge, 0, 1)
  open(bridge, 1, 2)
  expect(bridge.restart()).toEqual([
    {kind: 'reset', stream: 2},
    {kind: 'reset', stream: 1},
  ])
  expect(bridge.beat(2, {connectionId: 'c', cursor: 0})).toMatchObject({status: 404})
})

test('a connection without rooms and with the narrow scope is parked', () => {
  const {bridge, publish} = rig('r1')
  publish(2)
  expect(frames(open(bridge, 0, 1, ask(0, {scope: 'single'})))).toMatchObject([['connection_state', {scope: 'single'}]])
  expect(bridge.nextDue(0)).toBeLessThanOrEqual(15_000)
  bridge.tick(0)
  expect(bridge.nextDue(1)).toBeGreaterThan(1)
})
