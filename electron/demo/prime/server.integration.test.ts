import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, onTestFinished, test} from 'vitest'
import {isJsonObject, type JsonObject} from '../../../shared/base/json.ts'
import {realClock} from '../demo-clock.ts'
import {findPrimeScenario} from './scenarios.ts'
import {type DemoDaemon, type DemoDaemonSetup, startDemoDaemon} from './server.ts'
import {attachTo, connectPlainly, type PlainClient} from './testing/plain-client.ts'
import {kindOf, sequenceOf} from './testing/watch-scenario.ts'

async function start(name: string, more: Partial<DemoDaemonSetup> = {}): Promise<DemoDaemon> {
  const scenario = findPrimeScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const daemon = await startDemoDaemon({scenario, clock: realClock(), ...more})
  onTestFinished(daemon.close)
  return daemon
}

async function enter({socketPath}: DemoDaemon): Promise<PlainClient> {
  const client = await connectPlainly(socketPath)
  onTestFinished(client.close)
  return client
}

async function watch(daemon: DemoDaemon, chunked = true): Promise<PlainClient> {
  const client = await enter(daemon)
  await client.ask(attachTo(daemon.namesOf('main').activeSessionId, chunked))
  return client
}

const is =
  (kind: string, sequence?: number) =>
  (message: JsonObject): boolean =>
    kindOf(message) === kind && (sequence === undefined || sequenceOf(message) === sequence)

test('greets on a socket that only its owner can open, and leaves nothing behind', async () => {
  const daemon = await start('still')
  const client = await enter(daemon)
  expect(await client.until(is('daemon_hello'))).toMatchObject({socketPath: daemon.socketPath})
  expect(statSync(join(daemon.socketPath, '..')).mode & 0o077).toBe(0)
  await daemon.close()
  await client.ended
  expect(existsSync(join(daemon.socketPath, '..'))).toBe(false)
})

test('plays its scenario to who attaches, faster where asked to', async () => {
  const client = await watch(await start('turn', {speed: 20}))
  await client.until(is('agent_end'))
  const numbers = client.messages().flatMap((message) => sequenceOf(message) ?? [])
  expect(numbers).toEqual(Array.from({length: numbers.length}, (_, n) => n + 1))
})

test('two clients of one session are sent the same events, and see of each other a count', async () => {
  const daemon = await start('still')
  const [one, two] = [await watch(daemon), await watch(daemon)]
  daemon.act({kind: 'bashStart', on: 'main', command: 'true'})
  daemon.act({kind: 'bashEnd', on: 'main', exitCode: 0})
  await Promise.all([one, two].map(({until}) => until(is('bash_end'))))
  const events = (client: PlainClient) => client.lines().filter((line) => line.includes('"meta"'))
  expect(events(one)).toEqual(events(two))
  expect(await one.ask({type: 'list'})).toMatchObject({data: {sessions: [{attachedClients: 2}]}})
})

test.each([true, false])(
  'a line that fills the socket costs what is behind it, and a resync follows (chunked: %s)',
  async (chunked) => {
    const daemon = await start('big-line', {speed: 5})
    const client = await watch(daemon, chunked)
    const resync = await client.until((message) => message['purpose'] === 'resync' || is('session_resynced')(message))
    const numbers = client.messages().filter(is('tool_execution_end')).map(sequenceOf)
    expect(numbers).toHaveLength(1)
    const {sequence} = daemon.namesOf('main')
    expect(JSON.stringify(resync)).toContain('"lastEventSequence":')
    expect(sequence).toBeGreaterThan(Number(numbers[0]))
    expect(client.messages().some((message) => sequenceOf(message) === Number(numbers[0]) + 1)).toBe(false)
  },
)

test('a reader that takes nothing loses events, and once it reads is told the state of things', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  client.pause()
  for (let n = 1; n <= 5_000; n++) daemon.act({kind: 'rename', on: 'main', name: `${n}`.padEnd(100, '~')})
  expect(daemon.status().caughtUp).toBe(false)
  client.resume()
  const snapshot = await client.until((message) => message['purpose'] === 'resync')
  expect(snapshot).toMatchObject({snapshot: {lastEventSequence: 5_000, state: {sessionName: '5000'.padEnd(100, '~')}}})
  daemon.act({kind: 'rename', on: 'main', name: 'after'})
  await client.until(is('session_info_changed', 5_001))
  const numbers = client.messages().flatMap((message) => sequenceOf(message) ?? [])
  expect(numbers.length).toBeLessThan(5_000)
  expect(numbers.slice(0, -1)).toEqual(Array.from({length: numbers.length - 1}, (_, n) => n + 1))
})

test('a session is the same after the end of the daemon, with another worker', async () => {
  const [first, second] = [await start('still'), await start('still')]
  expect(second.namesOf('main').sessionId).toBe(first.namesOf('main').sessionId)
  expect(second.namesOf('main').generation).not.toBe(first.namesOf('main').generation)
  expect(second.namesOf('main').activeSessionId).not.toBe(first.namesOf('main').activeSessionId)
})

