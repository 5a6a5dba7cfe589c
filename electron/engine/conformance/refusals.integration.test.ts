import {expect, test} from 'vitest'
import type {Scenario} from '../../demo/scenario.ts'
import {findScenario} from '../../demo/scenarios.ts'
import {passTime, settleSockets} from '../testing/pass-time.ts'
import {createVirtualClock, type VirtualClock} from '../testing/virtual-clock.ts'
import {type Watched, watchDemo} from '../testing/watch-demo.ts'
import type {SeenOpen, StandIn} from '../testing/wiretap.ts'

/*
 * Switch note, sections 7 to 9, and T4 to T6 of section 11, over real sockets. The client's time is virtual, so that an hour
 * passes in a moment and "never again" can be seen.
 */

const HOUR_MS = 3_600_000

function detail(status: number, said: unknown): StandIn {
  return {status, contentType: 'application/json', body: JSON.stringify({detail: said})}
}

const TAKEN_OVER = detail(409, {code: 'taken_over', message: 'another stream holds this connection now'})
const MISMATCH = detail(409, {
  message: 'no common protocol',
  contract: 'agent-protocol',
  server: {version: null, speaks: 12, accepts: 9},
  client: {speaks: null, accepts: null},
  remedy: 'upgrade the client',
})

function scenarioNamed(name: string): Scenario {
  const scenario = findScenario(name)
  if (scenario === undefined) throw new Error(name)
  return scenario
}

function firstOpen({tap}: Watched): SeenOpen {
  const [open] = tap.opens
  if (open === undefined) throw new Error('nobody opened')
  return open
}

/** Opens since the beginning, after so much more time. */
async function countOpens({tap}: Watched, clock: VirtualClock, ms: number): Promise<number> {
  await passTime(clock, ms, tap)
  return tap.opens.length
}

/** After the last request there is nothing that could ever make another. */
async function expectNothingMore({tap}: Watched, clock: VirtualClock): Promise<void> {
  await settleSockets(tap)
  const requests = [tap.opens.length, tap.beats.length]
  await passTime(clock, HOUR_MS, tap)
  expect([tap.opens.length, tap.beats.length]).toEqual(requests)
  expect(clock.untilNext()).toBeUndefined()
}

test.each([
  ['takeover', 'a code'],
  ['takeover-r1', 'prose'],
])('T4: evicted by a takeover (%s, told by %s): exactly one open, no reopen ever', async (scenario) => {
  const clock = createVirtualClock()
  const watched = await watchDemo({scenario, clock})
  await watched.until(() => watched.state() === 'stopped', 'the stop')
  await expectNothingMore(watched, clock)
  expect(watched.tap.opens).toHaveLength(1)
  expect(watched.position()['s']).toBe(scenario === 'takeover' ? 2 ** 32 + 3 : 3)
  expect(watched.store.connection()?.state).toMatchObject({because: {kind: 'evicted', code: 'taken_over'}})
})

test.each(['takeover', 'takeover-r1'])(
  'T4: another stream that really attaches under the id (%s) ends this one for good',
  async (scenario) => {
    const clock = createVirtualClock()
    const quiet = {...scenarioNamed(scenario), steps: []}
    const watched = await watchDemo({scenario: quiet, clock})
    const {tap, until, state} = watched
    await until(() => state() === 'live' && tap.beats[0]?.status === 200, 'the stream and its first beat')
    const {query, headers} = firstOpen(watched)
    const other = await fetch(`${tap.url}/agents/release-bot/events?${query}`, {
      headers: {authorization: headers.authorization ?? '', accept: 'text/event-stream'},
    })
    expect(other.status).toBe(200)
    await until(() => state() === 'stopped', 'the stop')
    await expectNothingMore(watched, clock)
    expect(tap.opens).toHaveLength(2) // its own, and the other's
    await other.body?.cancel()
  },
)

test('T4: after a takeover only the user goes on, under a new id and from the position', async () => {
  const watched = await watchDemo({scenario: 'takeover'})
  await watched.until(() => watched.state() === 'stopped', 'the stop')
  await watched.engine.handlers['sources.newConnection']({source: watched.source})
  await watched.until(() => watched.state() === 'live', 'the new stream')
  const [first, second] = watched.tap.opens
  expect(second?.query.get('connection_id')).not.toBe(first?.query.get('connection_id'))
  expect(second?.query.get('start_from')).toBe(String(2 ** 32 + 3))
  expect(second?.query.has('expected_generation')).toBe(false)
})

test.each([0, 0.5, 0.999])(
  'T5: a server that closes at once for ever sees at most 8 opens in 60 s (jitter %d)',
  async (jitter) => {
    const clock = createVirtualClock(jitter)
    const watched = await watchDemo({scenario: 'instant-close', clock})
    const opens = await countOpens(watched, clock, 60_000)
    expect(opens).toBeLessThanOrEqual(8)
    expect(opens).toBeGreaterThanOrEqual(4)
  },
)

