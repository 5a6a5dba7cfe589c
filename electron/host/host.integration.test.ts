import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {WebSocket} from 'ws'
import {isJsonObject, type JsonObject} from '../../shared/base/json.ts'
import {createDemoPort} from '../demo/port.ts'
import {createEngine} from '../engine/engine.ts'
import {createMemoryStore} from '../engine/store/memory-store.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {httpTransport} from '../engine/switch/http-transport.ts'
import {createFastClock} from '../engine/testing/fast-clock.ts'
import {until} from '../engine/testing/until.ts'
import {type Host, type HostOptions, startHost} from './host.ts'

const TOKEN = 'the-token-of-this-run'

/** A host with a whole engine behind it: memory for a store, the demo for a source. */
async function serve(more: Partial<HostOptions> = {}): Promise<Host> {
  const clock = createFastClock(10)
  const folder = temporaryDirectory()
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), {recursive: true})
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Tidemark</title>')
  writeFileSync(join(page, 'assets', 'app.js'), 'export {}')
  writeFileSync(join(folder, 'secret.json'), '"never served"')
  writeFileSync(join(page, 'notes.txt'), 'of a kind that no page consists of')
  const engine = await createEngine({
    store: createMemoryStore(),
    clock,
    tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'nowhere'},
    openTransport: (target) => httpTransport(target, {clock}),
    probeHealth: async () => ({kind: 'bridge'}),
    demo: createDemoPort(clock),
    shell: {version: '1.2.3', mode: 'host', profile: folder},
  })
  const host = await startHost(engine, {port: 0, token: TOKEN, page, ...more})
  if (!host.ok) throw new Error(host.error.kind)
  onTestFinished(async () => {
    await host.value.close()
    await engine.close()
  })
  return host.value
}

interface Screen {
  readonly socket: WebSocket
  readonly heard: readonly JsonObject[]
  readonly say: (message: unknown) => void
  /** Resolves with the code of its close. */
  readonly closed: Promise<number>
  readonly answerTo: (id: number) => Promise<unknown>
}

