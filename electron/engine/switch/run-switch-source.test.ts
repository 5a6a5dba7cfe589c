import {afterEach, expect, test} from 'vitest'
import {err} from '../../../shared/base/result.ts'
import {epochMs} from '../../../shared/base/units.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import {positionToJson} from '../../../shared/position/position.ts'
import type {Refusal} from '../../../shared/source/refusal.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import type {Callbacks} from '../callbacks.ts'
import {freshRun} from '../load-run.ts'
import {createSourceController, type SourceController} from '../source-controller.ts'
import {StoreFailure} from '../store/store.ts'
import {createScriptedTransport} from '../testing/scripted-transport.ts'
import {createVirtualClock, settle, type VirtualClock} from '../testing/virtual-clock.ts'
import {connectionState, evicted, frame, gap, message} from '../testing/wire-text.ts'
import {watchSwitch} from './watch-switch.ts'

const open: {readonly controller: SourceController; readonly clock: VirtualClock}[] = []
afterEach(async () => {
  for (const {controller, clock} of open.splice(0)) {
    const stopped = controller.stop()
    await clock.advance(10_000) // a callback that never ends is waited for no longer than its grace
    await stopped
  }
})

test('a stream is opened, introduced, then beaten; never before', async () => {
  const {transport, clock} = watch()
  await settle()
  expect(transport.beats).toHaveLength(0)
  await clock.advance(5_000)
  expect(transport.beats).toHaveLength(0)
  transport.streams[0]?.write(connectionState())
  await clock.advance(2_000)
  expect(transport.beats.map(({cursor}) => cursor)).toEqual([0, 0])
})

test('beats report the acknowledged own sequence, also while a callback is pending', async () => {
  const callback = Promise.withResolvers<void>()
  const {transport, clock, position} = watch({onEvent: () => callback.promise})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(4_000)
  expect(transport.beats.map(({cursor}) => cursor)).toEqual([0, 0, 0])
  callback.resolve()
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(5)
  expect(position()).toEqual({s: 5})
})

test('after a gap that goes back the beats go back with it at once', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 18}) + gap({resumed_at: 2, resumed_position: {s: 2}}))
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(2)
})

test('a gap that goes back caps the beats from when it is here, long before its callback resolves', async () => {
  const callback = Promise.withResolvers<void>()
  const {transport, clock, position} = watch({onGap: () => callback.promise})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 18}))
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(18)
  transport.streams[0]?.write(gap({resumed_at: 2, resumed_position: {s: 2}}))
  await clock.advance(4_000)
  expect(position()).toEqual({s: 18})
  expect(transport.beats.at(-1)?.cursor).toBe(2)
  callback.resolve()
  transport.streams[0]?.write(message({s: 3}))
  await clock.advance(4_000)
  expect(transport.beats.at(-1)?.cursor).toBe(3)
})

test('a gap that waits behind a stuck callback caps the beats as well', async () => {
  const {transport, clock} = watch({
    onEvent: ({frame: {data}}) => (data['type'] === 'stuck' ? new Promise<void>(() => {}) : Promise.resolve()),
  })
  await settle()
  transport.streams[0]?.write(
    connectionState() + message({s: 18}) + frame('message', {type: 'stuck', position: {s: 19}}),
  )
  await clock.advance(2_000)
  transport.streams[0]?.write(gap({resumed_at: 4}))
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(4)
})

test('the first beat of a reopened stream reports nothing: a gap that goes back may still be on its way', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 18}))
  await clock.advance(2_000)
  transport.streams[0]?.end()
  const before = transport.beats.length
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState())
  await settle()
  expect(transport.beats.slice(before).map(({cursor}) => cursor)).toEqual([0])
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(18)
})

test('a callback that never resolves: beats go on with the old position, and no further frame is handled', async () => {
  let calls = 0
  const stuck = () => {
    calls += 1
    return new Promise<void>(() => {})
  }
  const {transport, clock, position, run} = watch({onEvent: stuck})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 1}) + message({s: 2}))
  await clock.advance(60_000)
  expect(calls).toBe(1)
  expect(position()).toEqual({})
  expect(transport.beats.length).toBeGreaterThan(20)
  expect(run.openAttempt).toMatchObject({n: 1, state: 'pending'})
})

