import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {type Store, StoreFailure} from '../store/store.ts'
import {eventAt, HELLO, letIn, type ScriptedDaemon, SOCKET, scriptDaemon} from '../testing/script-daemon.ts'
import {settle} from '../testing/virtual-clock.ts'

/** Session `s1` is attached, and goes on as `s2`. */
async function replaceByS2(daemon: ScriptedDaemon): Promise<void> {
  const connection = await letIn(daemon)
  connection.say({...eventAt('g', 1), type: 'session_replaced', state: {sessionId: 's2'}, snapshotFollows: true})
  await settle()
}

const listed = ({engine}: ScriptedDaemon) => engine.handlers['sources.list']({})

/** A profile in which the user removed the source of `s2`, and watches `s1` still. */
async function profileWithoutS2(): Promise<Store> {
  const store = createMemoryStore()
  const settings = {kind: 'prime', socket: SOCKET, sessionId: 's2'} as const
  const id = 'gone' as SourceId
  const record = {id, name: 'storm log', connectionId: '', addedAt: epochMs(0), paused: false, settings}
  await store.commit([{kind: 'sourceAdded', source: record}])
  await store.commit([{kind: 'sourceRemoved', source: id, at: epochMs(1)}])
  return store
}

test('a session whose source the user removed does not come back when another one goes on as it', async () => {
  const daemon = await scriptDaemon({store: await profileWithoutS2()})
  await replaceByS2(daemon)
  expect(await listed(daemon)).toMatchObject([
    {
      name: 'w',
      connection: {state: 'waiting', because: {kind: 'sessionReplaced', by: 's2', removed: true}},
      position: [['g:g', 1]],
    },
  ])
  expect(daemon.transport.connections.filter(({closed}) => !closed())).toHaveLength(1) // the one that lists
})

test('nor does one that was removed in this process', async () => {
  const daemon = await scriptDaemon()
  const settings = {kind: 'prime', socket: SOCKET, sessionId: 's2'} as const
  const {source} = await daemon.engine.handlers['sources.add']({name: 'storm log', settings})
  await daemon.engine.handlers['sources.remove']({source})
  await replaceByS2(daemon)
  expect((await listed(daemon)).map(({name}) => name)).toEqual(['w'])
})

test('one that the user added again is followed as any other', async () => {
  const daemon = await scriptDaemon({store: await profileWithoutS2()})
  const settings = {kind: 'prime', socket: SOCKET, sessionId: 's2'} as const
  await daemon.engine.handlers['sources.add']({name: 'back', settings})
  await replaceByS2(daemon)
  const [first, heir] = await listed(daemon)
  expect(first?.connection.because).toEqual({kind: 'sessionReplaced', by: 's2'})
  expect(heir).toMatchObject({name: 'back', position: [['g:g', 1]]})
})

test('a source whose removal the disk refused goes on as before', async () => {
  const store = createMemoryStore()
  const refusing: Store = {
    ...store,
    commit: (changes) =>
      changes.some(({kind}) => kind === 'sourceRemoved')
        ? Promise.reject(new StoreFailure({kind: 'full', detail: 'no space'}))
        : store.commit(changes),
  }
  const daemon = await scriptDaemon({store: refusing})
  await letIn(daemon)
  const {source, engine} = daemon
  await expect(engine.handlers['sources.remove']({source})).rejects.toThrow(StoreFailure)
  const again = await letIn(daemon)
  again.say(eventAt('g', 1))
  await settle()
  expect(await listed(daemon)).toMatchObject([{connection: {state: 'live'}, position: [['g:g', 1]]}])
})

test('a removal that the disk refuses while the engine closes begins nothing any more', async () => {
  const store = createMemoryStore()
  const refused = Promise.withResolvers<never>()
  const refusing: Store = {
    ...store,
    commit: (changes) => (changes.some(({kind}) => kind === 'sourceRemoved') ? refused.promise : store.commit(changes)),
  }
  const daemon = await scriptDaemon({store: refusing})
  await letIn(daemon)
  const {source, engine} = daemon
  const removal = engine.handlers['sources.remove']({source}).catch((cause: unknown) => cause)
  await settle()
  await daemon.close()
  const before = daemon.transport.tried()
  refused.reject(new StoreFailure({kind: 'closed', detail: 'the store is closed'}))
  expect(await removal).toBeInstanceOf(StoreFailure)
  await daemon.clock.advance(60_000)
  expect(daemon.transport.tried()).toBe(before)
})

test('a source that takes over from another one meets no supervisor again that answered it before', async () => {
  const store = createMemoryStore()
  const settings = {kind: 'prime', socket: SOCKET, sessionId: 's2'} as const
  const supervisor = {generation: HELLO.supervisorGeneration, metAt: epochMs(0)}
  const id = 'known' as SourceId
  const record = {id, name: 'known', connectionId: '', addedAt: epochMs(0), paused: false, settings, supervisor}
  await store.commit([{kind: 'sourceAdded', source: record}])
  const daemon = await scriptDaemon({store})
  await replaceByS2(daemon)
  const heir = (await listed(daemon)).find((one) => one.id === id)
  expect(heir).toMatchObject({position: [['g:g', 1]], session: {supervisor}})
  expect(daemon.store.changes.filter((one) => one.kind === 'supervisorMet' && one.source === id)).toEqual([])
})
