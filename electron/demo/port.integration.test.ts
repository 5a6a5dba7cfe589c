import {execFile} from 'node:child_process'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../engine/clock.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {httpTransport} from '../engine/switch/http-transport.ts'
import {probeHealth} from '../engine/switch/probe-health.ts'
import {createDemoPort} from './port.ts'

const never = new AbortController().signal

test('the demo is a bridge like any other to the real transport', async () => {
  const port = createDemoPort(systemClock())
  onTestFinished(port.stop)
  const {target} = await port.start('tour')
  expect(await probeHealth(target.url, never)).toEqual({kind: 'bridge'})
  expect(await probeHealth(`${target.url}/wrong`, never)).toEqual({kind: 'wrongPath'})
  const transport = httpTransport(target)
  const stopper = new AbortController()
  const opened = await transport.open({connectionId: 'c', from: 0}, stopper.signal)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const events: string[] = []
  for await (const batch of opened.value.batches) {
    events.push(
      ...batch.map((arrival) => (arrival.kind === 'frame' ? `${arrival.frame.event} ${arrival.frame.id}` : '')),
    )
    if (events.length > 1) break
  }
  expect(events).toEqual(['connection_state undefined', 'message 9'])
  expect(await transport.beat({connectionId: 'never', cursor: 9}, never)).toMatchObject({
    ok: false,
    error: {kind: 'notFound'},
  })
  const refused = await httpTransport({...target, token: 'other'}).open({connectionId: 'c', from: 0}, never)
  expect(refused).toEqual({ok: false, error: {kind: 'credentials', status: 401, detail: 'Invalid credentials'}})
})

test('a scenario has one server, and after a stop a new one', async () => {
  const port = createDemoPort(systemClock())
  onTestFinished(port.stop)
  const [first, second] = await Promise.all([port.start('steady'), port.start('steady')])
  expect(second.target).toEqual(first.target)
  expect((await port.start('gap')).target.url).not.toBe(first.target.url)
  await port.stop()
  expect(await probeHealth(first.target.url, never)).toMatchObject({kind: 'noAnswer'})
  expect((await port.start('steady')).target.token).not.toBe(first.target.token)
})

test('an unknown scenario is refused', async () => {
  await expect(createDemoPort(systemClock()).start('nothing')).rejects.toThrow('no demo scenario is named nothing')
  const {plays} = createDemoPort(systemClock())
  expect([plays?.('switch', 'nothing'), plays?.('switch', 'tour'), plays?.('numbered', 'tour')]).toEqual([
    false,
    true,
    true,
  ])
})

test('a session of the demo’s daemon is known by its socket, in a later run too', async () => {
  const sockets = temporaryDirectory()
  const port = createDemoPort(systemClock(), {sockets})
  onTestFinished(port.stop)
  const {socket} = (await port.startDaemon?.('tour')) ?? {socket: ''}
  expect(port.owns?.(socket)).toBe(true)
  expect(port.owns?.(`${socket}.other`)).toBe(false)
  expect(createDemoPort(systemClock(), {sockets}).owns?.(socket)).toBe(true)
  const elsewhere = createDemoPort(systemClock())
  onTestFinished(elsewhere.stop)
  const own = (await elsewhere.startDaemon?.('tour')) ?? {socket: ''}
  expect(elsewhere.owns?.(own.socket)).toBe(true)
})

test('the command line tells what it takes, instead of a stack', async () => {
  for (const main of ['main.ts', 'prime/main.ts', 'numbered/main.ts']) {
    const path = new URL(main, import.meta.url).pathname
    const told = (flag: string) =>
      new Promise<string>((resolve) => {
        execFile(process.execPath, [path, flag], (error, stdout, stderr) =>
          resolve(`${error?.code ?? 0} ${stdout}${stderr}`),
        )
      })
    expect(await told('--help')).toMatch(/^0 node tools\/node24\.mjs electron\/demo\/.*--scenario NAME/)
    expect(await told('--nonsense')).toMatch(/^2 Unknown option '--nonsense'.*\nnode tools/)
  }
})

test('the command line tells where it runs, and ends by itself', async () => {
  const main = new URL('./main.ts', import.meta.url).pathname
  const ended = Promise.withResolvers<string>()
  execFile(process.execPath, [main, '--scenario', 'gap', '--for', '1'], (error, stdout) => {
    if (error === null) ended.resolve(stdout)
    else ended.reject(error)
  })
  const told: unknown = JSON.parse(await ended.promise)
  expect(told).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: expect.any(String),
    agentId: 'release-bot',
  })
})