test('a rejected frame closes the stream, and its redelivery is attempt 2 from the unmoved position', async () => {
  const {transport, clock, position, attempts} = watch({onEvent: rejectingOnce()})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await settle()
  expect(transport.streams[0]?.ended()).toBe(true)
  expect(position()).toEqual({})
  await clock.advance(1_000)
  expect(transport.streams[1]?.request.from).toBe(0)
  transport.streams[1]?.write(connectionState() + message({s: 5}))
  await settle()
  expect(position()).toEqual({s: 5})
  expect(attempts()).toEqual(['1 rejected', '2 resolved'])
})

test('where the server sends another frame first, the rejected one is brought from the journal before it', async () => {
  const seen: unknown[] = []
  const reject = rejectingOnce()
  const {transport, clock, position} = watch({
    onEvent: async (delivery, signal) => {
      seen.push(delivery.frame.kind === 'event' && delivery.frame.data['position'])
      await reject(delivery, signal)
    },
  })
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState() + message({s: 6}))
  await settle()
  expect(seen).toEqual([{s: 5}, {s: 5}, {s: 6}])
  expect(position()).toEqual({s: 6})
})

test('a rejected frame that the server does not send again comes from the journal 3 s after the reopen', async () => {
  const {transport, clock, attempts, position} = watch({onEvent: rejectingOnce()})
  await settle()
  transport.streams[0]?.write(connectionState() + message({'r:room-a': 5}))
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState())
  await clock.advance(2_000)
  expect(attempts()).toEqual(['1 rejected'])
  await clock.advance(2_000)
  expect(attempts()).toEqual(['1 rejected', '2 resolved'])
  expect(position()).toEqual({'r:room-a': 5})
})

test('a frame that the journal brought and the server sends after all is the next attempt, not the first', async () => {
  const {transport, clock, attempts} = watch({onEvent: rejectingOnce()})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState() + message({s: 6}))
  await settle()
  transport.streams[1]?.write(message({s: 5}))
  await settle()
  expect(attempts()).toEqual(['1 rejected', '2 resolved', '1 resolved', '3 resolved'])
})

test('a number that the journal brings in the middle of a stream is not reported on it: its own frames tell what arrived', async () => {
  const {transport, clock, position} = watch({onEvent: rejectingOnce()})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 50}))
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState())
  await clock.advance(8_000)
  expect(position()).toEqual({s: 50})
  expect(transport.beats.map(({cursor}) => cursor)).not.toContain(50)
  transport.streams[1]?.write(message({s: 51}))
  await clock.advance(2_000)
  expect(transport.beats.at(-1)?.cursor).toBe(51)
})

test('a gap does not carry the cursor past a rejected frame either', async () => {
  const reject = rejectingOnce()
  const {transport, clock, changes} = watch({onEvent: reject})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(1_000)
  transport.streams[1]?.write(connectionState() + gap({resumed_at: 9, resumed_position: {s: 9}}))
  await settle()
  const causes = changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move.cause] : []))
  expect(causes).toEqual(['handled', 'gapReplaced'])
})

test('a gap whose callback rejected is brought from the journal first: where it leads is where the stream opens', async () => {
  const {transport, clock, attempts, position} = watch({onGap: rejectingOnce()})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 18}) + gap({resumed_at: 2, resumed_position: {s: 2}}))
  await clock.advance(5_000)
  expect(transport.streams.map(({request}) => request.from)).toEqual([0, 2])
  expect(attempts()).toEqual(['1 resolved', '1 rejected', '2 resolved'])
  expect(position()).toEqual({s: 2})
})

test('a frame that fails three times holds the source: stream closed, beats stopped, nothing stepped over', async () => {
  const {transport, clock, run, position} = watch({onEvent: () => Promise.reject(new Error('poison'))})
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(connectionState() + message({s: 5}))
    await settle()
    if (delivery < 2) await clock.advance(30_000)
  }
  expect(run.state).toMatchObject({kind: 'held', because: {kind: 'rejected'}})
  const beats = transport.beats.length
  await clock.advance(600_000)
  expect(transport.streams).toHaveLength(3)
  expect(transport.beats).toHaveLength(beats)
  expect(position()).toEqual({})
})

test('a held frame that the user skips moves the cursor with that cause and that reason', async () => {
  const {transport, clock, controller, position, changes} = watch({onEvent: () => Promise.reject(new Error('poison'))})
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(connectionState() + message({s: 5}))
    await clock.advance(30_000)
  }
  await controller.skip('known to be broken')
  controller.start()
  await settle()
  expect(position()).toEqual({s: 5})
  expect(changes).toContainEqual(
    expect.objectContaining({
      kind: 'cursorMoved',
      move: expect.objectContaining({cause: 'skipped', reason: 'known to be broken'}),
    }),
  )
  expect(transport.streams.at(-1)?.request.from).toBe(5)
})

