import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import {nothingHeld} from '../../../shared/callbacks/held.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import {NOWHERE, parsePosition} from '../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {acknowledge, acknowledgeRun, type FrameDelivery} from '../acknowledge.ts'
import type {Callbacks} from '../callbacks.ts'
import type {Clock} from '../clock.ts'
import {judgeArrival, receiveSwitchFrame} from '../switch/receive-switch-frame.ts'
import {createSseReader} from '../wire/sse-reader.ts'
import {createMemoryStore} from './memory-store.ts'
import {type Store, StoreFailure} from './store.ts'

const source = 'source-1' as SourceId
const record: SourceRecord = {
  id: source,
  name: 'one',
  settings: {kind: 'demo', scenario: 'tour'},
  connectionId: 'conn-1',
  addedAt: epochMs(1000),
  paused: false,
}
const clock: Clock = {
  now: () => epochMs(5000),
  monotonic: () => 0,
  wait: () => Promise.resolve(),
  random: () => 0,
  uuid: () => '',
}
const {signal} = new AbortController()
const nowhere = nothingHeld()
const resolve: Callbacks = {onEvent: async () => {}, onGap: async () => {}}
const reject: Callbacks = {onEvent: () => Promise.reject(new Error('no')), onGap: () => Promise.reject(new Error('no'))}

const id = (n: number): FrameId => n as FrameId

/** One frame as it is delivered for the first time. */
function delivery(body: string, n: number): FrameDelivery {
  const [arrival] = createSseReader().feed(Buffer.from(body))
  if (arrival === undefined) throw new Error('no frame')
  const received = receiveSwitchFrame(
    {judged: judgeArrival(arrival), at: epochMs(4000)},
    {source, nextFrameId: () => id(n)},
  )
  if (received.kind !== 'understood') throw new Error('not understood')
  return {...received, attempt: 1, fromJournal: false}
}

const own = (n: number): string => `id: ${n}\nevent: message\ndata: {"type":"message"}\n\n`
const gapTo = (position: string): string => `event: gap\ndata: {"resumed_position":${position}}\n\n`

async function added(): Promise<Store> {
  const store = createMemoryStore()
  await store.commit([{kind: 'sourceAdded', source: record}])
  return store
}

const loaded = async (store: Store) => (await store.load()).sources[0]

test('what is acknowledged is what a restart finds', async () => {
  const store = await added()
  const deps = {commit: store.commit, clock}
  const run = [
    delivery(own(19), 1),
    delivery(gapTo('{"s":2,"__proto__":5}'), 2),
    delivery('event: new\ndata: {"position":{"s":3}}\n\n', 3),
  ]
  const {held} = await acknowledgeRun(nowhere, run, deps)
  expect(await loaded(store)).toMatchObject({
    record,
    position: held.position,
    vectorSeen: true,
    unhandled: [],
    counts: {frames: 3, gaps: 1, discarded: 1},
  })
  expect(held.position).toEqual(parsePosition(JSON.parse('{"s":3,"__proto__":5}')))
  expect((await store.load()).nextFrameId).toBe(4)
})

test('a frame stays unhandled while it is rejected, with its attempts, until a later one on it is handled', async () => {
  const store = await added()
  const deps = {commit: store.commit, clock}
  const first = delivery(own(19), 1)
  await acknowledge(nowhere, first, reject, deps, signal)
  expect((await loaded(store))?.unhandled).toMatchObject([{outcome: 'rejected', attempts: 1}])
  const again = {...delivery(own(19), 2), attempt: 2}
  await acknowledge(nowhere, {...again, journaled: {...again.journaled, redelivers: id(1)}}, reject, deps, signal)
  expect((await loaded(store))?.unhandled).toMatchObject([{frame: {id: 2}, outcome: 'rejected', attempts: 2}])
  await acknowledge(nowhere, {...again, attempt: 3, fromJournal: true}, resolve, deps, signal)
  expect(await loaded(store)).toMatchObject({
    unhandled: [],
    position: parsePosition({s: 19}),
    counts: {rejected: 2, handled: 1},
  })
})