test('64 MiB in one line arrive whole', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  daemon.act({kind: 'hugeLine', on: 'main', bytes: 64 * 1024 * 1024})
  await client.until(is('bash_output'))
  expect(client.lines().at(-1)?.length).toBeGreaterThan(64 * 1024 * 1024)
})

test('a line is cut at its byte, and the connection ends', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  daemon.act({kind: 'cut', atByte: 20})
  daemon.act({kind: 'rename', on: 'main', name: 'a'})
  expect(await client.ended).toBe('{"type":"session_eve')
  expect(daemon.record().at(-1)).toMatchObject({kind: 'closed', by: 'daemon'})
})

test('bytes that are no UTF-8 leave as they are', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  daemon.act({kind: 'badLine', on: 'main', what: 'invalidUtf8'})
  await client.until((message) => message['x'] === '\ufffd')
})

test('characters cut by chunks and commands in one write are read', async () => {
  const daemon = await start('still')
  const client = await enter(daemon)
  client.sendLine('nothing\nnor this ☃\r')
  await client.until(({error}) => String(error).includes('nor'))
  const sent = daemon.record().flatMap((one) => (one.kind === 'sent' ? [one.line] : []))
  expect(sent).toEqual(['nothing', 'nor this ☃'])
})

test('killed, it leaves a socket that refuses; back, it has the session with its numbers', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  daemon.act({kind: 'rename', on: 'main', name: 'a'})
  const before = daemon.namesOf('main')
  daemon.act({kind: 'supervisor', end: 'killed', downMs: 300, helloMs: 0})
  await client.ended
  expect(client.messages().some(is('daemon_closing'))).toBe(false)
  await expect(connectPlainly(daemon.socketPath)).rejects.toMatchObject({code: 'ECONNREFUSED'})
  const again = await comeBack(daemon)
  const answer = await again.ask(attachTo(before.activeSessionId))
  expect(answer).toMatchObject({data: {lastEventCursor: {generation: before.generation, sequence: 1}}})
})

test('updated, it says so, and there is no socket until it is back', async () => {
  const daemon = await start('still')
  const client = await watch(daemon)
  daemon.act({kind: 'supervisor', end: 'update', downMs: 300, helloMs: 200})
  await client.ended
  expect(client.messages().at(-1)).toEqual({type: 'daemon_closing', reason: 'update'})
  await expect(connectPlainly(daemon.socketPath)).rejects.toMatchObject({code: 'ENOENT'})
  const again = await comeBack(daemon)
  await again.until(is('daemon_hello'))
  expect(again.messages().map(kindOf)).toEqual(['heartbeats_changed', 'daemon_hello'])
})

/** Tries until it is let in. */
async function comeBack(daemon: DemoDaemon): Promise<PlainClient> {
  for (;;) {
    try {
      return await enter(daemon)
    } catch {
      await realClock().wait(20, new AbortController().signal)
    }
  }
}

test('a file in the place of the socket is taken away by the demo only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-door-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  const socketPath = join(folder, 'd.sock')
  writeFileSync(socketPath, 'stale')
  const daemon = await start('still', {socketPath})
  await (await enter(daemon)).until(is('daemon_hello'))
  await daemon.close()
  expect(existsSync(socketPath)).toBe(false)
})

test('killed with its workers and started again at the same path, it has the session in another generation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-kill-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  const socket = join(folder, 'd.sock')
  const first = await launch(socket)
  const before = await firstRow(socket)
  first.kill('SIGKILL')
  await once(first, 'exit')
  await expect(connectPlainly(socket)).rejects.toMatchObject({code: 'ECONNREFUSED'})
  await launch(socket)
  const after = await firstRow(socket)
  expect(after['sessionId']).toBe(before['sessionId'])
  expect(after['activeSessionId']).not.toBe(before['activeSessionId'])
})

/** A demo daemon in a process of its own, once it listens. */
async function launch(socket: string): Promise<ChildProcess> {
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main, '--scenario', 'still', '--for', '60', '--socket', socket])
  onTestFinished(() => {
    child.kill()
  })
  await once(child.stdout, 'data')
  return child
}

async function firstRow(socket: string): Promise<JsonObject> {
  const client = await connectPlainly(socket)
  onTestFinished(client.close)
  const {data} = await client.ask({type: 'list'})
  const rows = isJsonObject(data) && Array.isArray(data['sessions']) ? data['sessions'].filter(isJsonObject) : []
  if (rows[0] === undefined) throw new Error('no session is listed')
  return rows[0]
}

test('the command line tells its path, keeps a record and ends by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-main-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  const [socket, record] = [join(folder, 'd.sock'), join(folder, 'record.jsonl')]
  const main = join(import.meta.dirname, 'main.ts')
  const args = [main, '--scenario', 'turn', '--for', '0.2', '--socket', socket, '--record', record]
  const {stdout} = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({socketPath: socket})
  expect(readFileSync(record, 'utf8')).toBe('')
  await expect(promisify(execFile)(process.execPath, [main, '--scenario', 'nope'])).rejects.toMatchObject({code: 2})
})