test('a malformed frame moves nothing and reopens; three in a row at one position hold the source', async () => {
  const {transport, clock, run, position} = watch()
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(`${connectionState()}event: message\ndata: {not json}\n\n`)
    await clock.advance(10_000)
  }
  expect(run.state).toMatchObject({kind: 'held', because: {kind: 'malformed'}})
  expect(position()).toEqual({})
  expect(run.counts.malformed).toBe(3)
})

test('a malformed frame that the user skips is passed over where it comes again', async () => {
  const {transport, clock, controller, position} = watch()
  const broken = frame('message', {type: 'message', position: {s: -1}})
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(connectionState() + broken)
    await clock.advance(10_000)
  }
  await controller.skip('the server cannot mend it')
  controller.start()
  await settle()
  transport.streams[3]?.write(connectionState() + broken + message({s: 6}))
  await settle()
  expect(position()).toEqual({s: 6})
})

test('what the user passed over counts only while the position stays', async () => {
  const {transport, clock, controller, run} = watch()
  const broken = frame('message', {type: 'message', position: {s: -1}})
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(connectionState() + broken)
    await clock.advance(10_000)
  }
  await controller.skip('the server cannot mend it')
  controller.start()
  await settle()
  transport.streams[3]?.write(connectionState() + broken + message({s: 6}))
  await settle()
  expect(run.state.kind).toBe('live')
  transport.streams[3]?.write(broken)
  await settle()
  expect(run.state).toMatchObject({kind: 'waiting', because: {kind: 'malformed'}})
})

test('each frame of a run is drawn where it moved, judged from where the one before it led', async () => {
  const {transport, changes} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 1, 'r:a': 2}) + message({s: 2, 'r:a': 2, 'r:b': 1}))
  await settle()
  const lanes = changes.flatMap((change) => (change.kind === 'frameJournaled' ? [change.frame.lane] : []))
  expect(lanes).toEqual([undefined, 'r:a', 'r:b'])
})

test('frames before a malformed one are acknowledged, those behind it are not', async () => {
  const {transport, position} = watch()
  await settle()
  transport.streams[0]?.write(`${connectionState() + message({s: 1})}data: [\n\n${message({s: 2})}`)
  await settle()
  expect(position()).toEqual({s: 1})
})

test.each([
  ['a code', {code: 'taken_over', reason: 'x'}],
  ['the older prose', {reason: 'another stream attached to this connection'}],
])('taken over, told by %s: exactly one open, no reopen ever', async (_how, fields) => {
  const {transport, clock, run} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + evicted(fields))
  await clock.advance(3_600_000)
  expect(transport.streams).toHaveLength(1)
  expect(run.state).toMatchObject({kind: 'stopped', because: {kind: 'evicted', code: 'taken_over'}})
})

test('a lapsed heartbeat reopens from the position', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 7}) + evicted({code: 'heartbeat_lapsed', reason: 'x'}))
  await clock.advance(1_000)
  expect(transport.streams[1]?.request.from).toBe(7)
})

test('a server that closes every stream at once sees at most 8 opens in 60 s', async () => {
  const {transport, clock} = watch({}, {jitter: 0})
  for (let elapsed = 0; elapsed < 60_000; elapsed += 250) {
    transport.streams.at(-1)?.end()
    await clock.advance(250)
  }
  expect(transport.streams.length).toBeLessThanOrEqual(8)
  expect(transport.streams.length).toBeGreaterThan(3)
})

test('after a stream that lasted 30 s the pause begins anew', async () => {
  const {transport, clock, run} = watch()
  for (let stream = 0; stream < 4; stream++) {
    await settle()
    transport.streams[stream]?.end()
    await clock.advance(20_000)
  }
  transport.streams.at(-1)?.write(connectionState())
  await clock.advance(31_000)
  transport.streams.at(-1)?.end()
  await settle()
  expect(run.state).toMatchObject({kind: 'waiting', delayMs: 750})
})

test('a refused token is reported once, and never sent again', async () => {
  const {transport, clock, run} = watch({}, {refuse: {kind: 'credentials', status: 401, detail: 'Invalid credentials'}})
  await clock.advance(3_600_000)
  expect(transport.streams).toHaveLength(0)
  expect(run.state).toMatchObject({kind: 'stopped', because: {kind: 'refused', refusal: {kind: 'credentials'}}})
})