test.each([
  ['unauthorized', 'an open', 1, 0],
  ['revoked', 'a beat', 1, undefined],
])('T6: %s: 401 on %s is reported once, and nothing is asked again', async (scenario, _on, opens, beats) => {
  const clock = createVirtualClock()
  const watched = await watchDemo({scenario, clock})
  const {tap, store, state} = watched
  await watched.until(async () => {
    await passTime(clock, 500, tap)
    return state() === 'stopped'
  }, 'the stop')
  await expectNothingMore(watched, clock)
  expect(tap.opens).toHaveLength(opens)
  if (beats !== undefined) expect(tap.beats).toHaveLength(beats)
  expect(tap.beats.filter(({status}) => status === 401).length).toBe(scenario === 'revoked' ? 1 : 0)
  const reports = store.changes.filter(
    (change) =>
      change.kind === 'connectionChanged' &&
      change.connection.state.kind === 'stopped' &&
      change.connection.state.because.kind !== 'notStarted',
  )
  expect(
    new Set(reports.map((change) => JSON.stringify(change.kind === 'connectionChanged' && change.connection.state)))
      .size,
  ).toBe(1)
  expect(store.connection()?.state).toMatchObject({because: {refusal: {kind: 'credentials', status: 401}}})
})

const FINAL: readonly (readonly [name: string, answer: StandIn, kind: string])[] = [
  ['400', detail(400, "scope must be 'single' or 'all', got 'multi'"), 'badRequest'],
  ['401 in plain text', {status: 401, body: 'Invalid credentials'}, 'credentials'],
  ['401 for a registration token', detail(401, 'Not authenticated'), 'credentials'],
  ['403', detail(403, 'Agent is not a member of this room'), 'credentials'],
  ['409 protocol mismatch', MISMATCH, 'protocolMismatch'],
  ['409 taken over', TAKEN_OVER, 'takenOver'],
  ['410', detail(410, {code: 'transport_removed', message: 'use the WebSocket'}), 'transportRemoved'],
  [
    '422',
    detail(422, [{type: 'int_parsing', loc: ['query', 'expected_generation'], msg: 'not an integer'}]),
    'invalidParameter',
  ],
]

test.each(FINAL)('an open refused with %s stops the source after one request', async (_name, answer, kind) => {
  const clock = createVirtualClock()
  const watched = await watchDemo({clock, before: (tap) => tap.standIn(() => answer)})
  await watched.until(() => watched.state() === 'stopped', 'the stop')
  await expectNothingMore(watched, clock)
  expect(watched.tap.opens).toHaveLength(1)
  expect(watched.store.connection()?.state).toMatchObject({because: {kind: 'refused', refusal: {kind}}})
})

const PASSING: readonly (readonly [name: string, answer: StandIn, kind: string])[] = [
  ['404', detail(404, 'Not Found'), 'notFound'],
  [
    '409 too many connections',
    detail(409, 'agent a already has 32 open connections; close one first'),
    'connectionCap',
  ],
  ['409 without a code', detail(409, 'something else'), 'conflict'],
  ['429', detail(429, 'too many requests'), 'unavailable'],
  ['500', {status: 500, body: 'Internal Server Error'}, 'unavailable'],
  ['503', {status: 503, contentType: 'text/html', body: '<html><title>Unavailable</title></html>'}, 'unavailable'],
  ['200 that is no stream', {status: 200, contentType: 'application/json', body: '{}'}, 'unexpected'],
  ['204', {status: 204}, 'unexpected'],
  ['a broken socket', {status: 200, contentType: 'application/json', body: '{', afterwards: 'reset'}, 'unexpected'],
]

test.each(PASSING)(
  'an open refused with %s is tried again under the same id, ever more slowly, until it is let in',
  async (_name, answer, kind) => {
    const clock = createVirtualClock()
    const watched = await watchDemo({scenario: 'reject-once', clock, before: (tap) => tap.standIn(() => answer)})
    const {tap, store, state, until, position} = watched
    await until(() => state() === 'waiting', 'the first wait')
    expect(store.connection()?.state).toMatchObject({because: {kind: 'refused', refusal: {kind}}})
    expect(await countOpens(watched, clock, 60_000)).toBeLessThanOrEqual(8)
    tap.standIn(() => undefined)
    await passTime(clock, 30_000, tap)
    await until(() => state() === 'live' && position()['s'] !== undefined, 'the stream')
    expect(new Set(tap.opens.map(({query}) => query.get('connection_id'))).size).toBe(1)
  },
)

test('an open refused because the id belongs to another agent goes on under a new id, and keeps it', async () => {
  const clock = createVirtualClock()
  const watched = await watchDemo({clock, isForeign: (id) => id === 'watcher-1'})
  const {tap, store, until, state} = watched
  await until(() => state() === 'waiting', 'the refusal')
  await passTime(clock, 2_000, tap)
  await until(() => state() === 'live', 'the stream')
  const [first, second] = tap.opens.map(({query}) => query.get('connection_id'))
  expect(first).toBe('watcher-1')
  expect(second).not.toBe(first)
  expect((await store.load()).sources[0]?.record.connectionId).toBe(second)
  expect((await watched.view()).notices.map(({kind}) => kind)).toContain('newConnectionId')
})

