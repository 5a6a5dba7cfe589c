import {expect, test} from 'vitest'
import {cursorOfPosition} from '../../../shared/cursor/cursor-position.ts'
import {connectPlainly} from '../../demo/prime/testing/plain-client.ts'
import {watchDaemon} from '../testing/watch-daemon.ts'

test('a session that takes another one’s place goes on as a source of its own, from where the other one stood, on the same connection', async () => {
  const watched = await watchDaemon()
  const {daemon} = watched
  await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
  daemon.act({kind: 'bashStart', on: 'main', command: 'ls'})
  const {sessionId: before, generation} = daemon.namesOf('main')
  daemon.act({kind: 'replace', on: 'main', name: 'storm log'})
  daemon.act({kind: 'bashStart', on: 'main', command: 'pwd'})
  daemon.act({kind: 'bashEnd', on: 'main', exitCode: 0})
  const {sessionId: after} = daemon.namesOf('main')
  await watched.until(async () => (await watched.views()).length === 2, 'the second source')
  await watched.until(() => watched.told().includes('handled bash_end'), 'the end of the command')
  const [old, heir] = await watched.views()
  expect(after).not.toBe(before)
  expect(heir).toMatchObject({
    name: 'storm log',
    settings: {kind: 'prime', sessionId: after},
    connection: {state: 'live'},
    counts: {holes: 0, stale: 0},
  })
  expect(old).toMatchObject({connection: {state: 'waiting', because: {kind: 'sessionReplaced', by: after}}})
  expect(heir?.session?.supervisor).toEqual(old?.session?.supervisor) // no hello told it this
  const moves = watched.store.changes.flatMap((one) => (one.kind === 'cursorMoved' ? [one.move] : []))
  const inherited = moves.find(({cause}) => cause === 'imported')
  expect(inherited).toMatchObject({source: heir?.id, steps: [{key: `g:${generation}`, after: 2}]})
  expect(cursorOfPosition(watched.store.positionOf(watched.source))).toEqual({generation, sequence: 2})
  expect(daemon.record().filter(({kind}) => kind === 'connected')).toHaveLength(2) // one lists, one watches
})

test('of those who watch a session, its other clients see nothing but their number', async () => {
  const heard = async (watchedToo: boolean): Promise<readonly string[]> => {
    const watched = watchedToo ? await watchDaemon() : undefined
    const alone = watched ?? (await watchDaemon({sessionId: 'another'}))
    const {daemon} = alone
    const other = await connectPlainly(daemon.socketPath)
    const {activeSessionId} = daemon.namesOf('main')
    await other.ask({
      type: 'attach',
      activeSessionId,
      capabilities: ['attach_snapshot', 'event_sequence', 'slim_attach', 'chunked_snapshot'],
      supportsExtensionUi: false,
      env: {},
    })
    await alone.until(() => !watchedToo || alone.told().includes('handled session_snapshot_end'), 'both to watch')
    for (const text of ['High ', 'water ', 'is at noon']) daemon.act({kind: 'bashOutput', on: 'main', chunk: text})
    if (watched !== undefined) await watched.close()
    daemon.act({kind: 'bashStart', on: 'main', command: 'ls'})
    await other.until(({event}) => JSON.stringify(event ?? '').includes('bash_start'))
    const lines = other.lines()
    other.close()
    await alone.close()
    const kinds = lines.map((line) => JSON.parse(line))
    return kinds.map(({type, event}) => `${type} ${event?.type ?? ''} ${event?.chunk ?? ''}`.trim())
  }
  expect(await heard(true)).toEqual(await heard(false))
})