test('a token refused on a beat stops as well', async () => {
  const {transport, clock, run} = watch()
  transport.answerBeats(err({kind: 'credentials', status: 401, detail: 'Invalid credentials'}))
  await settle()
  transport.streams[0]?.write(connectionState())
  await clock.advance(3_600_000)
  expect(transport.streams).toHaveLength(1)
  expect(transport.beats).toHaveLength(1)
  expect(run.state.kind).toBe('stopped')
})

test('beats that are answered by 503 slow down and show as stale, and the stream goes on', async () => {
  const {transport, clock, run} = watch()
  transport.answerBeats(err({kind: 'unavailable', status: 503, detail: ''}))
  await settle()
  transport.streams[0]?.write(connectionState())
  await clock.advance(14_000)
  expect(run.heartbeat).toBe('stale')
  expect(transport.beats).toHaveLength(4) // at 0, 2, 6 and 14 s
  expect(transport.streams).toHaveLength(1)
})

test('after a sleep the first beat finds the connection gone: one reopen, no beat before its introduction', async () => {
  const {transport, clock, run} = watch()
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 3}))
  await clock.advance(2_000)
  clock.sleep(20_000)
  transport.answerBeats(err({kind: 'notFound', detail: 'connection c is not open'}))
  await clock.advance(2_000)
  const beats = transport.beats.length
  await clock.advance(10_000)
  expect(transport.streams).toHaveLength(2)
  expect(transport.streams[1]?.request.from).toBe(3)
  expect(transport.beats).toHaveLength(beats)
  expect(run.state.kind).toBe('live')
})

test('a socket on which nothing comes for 45 s is given up, and not before', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState())
  await clock.advance(44_000)
  expect(transport.streams[0]?.ended()).toBe(false)
  transport.streams[0]?.write(': keepalive\n\n')
  await clock.advance(44_000)
  expect(transport.streams[0]?.ended()).toBe(false)
  await clock.advance(2_000)
  expect(transport.streams[0]?.ended()).toBe(true)
})

test('a socket lost while a callback is pending: the position moves once, and the next open waits for it', async () => {
  const callback = Promise.withResolvers<void>()
  const {transport, clock, position} = watch({onEvent: () => callback.promise})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await settle()
  transport.streams[0]?.end({kind: 'dropped', code: 'ECONNRESET'})
  await clock.advance(60_000)
  expect(transport.streams).toHaveLength(1)
  callback.resolve()
  await clock.advance(2_000)
  expect(position()).toEqual({s: 5})
  expect(transport.streams[1]?.request.from).toBe(5)
})

test('the incarnation is sent back on beats and on the reopen', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState({generation: 77}))
  await settle()
  expect(transport.beats[0]).toMatchObject({generation: 77})
  transport.streams[0]?.end()
  await clock.advance(2_000)
  expect(transport.streams[1]?.request.expectedGeneration).toBe(77)
})

test('an open that was answered and broke before its introduction names no incarnation the next time', async () => {
  const {transport, clock} = watch()
  await settle()
  transport.streams[0]?.write(connectionState({generation: 77}))
  await settle()
  transport.streams[0]?.end()
  await clock.advance(2_000)
  transport.streams[1]?.end({kind: 'dropped', code: 'ECONNRESET'})
  await clock.advance(4_000)
  expect(transport.streams.map(({request}) => request.expectedGeneration)).toEqual([undefined, 77, undefined])
})

test('after a refused beat the reopen waits the 2 s that the server asks for', async () => {
  const {transport, clock, run} = watch()
  await settle()
  transport.answerBeats(err({kind: 'notFound', detail: 'connection c is not open'}))
  transport.streams[0]?.write(connectionState())
  await clock.advance(1_500)
  expect(run.state).toMatchObject({kind: 'waiting', delayMs: 2_000})
})

test('a connection id that belongs to another agent is replaced by a new one', async () => {
  const {transport, clock, run} = watch({}, {refuse: {kind: 'foreignConnectionId', detail: 'x'}})
  const before = 'connection'
  await clock.advance(2_000)
  expect(run.record.connectionId).not.toBe(before)
  expect(transport.streams[0]?.request.connectionId).toBe(run.record.connectionId)
})

