import {connect} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {REAL_TIMING} from './bridge-state.ts'
import {realClock} from './demo-clock.ts'
import type {Scenario} from './scenario.ts'
import {findScenario} from './scenarios.ts'
import {burst, say} from './script.ts'
import {type DemoServer, type DemoServerSetup, startDemoServer} from './server.ts'
import {framesOf} from './testing/simulated-client.ts'

const quick: Scenario = {
  name: 'quick',
  about: '',
  revision: 'r1',
  start: {s: 0, rooms: {}},
  steps: [say(0, 'room-a', 'dana', 'naïve ☃')],
}

async function start(scenario: Scenario | string, more: Partial<DemoServerSetup> = {}): Promise<DemoServer> {
  const found = typeof scenario === 'string' ? findScenario(scenario) : scenario
  if (found === undefined) throw new Error('no such scenario')
  const server = await startDemoServer({scenario: found, clock: realClock(), ...more})
  onTestFinished(server.close)
  return server
}

function authorized(
  {token}: DemoServer,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {authorization: `Bearer ${token}`, ...more}
}

const STREAM = {accept: 'text/event-stream'}
const OBSERVER = 'connection_id=c&scope=all&filter=all&start_from=0'

function openStream(
  server: DemoServer,
  query = OBSERVER,
  headers: Readonly<Record<string, string>> = STREAM,
): Promise<Response> {
  return fetch(`${server.url}/agents/release-bot/events?${query}`, {headers: authorized(server, headers)})
}

/** Reads until the text has what is looked for, or the body ends. */
async function readUntil(response: Response, found: (text: string) => boolean): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader !== undefined && !found(text)) {
    const {done, value} = await reader.read()
    if (done) break
    text += value
  }
  await reader?.cancel()
  return text
}

