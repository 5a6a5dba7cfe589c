import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {NumberedServer} from '../demo/numbered/server.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {rise, serve} from '../engine/testing/rising-server.ts'
import {until} from '../engine/testing/until.ts'
import {linesOf} from '../engine/testing/watch-numbered.ts'
import {openHostProfile} from '../host/open-host-profile.ts'
import {jsonLines, runTidemark, serveTidemark} from './testing/tidemark-process.ts'

/** A source that was left held: the server begins with {1, 0} again, below our {3, 0}. */
async function heldAnew(): Promise<{profile: string; server: NumberedServer}> {
  const profile = temporaryDirectory()
  const server = await serve({
    future: 'fail',
    linePort: join(profile, 'lines.sock'),
    store: join(profile, 'their-store'),
  })
  rise(server)
  const opened = await openHostProfile({directory: profile, version: '0', watches: () => true, onTrouble: () => {}})
  if (!opened.ok) throw new Error(opened.error.kind)
  const {engine, close} = opened.value
  const from = linesOf(join(profile, 'lines.sock'))
  const settings = {kind: 'numbered', from, cursorAt: 'cursor', typeAt: 'type', future: 'fail'} as const
  await engine.handlers['sources.add']({name: 'tide', settings})
  const view = async () => (await engine.handlers['sources.list']({}))[0]
  const seen = async () => ({position: (await view())?.position, state: (await view())?.connection.state})
  await until(async () => (await view())?.position[0]?.[1] === 3, 'all of it', seen)
  server.act({kind: 'restart', store: 'lost'})
  await until(async () => (await view())?.connection.state === 'held', 'held', seen)
  await close()
  return {profile, server}
}

const BETWEEN = {held: {generation: 3, sequence: 0}, offered: {generation: 1, sequence: 0}}

test('where nobody watches, the command line keeps the old numbering, takes the new one, and shows both in the ledger', async () => {
  const {profile} = await heldAnew()
  const run = (...args: readonly string[]) => runTidemark([...args, '--profile', profile])
  const sources = await run('sources', '--json')
  expect(jsonLines(sources.out)).toMatchObject([{name: 'tide', lastConnection: {state: 'held'}}])
  for (const command of ['sources', 'positions', 'gaps'])
    expect((await run(command, '--json')).out).not.toMatch(/:1[0-9]{12}\b/) // a time is told as one, and not in ms
  const skipped = await run('skip', 'tide', '--reason', 'away with it')
  expect(skipped).toMatchObject({code: 1, out: ''})
  expect(skipped.err).toContain('Take the new numbering, or keep the old one')
  const kept = await run('numbering', 'keep', 'tide', '--json')
  expect(kept).toMatchObject({code: 0, err: ''})
  expect(jsonLines(kept.out)).toMatchObject([{fact: 'numbering', name: 'tide', decision: 'kept', ...BETWEEN}])
  // One that is asked again is held only once its server has answered.
  const onceHeld = async (...args: readonly string[]) => {
    for (;;) {
      const done = await run(...args)
      if (!done.err.includes('is not held')) return done
    }
  }
  const retried = await onceHeld('retry', 'tide')
  expect(retried).toMatchObject({code: 0, err: ''})
  expect(retried.out).toMatch(/^tide: the old numbering was kept: the cursor stays at \{3, 0\}, and \{1, 0\} is stale/)
  const taken = await onceHeld('numbering', 'take', 'tide')
  expect(taken).toMatchObject({code: 0, err: ''})
  expect(taken.out).toMatch(/^tide: the new numbering was taken: the cursor went from \{3, 0\} back to \{1, 0\}/)
  const ledger = jsonLines((await run('gaps', '--json')).out)
  expect(ledger).toMatchObject(
    ['taken', 'kept', 'kept'].map((decision) => ({fact: 'numbering', name: 'tide', decision, ...BETWEEN})),
  )
  expect((await run('gaps')).out).toContain('numbering  the new numbering was taken: the cursor went from {3, 0} back')
  const nothing = await run('numbering', 'take', 'tide')
  expect(nothing).toMatchObject({code: 1, out: '', err: expect.stringContaining('is not held')})
  expect(await run('numbering', 'away', 'tide')).toMatchObject({code: 2})
})

test('a host that runs is asked over its socket, and goes on with the numbering that was taken', async () => {
  const {profile, server} = await heldAnew()
  const serving = await serveTidemark(profile)
  const run = (...args: readonly string[]) => runTidemark([...args, '--profile', profile])
  const taken = await run('numbering', 'take', 'tide', '--json')
  expect(jsonLines(taken.out)).toMatchObject([{decision: 'taken', ...BETWEEN}])
  rise(server)
  const position = async () => jsonLines((await run('positions', '--json')).out)
  await until(
    async () => JSON.stringify(await position()).includes('"generation":3'),
    'the new numbers',
    () => ({}),
  )
  expect(await run('numbering', 'keep', 'tide')).toMatchObject({code: 1, err: expect.stringContaining('is not held')})
  serving.process.child.kill('SIGTERM')
  expect((await serving.process.ended).code).toBe(0)
})