test('a full disk stops the reading, not the source: it goes on from the same position once there is room', async () => {
  const {transport, clock, run, position, disk} = watch()
  await settle()
  disk.full = true
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await settle()
  expect(run.state).toMatchObject({kind: 'waiting', because: {kind: 'storeFailed'}})
  expect(position()).toEqual({})
  disk.full = false
  await clock.advance(2_000)
  transport.streams[1]?.write(connectionState() + message({s: 5}))
  await settle()
  expect(position()).toEqual({s: 5})
})

test('while the disk takes nothing, nothing is opened', async () => {
  const {transport, clock, run, disk} = watch()
  await settle()
  disk.full = true
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(120_000)
  expect(transport.streams).toHaveLength(1)
  expect(run.state).toMatchObject({kind: 'waiting', because: {kind: 'storeFailed'}})
  disk.full = false
  await clock.advance(40_000)
  expect(transport.streams).toHaveLength(2)
})

test('a run that ended while the disk was full is recorded before the next one begins', async () => {
  const callback = Promise.withResolvers<void>()
  let runs = 0
  const {transport, clock, disk, changes} = watch({
    onEvent: () => {
      runs += 1
      return runs === 1 ? callback.promise : Promise.resolve()
    },
  })
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await settle()
  disk.full = true
  callback.resolve()
  await settle()
  disk.full = false
  await clock.advance(2_000)
  const told = changes.flatMap((change) =>
    change.kind === 'attemptStarted' || change.kind === 'attemptEnded'
      ? [`${change.attempt.n} ${change.attempt.state}`]
      : [],
  )
  expect(told).toEqual(['1 pending', '1 resolved', '2 pending', '2 resolved'])
})

test('a token of another agent is noticed and said', async () => {
  const {transport, run} = watch()
  await settle()
  transport.streams[0]?.write(connectionState({agent_id: 'somebody-else'}))
  await settle()
  expect([...run.notices.keys()]).toEqual(['otherAgent'])
})

test('a source that is stopped ends its stream and its beats', async () => {
  const {transport, clock, controller} = watch()
  await settle()
  transport.streams[0]?.write(connectionState())
  await settle()
  await controller.stop()
  const beats = transport.beats.length
  await clock.advance(60_000)
  expect(transport.streams).toHaveLength(1)
  expect(transport.streams[0]?.ended()).toBe(true)
  expect(transport.beats).toHaveLength(beats)
})

test('an eviction weighs more than the close behind it, however slow the disk is: no takeover is answered by one', async () => {
  const {transport, clock, run, disk} = watch()
  await settle()
  transport.streams[0]?.write(connectionState())
  await settle()
  const busy = Promise.withResolvers<void>()
  disk.busy = busy.promise
  transport.streams[0]?.write(message({s: 5}) + evicted({code: 'taken_over', reason: 'x'}))
  transport.streams[0]?.end()
  await settle()
  busy.resolve()
  await clock.advance(3_600_000)
  expect(transport.streams).toHaveLength(1)
  expect(run.state).toMatchObject({kind: 'stopped', because: {kind: 'evicted', code: 'taken_over'}})
})

test('a beat that finds nothing attached waits for the goodbye in the stream, which says why', async () => {
  const {transport, clock, run} = watch()
  transport.answerBeats(err({kind: 'conflict', detail: 'connection c has no stream attached'}))
  await settle()
  transport.streams[0]?.write(connectionState())
  await clock.advance(500)
  transport.streams[0]?.write(evicted({reason: 'another stream attached to this connection'}))
  transport.streams[0]?.end()
  await clock.advance(3_600_000)
  expect(transport.streams).toHaveLength(1)
  expect(run.state).toMatchObject({kind: 'stopped', because: {kind: 'evicted', code: 'taken_over'}})
})

test('without a goodbye, a beat that finds nothing attached reopens', async () => {
  const {transport, clock} = watch()
  transport.answerBeats(err({kind: 'conflict', detail: 'connection c has no stream attached'}))
  await settle()
  transport.streams[0]?.write(connectionState())
  await clock.advance(3_000)
  expect(transport.streams).toHaveLength(2)
})

test('a stream that is over shows as over at once, also while a callback still runs', async () => {
  const {transport, clock, run} = watch({onEvent: () => new Promise<void>(() => {})})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await settle()
  expect([run.state.kind, run.heartbeat]).toEqual(['live', 'fresh'])
  transport.streams[0]?.end({kind: 'dropped', code: 'ECONNRESET'})
  await settle()
  expect(run.state).toMatchObject({kind: 'waiting', because: {kind: 'dropped'}})
  expect(run.heartbeat).toBe('none')
  await clock.advance(60_000)
  expect(transport.streams).toHaveLength(1)
})

