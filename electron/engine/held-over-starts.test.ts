import {expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/frame-id.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import {createMemoryStore} from './store/memory-store.ts'
import type {Store} from './store/store.ts'
import {type ScriptedDaemon, SOCKET, scriptDaemon} from './testing/script-daemon.ts'
import {leftOpen} from './testing/temporary-folder.ts'

const ID = 'held' as SourceId
const FRAME = 7 as FrameId
const HELD = {kind: 'held', because: {kind: 'malformed', frame: FRAME}, frame: FRAME} as const

/** A process died while a malformed frame held its source: nothing but its last connection says so. */
async function profileHeld(more: Partial<SourceRecord> = {}): Promise<Store> {
  const store = createMemoryStore()
  const settings = {kind: 'prime', socket: SOCKET, sessionId: 's1'} as const
  const source = {id: ID, name: 'held', connectionId: '', addedAt: epochMs(0), paused: false, settings, ...more}
  await store.commit([
    {kind: 'sourceAdded', source},
    {kind: 'connectionChanged', connection: {source: ID, at: epochMs(1), state: HELD, heartbeat: 'none'}},
  ])
  return store
}

async function stateAfter(daemon: ScriptedDaemon, store: Store): Promise<unknown> {
  await daemon.close()
  return (await store.load()).sources[0]?.lastConnection?.state
}

test('a source stays held over a process that does not watch it', async () => {
  const store = await profileHeld()
  const beside = await scriptDaemon({store: leftOpen(store), watch: false, watches: false})
  expect(await stateAfter(beside, store)).toEqual(HELD)
  const next = await scriptDaemon({store, watch: false})
  expect((await next.view()).connection).toMatchObject({state: 'held', frame: FRAME})
})

test('a source that is held and paused is both, over any number of starts', async () => {
  const store = await profileHeld({paused: true})
  for (let start = 0; start < 3; start++) {
    const daemon = await scriptDaemon({store: leftOpen(store), watch: false})
    expect((await daemon.view()).paused).toBe(true)
    expect(await stateAfter(daemon, store)).toEqual(HELD)
  }
  const last = await scriptDaemon({store: leftOpen(store), watch: false})
  await last.engine.handlers['sources.resume']({source: ID})
  await last.clock.advance(1_000)
  expect((await last.view()).connection).toMatchObject({state: 'held', frame: FRAME})
})

test('what a start writes first leaves a source held, whatever comes of that start', async () => {
  const store = await profileHeld()
  const commits: (readonly Change[])[] = []
  const told: Store = {
    ...store,
    commit: (changes) => {
      commits.push(changes)
      return store.commit(changes)
    },
  }
  await scriptDaemon({store: told, watch: false})
  const facts = commits[0]?.flatMap((one) => (one.kind === 'connectionChanged' ? [one.connection.state] : []))
  expect(facts).toEqual([{kind: 'stopped', because: {kind: 'notStarted'}}, HELD])
})
