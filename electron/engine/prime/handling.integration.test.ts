import {expect, test} from 'vitest'
import {type Handler, USUAL_HANDLER} from '../../../shared/handlers/handler.ts'
import {findPrimeScenario} from '../../demo/prime/scenarios.ts'
import {startDemoDaemon} from '../../demo/prime/server.ts'
import {CallbackFailure} from '../callbacks.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {StoreFailure} from '../store/store.ts'
import {createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {createFastClock} from '../testing/fast-clock.ts'
import {type WatchedDaemon, watchDaemon} from '../testing/watch-daemon.ts'

/** Bash commands are events that the test makes happen when it wants to. */
function bash({daemon}: Pick<WatchedDaemon, 'daemon'>): void {
  daemon.act({kind: 'bashStart', on: 'main', command: 'ls'})
  daemon.act({kind: 'bashOutput', on: 'main', chunk: 'a'})
  daemon.act({kind: 'bashEnd', on: 'main', exitCode: 0})
}

function outcomesOf({told}: WatchedDaemon, event: string): readonly string[] {
  return told().filter((one) => one.endsWith(` ${event}`))
}

async function stillDaemon(speed: number) {
  const scenario = findPrimeScenario('still')
  if (scenario === undefined) throw new Error('no scenario is named still')
  return startDemoDaemon({scenario, clock: createFastClock(speed)})
}

test('reading goes on while a callback runs, and what was read is durable before it is handled', async () => {
  const callbacks = createControlledCallbacks()
  const watched = await watchDaemon({callbacks})
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(watched)
  await watched.until(() => watched.told().includes('pending bash_end'), 'the last event, journaled')
  expect(callbacks.runs).toHaveLength(1)
  expect((await watched.view()).position).toEqual([[expect.stringContaining('g:'), 0]])
  expect((await watched.view()).waiting).toBe(3)
  callbacks.release()
  await watched.until(() => watched.told().includes('handled bash_end'), 'the end of handling')
  expect(callbacks.runs.map(({frame, attempt}) => [frame.event, attempt])).toEqual([
    ['bash_start', 1],
    ['bash_output', 1],
    ['bash_end', 1],
  ])
  expect((await watched.view()).position).toEqual([[expect.stringContaining('g:'), 3]])
})

test('a rejection closes nothing: the frame runs again from the journal, three times, and then the source is held while reading goes on', async () => {
  const callbacks = createControlledCallbacks()
  const watched = await watchDaemon({callbacks})
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(watched)
  for (let run = 1; run <= 3; run++) {
    await watched.until(() => callbacks.runs.length === run, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('no'))
  }
  await watched.until(async () => (await watched.view()).connection.state === 'held', 'the hold')
  bash(watched)
  await watched.until(() => outcomesOf(watched, 'bash_end').length === 2, 'what came while it was held')
  expect(outcomesOf(watched, 'bash_start')).toEqual(['rejected bash_start', 'pending bash_start'])
  expect((await watched.view()).readsOn).toBe(true)
  const hellos = (): number => outcomesOf(watched, 'daemon_hello').length
  expect(hellos()).toBe(1)
  await watched.engine.handlers['sources.retry']({source: watched.source})
  await watched.until(() => callbacks.runs.length === 4, 'the run that the user asked for')
  expect(callbacks.runs[3]?.attempt).toBe(4)
  callbacks.release()
  await watched.until(() => outcomesOf(watched, 'bash_end')[1] === 'handled bash_end', 'the end')
  expect((await watched.view()).connection.state).toBe('live')
  expect((await watched.view()).readsOn).toBeUndefined()
  expect(hellos()).toBe(1)
})

test('a held source says that it is read on for as long as it is: not while it is paused, and again once it is resumed', async () => {
  const daemon = await stillDaemon(1)
  const callbacks = createControlledCallbacks()
  const watched = await watchDaemon({daemon, callbacks, speed: 1})
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(watched)
  for (let run = 1; run <= 3; run++) {
    await watched.until(() => callbacks.runs.length === run, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('no'))
  }
  const readsOn = async (): Promise<boolean> => (await watched.view()).readsOn === true
  await watched.until(readsOn, 'held, and read on')
  const {source, engine} = watched
  await engine.handlers['sources.pause']({source})
  expect(await watched.view()).toMatchObject({connection: {state: 'held'}, paused: true})
  expect(await readsOn()).toBe(false)
  await engine.handlers['sources.resume']({source})
  await watched.until(readsOn, 'held as before, and read on')
  const ended = (): number => outcomesOf(watched, 'bash_end').length
  const before = ended()
  bash(watched)
  await watched.until(() => ended() > before, 'what came since is in the journal')
  expect(callbacks.runs).toHaveLength(3)
  expect((await watched.view()).connection.state).toBe('held')
  await engine.handlers['sources.retry']({source})
  callbacks.release()
  await watched.until(
    () => outcomesOf(watched, 'bash_end').filter((one) => one === 'handled bash_end').length === 2,
    'all of it, after the word',
  )
})

test.each([
  ['a skip', false],
  ['a skip that comes with a retry', true],
])(
  '%s: the held frame is skipped on the user’s word, which is the cause of its move; then the next one runs',
  async (_, retries) => {
    const callbacks = createControlledCallbacks()
    const watched = await watchDaemon({callbacks})
    await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
    bash(watched)
    for (let run = 1; run <= 3; run++) {
      await watched.until(() => callbacks.runs.length === run, `run ${run}`)
      callbacks.open()[0]?.reject(new Error('no'))
    }
    await watched.until(async () => (await watched.view()).connection.state === 'held', 'the hold')
    const {frame = 0} = (await watched.view()).connection
    const {handlers} = watched.engine
    const retried = retries ? handlers['sources.retry']({source: watched.source}) : undefined
    await Promise.all([retried, handlers['sources.skip']({source: watched.source, frame, reason: 'not needed'})])
    callbacks.release()
    await watched.until(() => watched.told().includes('handled bash_end'), 'the rest')
    expect(outcomesOf(watched, 'bash_start')).toEqual(['skipped bash_start'])
    expect(callbacks.runs.map(({frame: {event}}) => event).slice(3)).toEqual(['bash_output', 'bash_end'])
    const moves = watched.store.changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move] : []))
    expect(moves.map(({cause, reason}) => reason ?? cause)).toEqual([
      'snapshotAdopted',
      'not needed',
      'handled',
      'handled',
    ])
  },
)