test('a callback that fails for the last time behind a lost socket holds the source as well', async () => {
  const callbacks: PromiseWithResolvers<void>[] = []
  const onEvent = (): Promise<void> => {
    const callback = Promise.withResolvers<void>()
    callbacks.push(callback)
    return callback.promise
  }
  const {transport, clock, run} = watch({onEvent})
  for (let delivery = 0; delivery < 3; delivery++) {
    await settle()
    transport.streams[delivery]?.write(connectionState() + message({s: 5}))
    await settle()
    transport.streams[delivery]?.end({kind: 'dropped', code: 'ECONNRESET'})
    await settle()
    callbacks[delivery]?.reject(new Error('poison'))
    await clock.advance(30_000)
  }
  expect(run.state).toMatchObject({kind: 'held', because: {kind: 'rejected'}})
  expect(transport.streams).toHaveLength(3)
})

test('a callback that takes longer than anybody expects is shown as stalled until it ends', async () => {
  const callback = Promise.withResolvers<void>()
  const {transport, clock, run} = watch({onEvent: () => callback.promise})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 5}))
  await clock.advance(9_000)
  expect([...run.notices.keys()]).toEqual([])
  await clock.advance(2_000)
  expect([...run.notices.keys()]).toEqual(['stalled'])
  callback.resolve()
  await settle()
  expect([...run.notices.keys()]).toEqual([])
})

test('what was read and is not acknowledged is counted while a callback keeps it waiting', async () => {
  const callback = Promise.withResolvers<void>()
  const {transport, run} = watch({onEvent: () => callback.promise})
  await settle()
  transport.streams[0]?.write(connectionState() + message({s: 1}))
  await settle()
  transport.streams[0]?.write(message({s: 2}) + message({s: 3}))
  await settle()
  expect(run.inHand + run.queued).toBe(3)
  callback.resolve()
  await settle()
  expect(run.inHand + run.queued).toBe(0)
})

function rejectingOnce(): Callbacks['onEvent'] {
  let rejected = false
  return () => {
    if (rejected) return Promise.resolve()
    rejected = true
    return Promise.reject(new Error('not yet'))
  }
}

interface WatchOptions {
  readonly jitter?: number
  readonly refuse?: Refusal
}

/** A source that is watched, with callbacks only where the test gives one. */
function watch(callbacks?: Partial<Callbacks>, {jitter, refuse}: WatchOptions = {}) {
  const clock = createVirtualClock(jitter)
  const transport = createScriptedTransport()
  if (refuse !== undefined) transport.refuseOpens(refuse)
  const changes: Change[] = []
  const disk: {full: boolean; busy: Promise<void> | undefined} = {full: false, busy: undefined}
  const commit = async (more: readonly Change[]): Promise<void> => {
    if (disk.full) throw new StoreFailure({kind: 'full', detail: 'no space left'})
    await disk.busy
    changes.push(...more)
  }
  const record: SourceRecord = {
    id: 'source' as SourceId,
    name: 'source',
    settings: {kind: 'switch', url: 'http://127.0.0.1', agentId: 'agent-1', watchAs: 'own', startFrom: 'retained'},
    connectionId: 'connection',
    addedAt: epochMs(0),
    paused: false,
  }
  const run = freshRun(record, clock.now())
  let nextId = 1
  const succeed: Callbacks = {onEvent: () => Promise.resolve(), onGap: () => Promise.resolve()}
  const handled =
    callbacks === undefined || Object.keys(callbacks).length === 0 ? {} : {callbacks: {...succeed, ...callbacks}}
  const controller = createSourceController(run, {
    clock,
    commit,
    nextFrameId: () => nextId++ as FrameId,
    journaled: async () => undefined,
    touched: () => {},
    reach: async () => ({ok: true, value: {watch: watchSwitch(transport), ...handled}}),
  })
  controller.start()
  open.push({controller, clock})
  return {
    clock,
    transport,
    run,
    controller,
    changes,
    disk,
    position: () => positionToJson(run.held.position),
    attempts: () =>
      changes.flatMap((change) =>
        change.kind === 'attemptEnded' ? [`${change.attempt.n} ${change.attempt.state}`] : [],
      ),
  }
}
