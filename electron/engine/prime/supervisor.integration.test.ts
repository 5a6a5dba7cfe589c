import {join} from 'node:path'
import {expect, test} from 'vitest'
import {findPrimeScenario} from '../../demo/prime/scenarios.ts'
import {startDemoDaemon} from '../../demo/prime/server.ts'
import {openStore, temporaryDirectory} from '../store/testing/temporary-store.ts'
import {createFastClock} from '../testing/fast-clock.ts'
import {type WatchedDaemon, watchDaemon} from '../testing/watch-daemon.ts'

/** A daemon that lives on while Tidemark is closed and started again on one profile. */
async function profileAndDaemon() {
  const scenario = findPrimeScenario('still')
  if (scenario === undefined) throw new Error('no scenario is named still')
  const daemon = await startDemoDaemon({scenario, clock: createFastClock(1)})
  const path = join(temporaryDirectory(), 'tidemark.db')
  const start = async (): Promise<WatchedDaemon> => {
    const watched = await watchDaemon({daemon, store: await openStore(path), speed: 1})
    await watched.until(() => watched.told().includes('handled session_snapshot_end'), 'the snapshot')
    return watched
  }
  return {daemon, start}
}

const supervisorOf = async (watched: WatchedDaemon) => (await watched.view()).session?.supervisor

const hellosOf = ({store}: WatchedDaemon) =>
  [...store.frames.values()].filter(({frame}) => frame.event === 'daemon_hello').map(({frame}) => frame)

test('a supervisor that was replaced while Tidemark was closed is told as that, between when the one before was heard and now', async () => {
  const {daemon, start} = await profileAndDaemon()
  const before = await start()
  daemon.act({kind: 'bashStart', on: 'main', command: 'ls'})
  await before.until(() => before.told().includes('handled bash_start'), 'an event')
  const first = await supervisorOf(before)
  const heard = [...before.store.frames.values()].findLast(({frame}) => frame.event === 'bash_start')?.frame.receivedAt
  const generation = daemon.namesOf('main').generation
  await before.close()

  daemon.act({kind: 'supervisor', end: 'killed', downMs: 20, helloMs: 0})
  const after = await start()
  const second = await supervisorOf(after)
  expect(first).toEqual({generation: expect.any(String), metAt: expect.any(Number)})
  expect(second).toEqual({generation: expect.any(String), metAt: hellosOf(after).at(-1)?.receivedAt, after: heard})
  expect(second?.generation).not.toBe(first?.generation)
  expect(hellosOf(after).map(({summary}) => summary.includes('supervisor replaced (not a reset)'))).toEqual([true])
  expect((await after.view()).counts).toMatchObject({stale: 0, holes: 0})
  expect((await after.view()).position).toEqual([[`g:${generation}`, 1]])
  await after.close()

  // And it is told once: the next start meets the one it knows, and still says when that one came.
  const again = await start()
  expect(await supervisorOf(again)).toEqual(second)
  expect(hellosOf(again).map(({summary}) => summary.includes('supervisor replaced'))).toEqual([false])
})

test('the same supervisor after a restart is no other one', async () => {
  const {start} = await profileAndDaemon()
  const before = await start()
  const first = await supervisorOf(before)
  await before.close()
  const after = await start()
  expect(await supervisorOf(after)).toEqual(first)
  expect(hellosOf(after).map(({summary}) => summary.includes('supervisor replaced'))).toEqual([false])
})

test('a name and a supervisor that change at once both stay', async () => {
  const {daemon, start} = await profileAndDaemon()
  const before = await start()
  daemon.act({kind: 'supervisor', end: 'killed', downMs: 20, helloMs: 0})
  const {source} = before
  for (let n = 1; hellosOf(before).length < 2; n++)
    await before.engine.handlers['sources.rename']({source, name: `name ${n}`})
  await before.engine.handlers['sources.rename']({source, name: 'the last name'})
  const met = await supervisorOf(before)
  await before.close()
  const after = await start()
  expect((await after.view()).name).toBe('the last name')
  expect(await supervisorOf(after)).toEqual(met)
})