test('what was journaled and not handled runs at the next start, before the snapshot that says what was missed is adopted', async () => {
  const daemon = await stillDaemon(10)
  const durable = {...createMemoryStore(), close: async () => {}} // it outlives the engine that is cut off
  const cutOff = createControlledCallbacks()
  const first = await watchDaemon({daemon, store: durable, callbacks: cutOff})
  await first.until(() => first.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(first)
  await first.until(() => first.told().includes('pending bash_end'), 'the last event, journaled')
  await first.close()
  bash(first) // nobody watches
  const callbacks = createControlledCallbacks()
  const second = await watchDaemon({daemon, store: durable, callbacks})
  await second.until(() => second.told().includes('pending session_snapshot_end'), 'the snapshot, journaled')
  await second.until(() => callbacks.runs.length === 1, 'the first of what was left')
  expect((await second.view()).counts.holes).toBe(0)
  callbacks.release()
  await second.until(() => second.told().includes('handled session_snapshot_end'), 'the snapshot, adopted')
  expect(callbacks.runs.map(({frame, attempt}) => [frame.event, attempt])).toEqual([
    ['bash_start', 2],
    ['bash_output', 1],
    ['bash_end', 1],
  ])
  const {holes} = await second.engine.handlers['holes.list']({source: second.source, limit: 10})
  expect(holes).toMatchObject([{by: 'snapshot', purpose: 'attach', said: 'complete', after: 3, upTo: 6, missing: 3}])
})

test('a source that was held is held at the next start, reads on, and runs nothing before the user’s word', async () => {
  const daemon = await stillDaemon(10)
  const durable = {...createMemoryStore(), close: async () => {}} // it outlives the engine that is cut off
  const failing = createControlledCallbacks()
  const first = await watchDaemon({daemon, store: durable, callbacks: failing})
  await first.until(() => first.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(first)
  for (let run = 1; run <= 3; run++) {
    await first.until(() => failing.runs.length === run, `run ${run}`)
    failing.open()[0]?.reject(new Error('no'))
  }
  await first.until(async () => (await first.view()).connection.state === 'held', 'the hold')
  await first.close()
  const callbacks = createControlledCallbacks()
  const second = await watchDaemon({daemon, store: durable, callbacks})
  await second.until(() => second.told().includes('pending session_snapshot_end'), 'the snapshot, journaled')
  expect((await second.view()).connection.state).toBe('held')
  expect(callbacks.runs).toHaveLength(0)
  await second.engine.handlers['sources.retry']({source: second.source})
  callbacks.release()
  await second.until(() => second.told().includes('handled session_snapshot_end'), 'the snapshot, adopted')
  expect(callbacks.runs[0]).toMatchObject({attempt: 4, frame: {event: 'bash_start'}})
  expect((await second.view()).counts.holes).toBe(0)
  expect((await second.view()).connection.state).toBe('live')
})

test('the first handler of a source that is held at its start runs from the user’s word on, and for nothing before', async () => {
  const daemon = await stillDaemon(10)
  const durable = {...createMemoryStore(), close: async () => {}}
  const no = () => Promise.reject(new Error('no'))
  const first = await watchDaemon({daemon, store: durable, callbacks: {onEvent: no, onGap: no}})
  await first.until(() => first.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(first)
  await first.until(async () => (await first.view()).connection.state === 'held', 'the hold')
  await first.close()
  const {engine, source, view, ...second} = await watchDaemon({daemon, store: durable}) // without any callback now
  await second.until(async () => (await view()).connection.state === 'held', 'the hold of before')
  const {frame = 0} = (await view()).connection
  const handler: Handler = {id: 'h', name: 'tell', rule: {}, ...USUAL_HANDLER, action: {kind: 'notification'}}
  await engine.handlers['handlers.set']({source, handlers: [handler], secrets: []})
  expect((await view()).connection.state).toBe('held')
  await engine.handlers['sources.retry']({source})
  const attempts = async () => (await engine.handlers['frames.detail']({frame})).attempts
  await second.until(async () => (await attempts())[3]?.state === 'rejected', 'the attempt that the user asked for')
  expect((await attempts()).map(({n, runs}) => [n, runs?.[0]?.name])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [4, 'tell'],
  ])
})

test('a failure that the disk did not record counts all the same, and drops nothing', async () => {
  const store = createMemoryStore()
  let refuses = true
  const commit: typeof store.commit = async (changes) => {
    if (refuses && changes.some(({kind}) => kind === 'attemptEnded'))
      throw new StoreFailure({kind: 'full', detail: 'no room'})
    await store.commit(changes)
  }
  const callbacks = createControlledCallbacks()
  const watched = await watchDaemon({callbacks, store: {...store, commit}})
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  bash(watched)
  await watched.until(() => callbacks.runs.length === 1, 'the first run')
  const retry = {attempts: 1, backoffMs: 0}
  callbacks.open()[0]?.reject(new CallbackFailure('no', {state: 'rejected', runs: [], retry}))
  await watched.until(async () => (await watched.view()).connection.state === 'held', 'the hold')
  refuses = false
  await watched.engine.handlers['sources.retry']({source: watched.source})
  await watched.until(() => callbacks.runs.length === 2, 'the next run')
  expect(callbacks.runs[1]).toMatchObject({attempt: 2, frame: {event: 'bash_start'}})
  callbacks.release()
  await watched.until(() => watched.told().includes('handled bash_end'), 'the rest')
})

test('the end of an attempt that the disk refused is recorded once, also where the next attempt is cut off', async () => {
  const store = createMemoryStore()
  let refuses = true
  const ends: string[] = []
  const commit: typeof store.commit = async (changes) => {
    const ended = changes.flatMap((change) => (change.kind === 'attemptEnded' ? [change.attempt] : []))
    if (refuses && ended.length > 0) throw new StoreFailure({kind: 'full', detail: 'no room'})
    await store.commit(changes)
    ends.push(...ended.map(({n, state}) => `${n} ${state}`))
  }
  const callbacks = createControlledCallbacks()
  const {engine, source, ...watched} = await watchDaemon({callbacks, store: {...store, commit}})
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  watched.daemon.act({kind: 'status', on: 'main', recap: 'goes on'})
  await watched.until(() => callbacks.runs.length === 1, 'the first run')
  callbacks.open()[0]?.resolve()
  await watched.until(async () => (await watched.view()).connection.state === 'waiting', 'the end of the reading')
  refuses = false
  await watched.until(() => callbacks.runs.length === 2, 'the next run')
  await engine.handlers['sources.pause']({source})
  await watched.until(() => ends.includes('2 aborted'), 'the second attempt, given up')
  await engine.handlers['sources.resume']({source})
  await watched.until(() => callbacks.runs.length === 3, 'the third run')
  callbacks.release()
  await watched.until(() => ends.includes('3 resolved'), 'the end of the third')
  expect(ends).toEqual(['1 resolved', '2 aborted', '3 resolved'])
})