function openScreen({port}: Host, origin?: string): Screen {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, origin === undefined ? {} : {origin})
  onTestFinished(() => socket.terminate())
  const heard: JsonObject[] = []
  socket.on('error', () => {}) // told by the close as well
  socket.on('message', (raw) => {
    const message: unknown = JSON.parse(String(raw))
    if (isJsonObject(message)) heard.push(message)
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const answer = (id: number): JsonObject | undefined => heard.find((message) => message['id'] === id)
  return {
    socket,
    heard,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
    async answerTo(id) {
      await until(() => answer(id) !== undefined, `the answer to ${id}`)
      return answer(id)?.['result']
    },
  }
}

async function openReady(host: Host, origin?: string): Promise<Screen> {
  const screen = openScreen(host, origin)
  await once(screen.socket, 'open')
  screen.say({token: TOKEN})
  await until(() => screen.heard[0]?.['ready'] === true, 'the host to be ready')
  return screen
}

test('a screen with the token asks and is answered', async () => {
  const screen = await openReady(await serve())
  screen.say({id: 1, channel: 'app.info', input: {}})
  screen.say({id: 2, channel: 'sources.list', input: {}})
  expect(await screen.answerTo(1)).toMatchObject({ok: true, value: {version: '1.2.3', mode: 'host'}})
  expect(await screen.answerTo(2)).toEqual({ok: true, value: []})
})

test('what changes comes by itself, in batches that are numbered without a hole, to every screen', async () => {
  const host = await serve()
  const screens = [await openReady(host), await openReady(host, `http://localhost:${host.port}`)]
  screens[0]?.say({id: 1, channel: 'demo.start', input: {}})
  const batches = ({heard}: Screen): JsonObject[] => heard.map(({changes}) => changes).filter(isJsonObject)
  const frames = (screen: Screen) => batches(screen).flatMap(({frames}) => (Array.isArray(frames) ? frames : []))
  for (const screen of screens) {
    await until(() => frames(screen).some(({outcome}) => outcome === 'handled'), 'a handled frame')
    const numbers = batches(screen).map(({number}) => Number(number))
    expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
  }
})

test('what cannot be served is answered as such, and what is no request is passed over', async () => {
  const screen = await openReady(await serve())
  for (const noise of ['{not json', '[]', '"x"', '5', '{"id":"1","channel":"app.info"}', '{"id":1}']) screen.say(noise)
  screen.say({id: 3, channel: '__proto__', input: {}})
  screen.say({id: 4, channel: 'sources.pause', input: {source: 5}})
  screen.say({id: 5, channel: 'sources.pause', input: {source: 'nobody'}})
  expect(await screen.answerTo(3)).toMatchObject({ok: false, error: {kind: 'unknownChannel'}})
  expect(await screen.answerTo(4)).toMatchObject({ok: false, error: {kind: 'badInput'}})
  expect(await screen.answerTo(5)).toMatchObject({ok: false, error: {kind: 'refused', code: 'noSuchSource'}})
})

test.each([
  ['another one', {token: 'another one'}],
  ['none', {id: 1, channel: 'app.info', input: {}}],
  ['a number', {token: 5}],
  ['the beginning of it', {token: TOKEN.slice(0, 5)}],
  ['no JSON', 'hello'],
])('a first message with %s for a token closes the socket with 4401, and nothing is answered', async (_what, first) => {
  const screen = openScreen(await serve())
  await once(screen.socket, 'open')
  screen.say(first)
  screen.say({id: 9, channel: 'app.info', input: {}})
  expect(await screen.closed).toBe(4401)
  expect(screen.heard).toEqual([])
})

test('a screen that does not introduce itself in time is closed with 4401', async () => {
  const screen = openScreen(await serve({patienceMs: 30}))
  expect(await screen.closed).toBe(4401)
})

test('a screen that did is not closed for it', async () => {
  const screen = await openReady(await serve({patienceMs: 200}))
  screen.say({id: 1, channel: 'demo.start', input: {}})
  await until(() => screen.heard.filter(({changes}) => changes !== undefined).length > 10, 'some batches')
  expect(screen.socket.readyState).toBe(WebSocket.OPEN)
})

test('a page of another origin cannot open a socket here; ours can, under both names', async () => {
  const host = await serve()
  for (const origin of ['http://somebody.example', `http://somebody.example:${host.port}`, 'null', 'file://']) {
    const refused = openScreen(host, origin)
    const [, response] = await once(refused.socket, 'unexpected-response')
    expect([origin, response.statusCode]).toEqual([origin, 403])
  }
  for (const origin of [`http://127.0.0.1:${host.port}`, `http://localhost:${host.port}`]) await openReady(host, origin)
})

test('a message larger than any request ends its socket, and no other', async () => {
  const host = await serve()
  const other = await openReady(host)
  const large = await openReady(host)
  large.say({id: 1, channel: 'app.info', input: {padding: 'x'.repeat(2 * 1024 * 1024)}})
  expect(await large.closed).toBe(1009)
  other.say({id: 1, channel: 'app.info', input: {}})
  expect(await other.answerTo(1)).toMatchObject({ok: true})
})

test('closing the host ends its screens', async () => {
  const host = await serve()
  const screen = await openReady(host)
  await host.close()
  expect(await screen.closed).toBe(1006)
})

/** One request as written, with no library to tidy its path. */
async function ask({port}: Host, line: string, name = `127.0.0.1:${port}`): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${line} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
  let text = ''
  for await (const piece of socket.setEncoding('utf8')) text += String(piece)
  return text
}

const status = (answer: string): string => answer.split(' ')[1] ?? ''

test('the page is served to who asks under a local name, with a policy that lets it talk to nobody else', async () => {
  const host = await serve()
  const page = await ask(host, 'GET /')
  expect(status(page)).toBe('200')
  expect(page).toContain('<title>Tidemark</title>')
  expect(page).toMatch(/content-security-policy: default-src 'none'/i)
  expect(page).not.toContain(TOKEN)
  expect(status(await ask(host, 'GET /assets/app.js'))).toBe('200')
  const head = await ask(host, 'HEAD /')
  expect([status(head), head.split('\r\n\r\n')[1]]).toEqual(['200', ''])
  expect(status(await ask(host, 'POST /'))).toBe('405')
})

test.each(['somebody.example', 'somebody.example:7777', '127.0.0.1', '127.0.0.1.somebody.example', '0.0.0.0', ''])(
  'a request under the name "%s" is refused: it may be a page of somebody else',
  async (name) => {
    const host = await serve()
    expect(status(await ask(host, 'GET /', name))).toBe('403')
  },
)

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/..%2fsecret.json',
  '/%2e%2e%2fsecret.json',
  '/assets/../../secret.json',
  '/assets/%2e%2e/%2e%2e/secret.json',
  '/..%5csecret.json',
  '/%00secret.json',
  '/%',
  '//etc/passwd',
  '/assets',
  '/notes.txt',
  '/nothing.js',
])('the path %s leads to nothing', async (path) => {
  const answer = await ask(await serve(), `GET ${path}`)
  expect(status(answer)).toBe('404')
  expect(answer).not.toContain('never served')
})
