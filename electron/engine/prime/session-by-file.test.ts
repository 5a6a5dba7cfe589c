import {expect, test} from 'vitest'
import {sourceSettings} from '../../../shared/contract/rows.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {
  answer,
  attachedAt,
  eventAt,
  HELLO,
  relist,
  row,
  type ScriptedDaemon,
  SOCKET,
  scriptDaemon,
  snapshot,
} from '../testing/script-daemon.ts'
import {settle} from '../testing/virtual-clock.ts'

const FILE = '/sessions/one.jsonl'

/** A daemon that lists these sessions, on a profile that may watch one of them already. */
async function listing(rows: readonly object[], store: Store = createMemoryStore()): Promise<ScriptedDaemon> {
  const daemon = await scriptDaemon({watch: false, store})
  daemon.control().say(HELLO)
  await settle()
  daemon.control().say(answer(daemon.control(), {sessions: rows}))
  await settle()
  return daemon
}

async function watchFile({engine}: ScriptedDaemon, more: object = {}): Promise<string> {
  const settings = {kind: 'prime', socket: SOCKET, sessionFile: FILE, ...more} as const
  const {source} = await engine.handlers['sources.add']({name: 'by its file', settings})
  await settle()
  return source
}

/** @param state - what the snapshot of the attach says of who it is */
async function letInAs(daemon: ScriptedDaemon, state: object) {
  const connection = daemon.session()
  connection.say(HELLO)
  const attached = attachedAt('g', 0)
  connection.say(answer(connection, {...attached, snapshot: {...attached.snapshot, state}}))
  snapshot(connection, 'g', 0)
  await settle()
  return connection
}

const settingsOf = async (daemon: ScriptedDaemon) => (await daemon.view()).settings

test('a session that is listed without an id is watched by its file, and events move its cursor', async () => {
  const daemon = await listing([row({sessionId: undefined, sessionFile: FILE})])
  await watchFile(daemon)
  const connection = await letInAs(daemon, {})
  connection.say(eventAt('g', 1))
  await settle()
  expect(await daemon.view()).toMatchObject({connection: {state: 'live'}, position: [['g:g', 1]], sessionFile: FILE})
})

test('one that later shows its id stays one source, also after a restart, and by its id alone', async () => {
  const store = createMemoryStore()
  const daemon = await listing([row({sessionId: undefined, sessionFile: FILE})], store)
  const source = await watchFile(daemon)
  await letInAs(daemon, {sessionId: 's1', sessionFile: FILE})
  const both = {kind: 'prime', socket: SOCKET, sessionId: 's1', sessionFile: FILE}
  expect(await settingsOf(daemon)).toEqual(both)
  expect(await watchFile(daemon, {sessionId: 's1', sessionFile: undefined})).toBe(source)
  expect(await daemon.engine.handlers['sources.list']({})).toHaveLength(1)

  const {sources} = await store.load()
  const again = await listing([row({sessionFile: '/moved.jsonl'})], memoryOf(sources))
  await letInAs(again, {sessionId: 's1'})
  expect(await again.view()).toMatchObject({id: source, connection: {state: 'live'}, position: [['g:g', 0]]})
  expect(await settingsOf(again)).toEqual({...both, sessionFile: '/moved.jsonl'})
})

/** A profile as another process left it, with no more than its records. */
function memoryOf(sources: Awaited<ReturnType<Store['load']>>['sources']): Store {
  const store = createMemoryStore()
  void store.commit(sources.map(({record}) => ({kind: 'sourceAdded', source: record}) as const))
  return store
}

test('a session known by its id is found by its file where a daemon lists no ids', async () => {
  const daemon = await listing([row({sessionFile: FILE})])
  await watchFile(daemon, {sessionId: 's1', sessionFile: undefined})
  const before = await letInAs(daemon, {sessionId: 's1'})
  before.end()
  await settle()
  await relist(daemon, [row({activeSessionId: 'b', sessionId: undefined, sessionFile: FILE})])
  await daemon.clock.advance(5_000)
  expect(daemon.session()).not.toBe(before)
  expect(daemon.session().sent()).toEqual([])
  daemon.session().say(HELLO)
  expect(daemon.session().sent()).toMatchObject([{type: 'attach', activeSessionId: 'b'}])
})

test('another id in the same file is another session', async () => {
  const daemon = await listing([row({sessionId: 's2', sessionFile: FILE})])
  await watchFile(daemon, {sessionId: 's1'})
  expect(daemon.because()).toBe('waiting: notResident')
})

test('of two rows, the one with the id is meant', async () => {
  const nameless = row({activeSessionId: 'nameless', sessionId: undefined, sessionFile: FILE})
  const daemon = await listing([nameless, row({activeSessionId: 'named', workerState: 'starting'})])
  await watchFile(daemon, {sessionId: 's1'})
  daemon.session().say(HELLO)
  expect(daemon.session().sent()).toMatchObject([{type: 'attach', activeSessionId: 'named'}])
})

test('a session that takes its place, and says its file only, is a source by that', async () => {
  const daemon = await listing([row({sessionId: undefined, sessionFile: FILE})])
  await watchFile(daemon)
  const connection = await letInAs(daemon, {})
  const by = '/sessions/two.jsonl'
  connection.say({...eventAt('g', 1), type: 'session_replaced', state: {sessionFile: by}, snapshotFollows: true})
  connection.say(eventAt('g', 2))
  await settle()
  const [old, heir] = await daemon.engine.handlers['sources.list']({})
  expect(old).toMatchObject({connection: {because: {kind: 'sessionReplaced', by}}, position: [['g:g', 1]]})
  expect(heir).toMatchObject({settings: {kind: 'prime', socket: SOCKET, sessionFile: by}, position: [['g:g', 2]]})
})

test.each([
  [{sessionFile: FILE}, true],
  [{sessionId: 's1'}, true],
  [{}, false],
  [{sessionId: ''}, false],
  [{sessionId: 's1', sessionFile: ''}, false],
])('%j names a session: %s', (named, is) => {
  expect(sourceSettings.safeParse({kind: 'prime', socket: SOCKET, ...named}).success).toBe(is)
})