function beat(server: DemoServer, body: unknown): Promise<Response> {
  return fetch(`${server.url}/agents/release-bot/connection/beat`, {
    method: 'POST',
    headers: authorized(server, {'content-type': 'application/json'}),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

test('a stream is served as the real bridge serves it', async () => {
  const server = await start(quick)
  const response = await openStream(server)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('content-encoding')).toBeNull()
  const text = await readUntil(response, (read) => read.includes('event: message') && read.endsWith('\n\n'))
  expect(text).toMatch(/^event: connection_state\ndata: \{.*\}\n\nid: 1\nevent: message\ndata: \{.*\}\n\n$/)
  expect(text).toContain(String.raw`"body":"na\u00efve \u2603"`)
})

test('health is public, everything else asks for the token', async () => {
  const server = await start(quick)
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${server.url}${path}`, {headers})
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  expect(await get('/health')).toEqual([200, 'application/json', '{"status":"ok"}'])
  expect(await get('/agents/a/events')).toEqual([401, null, 'Missing or invalid Authorization header'])
  expect(await get('/wrong/health')).toEqual([401, null, 'Missing or invalid Authorization header'])
  expect(await get('/agents/a/events', {authorization: 'Bearer x'})).toEqual([401, null, 'Invalid credentials'])
  expect(await get('/wrong', authorized(server))).toEqual([404, 'application/json', '{"detail":"Not Found"}'])
})

test.each([
  ['scope=all', {}, 400, 'connection_id is required'],
  ['connection_id=c&scope=multi', {}, 400, "scope must be 'single' or 'all', got 'multi'"],
  ['connection_id=c&scope=all&filter=x', {}, 400, "filter must be 'all' or 'addressed', got 'x'"],
  ['connection_id=c&scope=all&start_from=tail', {}, 400, "start_from must be 'head' or a sequence number, got 'tail'"],
  ['connection_id=c&scope=all', {'last-event-id': '{"s":1}'}, 400, 'start_from must be'],
  ['connection_id=c&scope=all&rooms=room-zzz', {}, 403, 'Room not found: room-zzz'],
  ['connection_id=c&scope=all&protocol=x', {}, 422, 'int_parsing'],
  ['connection_id=theirs&scope=all', {}, 409, 'connection theirs is not open'],
] as const)('%s %o is refused with %d', async (query, headers, status, said) => {
  const server = await start(quick, {isForeign: (id) => id === 'theirs'})
  const response = await openStream(server, query, {...STREAM, ...headers})
  expect(response.status).toBe(status)
  expect(JSON.parse(await response.text())).toHaveProperty('detail')
  expect(
    JSON.stringify(await openStream(server, query, {...STREAM, ...headers}).then((again) => again.json())),
  ).toContain(said)
})

test.each([
  ['{', 422],
  ['[]', 422],
  [{cursor: 0}, 422],
  [{connection_id: 'c', cursor: 'x'}, 422],
  [{connection_id: 'never', cursor: 0}, 404],
] as const)('a beat of %o is refused with %d', async (body, status) => {
  const server = await start(quick)
  const response = await beat(server, body)
  expect([response.status, await response.json()]).toMatchObject([status, {detail: expect.anything()}])
})

test('a stream that beats is answered, and one whose socket went away has no stream', async () => {
  const server = await start(quick)
  const response = await openStream(server)
  expect(await (await beat(server, {connection_id: 'c', cursor: 0})).json()).toMatchObject({ok: true, rooms: []})
  await response.body?.cancel()
  let status = 200
  while (status === 200) status = (await beat(server, {connection_id: 'c', cursor: 0})).status
  expect(status).toBe(409)
})

test('Last-Event-ID wins over start_from', async () => {
  const server = await start({...quick, steps: [burst('always', 0, 5)]})
  const response = await openStream(server, OBSERVER, {...STREAM, 'last-event-id': '3'})
  const text = await readUntil(response, (read) => read.includes('id: 5\n'))
  expect(framesOf(text).map(({data}) => data?.['sequence'])).toEqual([undefined, 4, 5])
})

test('an idle stream is kept alive, by the times of this server', async () => {
  const timing = {...REAL_TIMING, ttlMs: 600_000, keepaliveMs: 20}
  const server = await start({...quick, steps: []}, {timing})
  const text = await readUntil(await openStream(server), (read) => read.split(': keepalive\n\n').length > 2)
  expect(text).toMatch(/\n\n: keepalive\n\n: keepalive\n\n/)
})

test('a stream without a beat is evicted, by the times of this server', async () => {
  const timing = {heartbeatMs: 50, ttlMs: 150, sweepMs: 50, keepaliveMs: 15_000}
  const server = await start({...quick, revision: 'r2', steps: []}, {timing})
  const text = await readUntil(await openStream(server), () => false)
  expect(text).toContain('"heartbeat_interval_seconds":0.05')
  expect(text).toMatch(
    /event: evicted\ndata: \{"code":"heartbeat_lapsed","reason":"heartbeat lapsed","room_id":null\}\n\n$/,
  )
})

test('a stream taken by another is ended', async () => {
  const server = await start({...quick, revision: 'r2', steps: []})
  const first = await openStream(server)
  const second = await openStream(server)
  expect(await readUntil(first, () => false)).toMatch(/"code":"taken_over".*\n\n$/)
  await second.body?.cancel()
})

test('the thirty-third connection of an agent is refused', async () => {
  const server = await start({...quick, steps: []})
  const bodies: Response[] = []
  for (let n = 0; n < 32; n++) bodies.push(await openStream(server, `connection_id=c${n}&scope=all`))
  const over = await openStream(server, 'connection_id=over&scope=all')
  expect([over.status, await over.json()]).toMatchObject([
    409,
    {detail: expect.stringContaining('already has 32 open connections')},
  ])
  await Promise.all(bodies.map(({body}) => body?.cancel()))
})

test('a reader that takes nothing holds the server back, and still gets everything in order', async () => {
  const count = 40_000
  const timing = {...REAL_TIMING, ttlMs: 600_000}
  const server = await start({...quick, retain: {count}, steps: [burst('always', 0, count)]}, {timing})
  const {port, host} = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.pause()
  socket.write(
    `GET /agents/a/events?${OBSERVER} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\nauthorization: Bearer ${server.token}\r\n\r\n`,
  )
  // A beat tells what the server has written. It comes to rest far from all, while nobody reads.
  let written = -1
  for (let before = -2; before !== written; ) {
    before = written
    await new Promise((resolve) => setTimeout(resolve, 200))
    const said: unknown = await (await beat(server, {connection_id: 'c', cursor: 0})).json()
    written = (said as {readonly cursor: number}).cursor // as this server answers
  }
  expect(written).toBeLessThan(count - 5_000)
  const pieces: string[] = []
  for await (const piece of socket as AsyncIterable<Buffer>) {
    pieces.push(piece.toString('latin1'))
    if (pieces.slice(-2).join('').includes(`"sequence":${count}}`)) break
  }
  const text = pieces.join('')
  const marks = [10_000, 20_000, 30_000, 40_000].map((s) => text.indexOf(`"sequence":${s}}`))
  expect(marks.every((mark, n) => mark > (marks[n - 1] ?? 0))).toBe(true)
})

test.each(['socket-reset', 'restart-r1'])('%s breaks the body', async (name) => {
  const server = await start(name, {speed: 20})
  await expect(readUntil(await openStream(server), () => false)).rejects.toThrow()
})

test.each([
  ['instant-close', 'connection_state'],
  ['eviction', 'evicted'],
  ['takeover-r1', 'evicted'],
] as const)('%s ends the body cleanly after %s', async (name, event) => {
  const server = await start(name, {speed: 20})
  const text = await readUntil(await openStream(server), () => false)
  expect(framesOf(text).at(-1)?.event).toBe(event)
})

test('half-open: nothing comes any more and beats are never answered, but a new stream is served', async () => {
  const server = await start('half-open', {speed: 20})
  const first = await openStream(server)
  const answered = () =>
    fetch(`${server.url}/agents/a/connection/beat`, {
      method: 'POST',
      headers: authorized(server),
      body: '{"connection_id":"c","cursor":0}',
      signal: AbortSignal.timeout(300),
    }).then(
      () => true,
      () => false,
    )
  while (await answered()) await new Promise((resolve) => setTimeout(resolve, 20))
  const second = await openStream(server)
  expect(await readUntil(second, (read) => read.includes('are you back?'))).toContain('are you back?')
  await first.body?.cancel()
})

test('closing ends every stream and frees the port', async () => {
  const server = await start(quick)
  const response = await openStream(server)
  await server.close()
  await expect(readUntil(response, () => false)).rejects.toThrow()
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})
