import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {Handler} from '../../shared/handlers/handler.ts'
import {realClock} from '../demo/demo-clock.ts'
import {findScenario} from '../demo/scenarios.ts'
import {startDemoServer} from '../demo/server.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {until} from '../engine/testing/until.ts'
import {openHostProfile} from '../host/open-host-profile.ts'
import {jsonLines, runTidemark, serveTidemark} from './testing/tidemark-process.ts'

function command(...argv: readonly string[]): Handler {
  const limits = {deadlineMs: 5_000, attempts: 1, backoffMs: 0}
  return {id: 'h-1', name: 'door', rule: {}, ...limits, action: {kind: 'command', argv, env: [], hasSecret: false}}
}

/** A profile with one source whose first event is held, because its command fails. */
async function heldProfile(): Promise<{readonly profile: string; readonly frame: number}> {
  const scenario = findScenario('steady')
  if (scenario === undefined) throw new Error('no such scenario')
  const bridge = await startDemoServer({scenario, speed: 10, clock: realClock()})
  onTestFinished(bridge.close)
  const profile = temporaryDirectory()
  const opened = await openHostProfile({directory: profile, version: '0', onTrouble: () => {}})
  if (!opened.ok) throw new Error(opened.error.kind)
  const {engine, close} = opened.value
  const {url, agentId, token} = bridge
  const settings = {kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const
  const {source} = await engine.handlers['sources.add']({name: 'releases', settings, token})
  await engine.handlers['handlers.set']({source, handlers: [command('/bin/false')], secrets: []})
  const held = async () => (await engine.handlers['sources.list']({}))[0]?.connection
  await until(
    async () => (await held())?.state === 'held',
    'a source that is held',
    () => '',
  )
  const frame = (await held())?.frame ?? 0
  await close()
  return {profile, frame}
}

/** A profile with one source that was never watched. */
async function quietProfile(): Promise<string> {
  const profile = temporaryDirectory()
  const opened = await openHostProfile({directory: profile, version: '0', watches: () => false, onTrouble: () => {}})
  if (!opened.ok) throw new Error(opened.error.kind)
  const settings = {kind: 'switch', url: 'http://127.0.0.1:1', agentId: 'a', watchAs: 'own', startFrom: 'head'} as const
  await opened.value.engine.handlers['sources.add']({name: 'releases', settings, token: 'x'})
  await opened.value.close()
  return profile
}

function listFile(handlers: readonly Handler[]): string {
  const file = join(temporaryDirectory(), 'handlers.json')
  writeFileSync(file, JSON.stringify({handlers}))
  return file
}

test('where nobody watches, a held frame is run again or skipped by the command line itself', async () => {
  const {profile, frame} = await heldProfile()
  const listed = await runTidemark(['handlers', '--profile', profile, '--json'])
  expect(jsonLines(listed.out)).toMatchObject([
    {of: 'releases', place: 1, name: 'door', action: {argv: ['/bin/false']}},
  ])
  const again = await runTidemark(['retry', 'releases', '--profile', profile, '--json'])
  expect(again).toMatchObject({code: 1, err: ''})
  const [attempt] = jsonLines(again.out)
  expect(attempt).toMatchObject({fact: 'attempt', frame, n: 2, state: 'rejected', outcome: 'rejected'})
  const skipped = await runTidemark(['skip', 'releases', '--reason', 'by hand', '--profile', profile])
  expect(skipped).toMatchObject({code: 0, out: `releases: skipped frame ${frame}, because “by hand”\n`})
  const [source] = jsonLines((await runTidemark(['sources', '--profile', profile, '--json'])).out)
  expect(source).toMatchObject({counts: {skipped: 1}})
})

test('a host that runs is asked over its socket: list, test and retry, with its exit code', async () => {
  const {profile, frame} = await heldProfile()
  const serving = await serveTidemark(profile)
  const told = await runTidemark(['retry', 'releases', '--profile', profile])
  expect(told).toMatchObject({code: 1, err: expect.stringContaining('may run twice')})
  expect(told.out).toBe(`Frame ${frame}, attempt 2: rejected: door: it ended with exit code 1\n`)
  const good = listFile([command('/bin/echo', 'well')])
  expect(await runTidemark(['handlers', 'releases', '--set', good, '--profile', profile])).toMatchObject({
    code: 0,
    err: '',
  })
  const tried = await runTidemark([
    'handlers',
    'releases',
    '--test',
    'door',
    '--frame',
    String(frame),
    '--profile',
    profile,
  ])
  expect(tried).toMatchObject({code: 0, out: `door on frame ${frame}, as a test: resolved, exit code 0\nwell\n`})
  const retried = await runTidemark(['retry', 'releases', '--profile', profile, '--json'])
  expect(retried.code).toBe(0)
  expect(jsonLines(retried.out)).toMatchObject([{n: 3, state: 'resolved', outcome: 'handled', runs: [{exitCode: 0}]}])
  const nothing = await runTidemark(['skip', 'releases', '--reason', 'x', '--profile', profile])
  expect(nothing).toMatchObject({code: 1, err: expect.stringContaining('is not held')})
  serving.process.child.kill('SIGTERM')
  expect((await serving.process.ended).code).toBe(0)
})

test('a list with a mistake, or a webhook without a key, changes nothing; a secret is not said again', async () => {
  const {profile} = await heldProfile()
  const set = (file: string) => runTidemark(['handlers', 'releases', '--set', file, '--profile', profile])
  const file = join(temporaryDirectory(), 'handlers.json')
  writeFileSync(file, JSON.stringify({handlers: [{...command(''), deadlineMs: 1}], secrets: [['h-1', 's3cret-value']]}))
  const bad = await set(file)
  expect(bad).toMatchObject({code: 1, err: expect.stringMatching(/is no list of handlers/)})
  expect(bad.err).not.toContain('s3cret-value')
  const webhook: Handler = {...command(''), action: {kind: 'webhook', url: 'http://127.0.0.1:1/'}}
  expect(await set(listFile([webhook]))).toMatchObject({code: 1, err: expect.stringContaining('no key to sign with')})
  writeFileSync(file, JSON.stringify({handlers: [webhook], secrets: [['h-1', 's3cret-value']]}))
  expect(await set(file)).toMatchObject({code: 0})
  const {out} = await runTidemark(['handlers', '--profile', profile, '--json'])
  expect(out).not.toContain('s3cret-value')
  expect(readFileSync(join(profile, 'tidemark.db')).includes('s3cret-value')).toBe(false)
  expect(readFileSync(join(profile, 'tokens.json'), 'utf8')).toContain('s3cret-value')
})

test('what is wrong with a file is told without a word of what is in it, and nothing is changed', async () => {
  const profile = await quietProfile()
  const set = (file: string) => runTidemark(['handlers', 'releases', '--set', file, '--profile', profile])
  const file = join(temporaryDirectory(), 'handlers.json')
  expect(await set(join(file, 'nowhere'))).toMatchObject({code: 1, err: expect.stringContaining('cannot be read')})
  writeFileSync(file, '{"secrets": [["h-1", "s3cret-value"')
  expect(await set(file)).toMatchObject({code: 1, err: `${file} is no JSON.\n`})
  writeFileSync(file, JSON.stringify({handlers: [command('x')], secrets: [['h-2', 's3cret-value']]}))
  expect(await set(file)).toMatchObject({code: 1, err: expect.stringContaining('no handler of the list')})
  expect((await runTidemark(['handlers', '--profile', profile])).err).toBe('No handler runs for any of its frames.\n')
})

test('wrong usage is told before anything is done', async () => {
  const wrong: readonly (readonly string[])[] = [
    ['handlers', '--test', 'door'],
    ['handlers', 'releases', '--test', 'door', '--set', 'x'],
    ['skip', 'releases'],
    ['skip', 'releases', '--reason', ' '],
    ['skip', 'releases', '--reason', 'x'.repeat(501)],
  ]
  for (const args of wrong) expect((await runTidemark(args)).code).toBe(2)
})

test('a retry that comes to nothing, because its source stopped, ends', async () => {
  const {profile} = await heldProfile()
  rmSync(join(profile, 'tokens.json'))
  expect(await runTidemark(['retry', 'releases', '--profile', profile])).toMatchObject({
    code: 1,
    err: expect.stringContaining('releases stopped before the attempt began'),
  })
})