test('a run of a callback that the process did not survive is open until the next start says otherwise', async () => {
  const store = await added()
  const journaledOnly = {commit: store.commit, clock}
  const never: Callbacks = {onEvent: () => new Promise(() => {}), onGap: () => new Promise(() => {})}
  void acknowledge(nowhere, delivery(own(19), 1), never, journaledOnly, signal)
  await Promise.resolve()
  expect(await loaded(store)).toMatchObject({
    position: NOWHERE,
    unhandled: [{outcome: 'pending', attempts: 1}],
  })
  await store.commit([{kind: 'openAttemptsAborted'}])
  expect(await loaded(store)).toMatchObject({unhandled: [{attempts: 1}]})
  expect((await store.read.frameDetail(id(1)))?.attempts).toMatchObject([{n: 1, state: 'aborted'}])
})

test('what was loaded does not change with what is committed later', async () => {
  const store = await added()
  const before = await loaded(store)
  await acknowledgeRun(nowhere, [delivery(own(19), 1)], {commit: store.commit, clock})
  expect(before).toMatchObject({position: NOWHERE, counts: {frames: 0}})
})

test('a removed source is not loaded, and keeps its history', async () => {
  const store = await added()
  await acknowledgeRun(nowhere, [delivery(own(19), 1)], {commit: store.commit, clock})
  await store.commit([{kind: 'sourceRemoved', source, at: epochMs(6000)}])
  expect((await store.load()).sources).toEqual([])
  expect((await store.read.framesPage({}, undefined, 10)).frames).toHaveLength(1)
})

test('pages go from the newest back, and the last one says that it is the last', async () => {
  const store = await added()
  await acknowledgeRun(
    nowhere,
    [1, 2, 3, 4, 5].map((n) => delivery(own(n), n)),
    {commit: store.commit, clock},
  )
  const page = await store.read.framesPage({}, undefined, 2)
  expect(page).toMatchObject({frames: [{id: 5}, {id: 4}], next: 4})
  expect(await store.read.framesPage({}, id(4), 2)).toMatchObject({frames: [{id: 3}, {id: 2}], next: 2})
  const last = await store.read.framesPage({}, id(2), 2)
  expect(last.frames).toMatchObject([{id: 1}])
  expect(last).not.toHaveProperty('next')
  expect(
    (await store.read.framesPage({lane: 's', texts: ['MESSAGE'], outcomes: ['handled']}, undefined, 10)).frames,
  ).toHaveLength(5)
  expect((await store.read.framesPage({texts: ['nothing like it']}, undefined, 10)).frames).toEqual([])
})

test('a gap is in the ledger with what it came to', async () => {
  const store = await added()
  const held = {...nothingHeld(), position: parsePosition({s: 18}) ?? NOWHERE}
  await acknowledge(held, delivery(gapTo('{"s":2}'), 1), reject, {commit: store.commit, clock}, signal)
  expect((await store.read.gaps(source, undefined, 10)).gaps).toMatchObject([
    {outcome: 'rejected', before: [['s', 18]], after: [['s', 2]]},
  ])
  await acknowledge(
    held,
    {...delivery(gapTo('{"s":2}'), 1), attempt: 2, fromJournal: true},
    resolve,
    {commit: store.commit, clock},
    signal,
  )
  expect((await store.read.gaps(undefined, undefined, 10)).gaps).toMatchObject([{outcome: 'replaced', appliedAt: 5000}])
  expect((await store.read.timeline(source, epochMs(0), epochMs(9000), 100)).lanes).toEqual([
    {lane: 's', steps: [{at: 5000, value: 2, frame: 1}]},
  ])
})

test('a closed store takes nothing', async () => {
  const store = await added()
  await store.close()
  await expect(store.commit([])).rejects.toThrow(StoreFailure)
})