test('an id that turns foreign after it was held is not fenced with the former incarnation', async () => {
  let foreign = false
  const clock = createVirtualClock()
  const watched = await watchDemo({scenario: 'steady', clock, isForeign: (id) => foreign && id === 'watcher-1'})
  const {tap, until, state} = watched
  await until(() => state() === 'live' && tap.beats[0]?.status === 200, 'the stream')
  foreign = true
  tap.breakStreams()
  await until(() => state() === 'waiting', 'the end')
  await passTime(clock, 10_000, tap)
  await until(() => state() === 'live' && tap.opens.length === 3, 'the stream under a new id')
  expect(tap.opens[1]?.query.has('expected_generation')).toBe(true)
  expect(tap.opens[2]?.query.has('expected_generation')).toBe(false)
})

const BEATS_FINAL: readonly (readonly [name: string, answer: StandIn])[] = [
  ['401', {status: 401, body: 'Invalid credentials'}],
  ['403', detail(403, 'Forbidden')],
  ['409 taken over', TAKEN_OVER],
  ['422', detail(422, [{type: 'int_type', loc: ['body', 'cursor'], msg: 'not an integer'}])],
]

test.each(BEATS_FINAL)('a beat refused with %s ends the stream for good', async (_name, answer) => {
  const clock = createVirtualClock()
  const watched = await watchDemo({
    clock,
    before: (tap) => tap.standIn(({kind}) => (kind === 'beat' ? answer : undefined)),
  })
  await watched.until(() => watched.state() === 'stopped', 'the stop')
  await expectNothingMore(watched, clock)
  expect([watched.tap.opens.length, watched.tap.beats.length]).toEqual([1, 1])
  expect(watched.tap.opens[0]?.over).toBe(true)
})

const BEATS_REOPEN: readonly (readonly [name: string, answer: StandIn])[] = [
  ['404', detail(404, 'connection watcher-1 is not open; reconnect')],
  ['409 in prose', detail(409, 'connection watcher-1 has no stream attached; reopen the event stream')],
  ['409 no stream', detail(409, {code: 'no_stream', message: 'reopen'})],
  ['409 unfenced', detail(409, {code: 'unfenced', message: 'send the generation'})],
  ['409 protocol mismatch', MISMATCH],
]

test.each(BEATS_REOPEN)(
  'a beat refused with %s reopens under the same id, and not in a storm',
  async (_name, answer) => {
    const clock = createVirtualClock()
    const watched = await watchDemo({
      clock,
      before: (tap) => tap.standIn(({kind}) => (kind === 'beat' ? answer : undefined)),
    })
    const {tap, until, state} = watched
    await until(async () => {
      await passTime(clock, 500, tap)
      return state() === 'waiting'
    }, 'the end of the stream')
    expect(await countOpens(watched, clock, 60_000)).toBeLessThanOrEqual(8)
    expect(tap.beats.length).toBeLessThanOrEqual(tap.opens.length)
    tap.standIn(() => undefined)
    await passTime(clock, 40_000, tap)
    await until(() => state() === 'live' && tap.beats.at(-1)?.status === 200, 'a stream that is beaten')
    expect(new Set(tap.opens.map(({query}) => query.get('connection_id'))).size).toBe(1)
  },
)

test.each([429, 500, 503])('beats refused with %d come more slowly, and the stream stays', async (status) => {
  const clock = createVirtualClock()
  const watched = await watchDemo({
    clock,
    before: (tap) => tap.standIn(({kind}) => (kind === 'beat' ? {status} : undefined)),
  })
  const {tap, until, view} = watched
  await until(() => tap.beats[0]?.status === status, 'the first refusal')
  await passTime(clock, 30_000, tap)
  expect(tap.beats.length).toBeLessThanOrEqual(5) // at 0, 2, 6, 14 and 30 s
  expect(tap.opens).toHaveLength(1)
  expect((await view()).connection).toMatchObject({state: 'live', heartbeat: 'stale'})
  tap.standIn(() => undefined)
  await passTime(clock, 30_000, tap)
  await until(async () => (await view()).connection.heartbeat === 'fresh', 'a fresh heartbeat')
})

test('a takeover told to a beat of a stream that is over is not about its successor', async () => {
  const late = Promise.withResolvers<StandIn>()
  const clock = createVirtualClock()
  const watched = await watchDemo({
    clock,
    before: (tap) => tap.standIn(({kind, n}) => (kind === 'beat' && n === 1 ? late.promise : undefined)),
  })
  const {tap, until, state} = watched
  await until(() => tap.beats.length === 1, 'the first beat')
  tap.breakStreams()
  await until(() => state() === 'waiting', 'the end')
  await passTime(clock, 1_000, tap)
  await until(() => state() === 'live' && tap.beats.at(-1)?.status === 200, 'the next stream')
  late.resolve(TAKEN_OVER)
  await passTime(clock, 10_000, tap)
  expect(state()).toBe('live')
  expect(tap.opens).toHaveLength(2)
})
