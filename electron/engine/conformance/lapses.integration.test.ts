import {expect, test} from 'vitest'
import {hasten, REAL_TIMING} from '../../demo/bridge-state.ts'
import {serveCaptures} from '../testing/capture.ts'
import {passTime, settleSockets} from '../testing/pass-time.ts'
import {createVirtualClock} from '../testing/virtual-clock.ts'
import {type Watched, watchDemo} from '../testing/watch-demo.ts'

/* Switch note, sections 7 and 8, and T7 and T8 of section 11, over real sockets. */

const REAL_DEADLINES = {openMs: 10_000, beatMs: 4_000}

/** The own numbers of the frames that were handled, in the order of their handling. */
function handled({store}: Watched): readonly (number | undefined)[] {
  return store.changes.flatMap((change) => {
    if (change.kind === 'frameJournaled' && change.outcome === 'handled') return [ownOf(change.frame.bytes)]
    if (change.kind !== 'frameSettled' || change.outcome !== 'handled') return []
    const tracked = store.frames.get(change.frame)
    return tracked === undefined ? [] : [ownOf(tracked.frame.bytes)]
  })
}

function ownOf(bytes: Uint8Array): number | undefined {
  const id = /^id: (\d+)$/m.exec(Buffer.from(bytes).toString('utf8'))?.[1]
  return id === undefined ? undefined : Number(id)
}

test.each(['none', 'scenario'] as const)(
  'T7: beats answered 503 for 8 s: evicted, reopened from the position, no event lost or repeated (callbacks: %s)',
  async (callbacks) => {
    const watched = await watchDemo({scenario: 'lapse', callbacks, timing: REAL_TIMING, speed: 8})
    const {tap, store, until} = watched
    await until(() => store.own() === 7, 'the last message')
    expect(handled(watched)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const endings = store.changes.flatMap((change) =>
      change.kind === 'connectionChanged' && change.connection.state.kind === 'waiting'
        ? [change.connection.state.because]
        : [],
    )
    expect(endings).toContainEqual(expect.objectContaining({kind: 'evicted', code: 'heartbeat_lapsed'}))
    expect(tap.beats.some(({status}) => status === 503)).toBe(true)
    expect(tap.opens.length).toBeGreaterThanOrEqual(2)
  },
)

test('T7: the captured lapse resumes after its last event', async () => {
  const captures = serveCaptures('heartbeat_lapse.1', 'heartbeat_lapse.2')
  const watched = await watchDemo({before: (tap) => tap.standIn(captures)})
  await watched.until(() => watched.store.own() === 2, 'the second event')
  expect(watched.tap.opens.map(({query}) => query.get('start_from'))).toEqual(['0', '1'])
  expect(handled(watched)).toEqual([1, 2])
})

test('T8: after a sleep of 10 s the first beat finds the connection gone: one reopen, and no beat before its introduction', async () => {
  const clock = createVirtualClock()
  const {tap, store, state, until} = await watchDemo({scenario: 'unknown-frame', clock})
  await until(() => store.own() === 5 && tap.beats[0]?.status === 200, 'everything, and a first beat')
  await settleSockets(tap)
  const beats = tap.beats.length
  tap.standIn(({kind, n}) => {
    if (kind === 'beat')
      return n === beats + 1 ? {status: 404, body: '{"detail":"connection watcher-1 is not open"}'} : undefined
    return {status: 200, contentType: 'text/event-stream', afterwards: 'stay'} // it says nothing yet
  })
  clock.sleep(10_000)
  await until(async () => {
    await passTime(clock, 500, tap)
    return state() === 'waiting'
  }, 'the end of the stream')
  expect(store.connection()?.state).toMatchObject({because: {kind: 'asleep'}})
  await passTime(clock, 20_000, tap)
  expect(state()).toBe('live')
  expect(tap.opens).toHaveLength(2)
  expect(tap.opens[1]?.query.get('start_from')).toBe(String(store.own()))
  expect(tap.beats).toHaveLength(beats + 1)
  tap.standIn(() => undefined)
  tap.breakStreams()
  await until(() => state() === 'waiting', 'the end of the silent stream')
  await passTime(clock, 5_000, tap)
  await until(() => state() === 'live' && tap.beats.at(-1)?.status === 200, 'a stream that is introduced, then beaten')
})

test('a half-open socket: the heartbeat goes stale first, and after 45 s of silence the stream is opened again from the position', async () => {
  const clock = createVirtualClock()
  const {tap, store, state, view, until} = await watchDemo({scenario: 'reject-once', clock, transport: REAL_DEADLINES})
  await until(() => store.own() === 4 && tap.beats[0]?.status === 200, 'the messages, and a first beat')
  tap.freeze()
  await passTime(clock, 12_000, tap)
  expect((await view()).connection).toMatchObject({state: 'live', heartbeat: 'stale'})
  await passTime(clock, 26_000, tap)
  expect(state()).toBe('live')
  expect(tap.opens).toHaveLength(1)
  await until(async () => {
    await passTime(clock, 1_000, tap)
    return state() === 'waiting'
  }, 'the end')
  expect(store.connection()?.state).toMatchObject({because: {kind: 'silent'}})
  expect((await view()).connection.heartbeat).toBe('none')
  tap.thaw()
  await passTime(clock, 2_000, tap)
  await until(() => state() === 'live', 'the next stream')
  expect(tap.opens.map(({query}) => query.get('start_from'))).toEqual(['0', '4'])
})

test('a quiet server that is alive is never given up: its keepalives are enough', async () => {
  const quiet = {name: 'quiet', about: '', revision: 'r3', start: {s: 0, rooms: {}}, steps: []} as const
  const {tap, clock, until, state} = await watchDemo({scenario: quiet, speed: 30})
  await until(() => state() === 'live', 'the stream')
  const since = clock.monotonic()
  await until(() => clock.monotonic() - since > 100_000, 'a while')
  expect(tap.opens).toHaveLength(1)
  expect(state()).toBe('live')
})

test('beats keep the pace that the server announces, within what is sane', async () => {
  const timing = {...hasten(REAL_TIMING, 1), heartbeatMs: 1_000, ttlMs: 60_000}
  const clock = createVirtualClock()
  const {tap, until} = await watchDemo({scenario: 'steady', clock, timing})
  await until(() => tap.beats[0]?.status === 200, 'the first beat')
  await passTime(clock, 10_000, tap)
  expect(tap.beats.length).toBeLessThanOrEqual(11)
  expect(tap.beats.length).toBeGreaterThanOrEqual(7)
})
