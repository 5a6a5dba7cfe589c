import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {isJsonObject, parseJson} from '../../../shared/base/json.ts'
import {httpTransport} from './http-transport.ts'
import {probeHealth} from './probe-health.ts'
import {reply, serveBytes as serve, TOKEN} from './testing/serve-bytes.ts'
import type {OpenRequest} from './transport.ts'

const request: OpenRequest = {connectionId: '6f1c', from: 18}
const beat = {connectionId: '6f1c', cursor: 18}
const never = new AbortController().signal

/** The refusals as captured from the real bridge, by the kind they must come out as. */
const captured = parseJson(readFileSync(new URL('../../../fixtures/switch/errors.json', import.meta.url), 'utf8'))
const refusals = Object.entries(isJsonObject(captured) ? captured : {}).flatMap(([name, entry]) => {
  if (!isJsonObject(entry) || Number(entry['status']) < 400) return []
  const body = typeof entry['body'] === 'string' ? entry['body'] : JSON.stringify(entry['body'])
  const type = typeof entry['content_type'] === 'string' ? `content-type: ${entry['content_type']}\r\n` : ''
  return [{name, bytes: reply(`${entry['status']} X`, body, type), status: Number(entry['status'])}]
})

test.each(refusals)('the captured "$name" refuses an open and a beat alike', async ({bytes, status}) => {
  const {target} = await serve((socket) => socket.write(bytes))
  const transport = httpTransport(target)
  const opened = await transport.open(request, never)
  const beaten = await transport.beat(beat, never)
  expect(opened.ok).toBe(false)
  expect(beaten).toEqual(opened)
  if (status === 401) expect(opened).toMatchObject({error: {kind: 'credentials', status: 401}})
})

test.each([
  ['503 Busy', 'text/plain', 'warming up', {kind: 'unavailable', status: 503, detail: 'warming up'}],
  ['429 Slow', 'text/plain', '', {kind: 'unavailable', status: 429, detail: ''}],
  [
    '502 Bad',
    'text/html',
    '<title>Bad gateway</title>',
    {kind: 'unavailable', status: 502, detail: 'an HTML page: Bad gateway'},
  ],
  [
    '410 Gone',
    'application/json',
    '{"detail":{"code":"transport_removed"}}',
    {kind: 'transportRemoved', detail: 'transport_removed'},
  ],
  [
    '200 OK',
    'text/html',
    '<title>Sign in</title>',
    {kind: 'unexpected', status: 200, detail: 'another kind of answer: text/html'},
  ],
  [
    '204 Nothing',
    'text/event-stream',
    '',
    {kind: 'unexpected', status: 204, detail: 'another kind of answer: text/event-stream'},
  ],
] as const)('a %s answer with %s refuses an open', async (status, type, body, error) => {
  const {target} = await serve((socket) => socket.end(reply(status, body, `content-type: ${type}\r\n`)))
  expect(await httpTransport(target).open(request, never)).toEqual({ok: false, error})
})

test.each(['301 Moved', '302 Found', '307 Temporary', '308 Permanent'])(
  'a %s is not followed: the token stays',
  async (status) => {
    const elsewhere = await serve((socket) => socket.end(reply('200 OK', '')))
    const {target} = await serve((socket) => socket.end(reply(status, '', `location: ${elsewhere.target.url}\r\n`)))
    const transport = httpTransport(target)
    const refused = {ok: false, error: {kind: 'unexpected', detail: `redirects to ${elsewhere.target.url}`}}
    expect(await transport.open(request, never)).toMatchObject(refused)
    expect(await transport.beat(beat, never)).toMatchObject(refused)
    expect(elsewhere.seen).toEqual([])
  },
)

test('a refusal with a huge body is read in part', async () => {
  const {target} = await serve((socket) =>
    socket.write(`HTTP/1.1 500 X\r\ncontent-length: 900000000\r\n\r\n${'x'.repeat(200_000)}`),
  )
  const refused = await httpTransport(target).open(request, never)
  expect(refused).toMatchObject({ok: false, error: {kind: 'unavailable', status: 500}})
})

test('a refusal whose body never ends is read for a bounded time', async () => {
  const {target} = await serve((socket) =>
    socket.write('HTTP/1.1 403 X\r\ncontent-length: 100\r\n\r\n{"detail":"Agent'),
  )
  const refused = await httpTransport(target).open(request, never)
  expect(refused).toEqual({ok: false, error: {kind: 'credentials', status: 403, detail: '{"detail":"Agent'}})
})

test('the token gets into no message, however a server echoes it', async () => {
  const token = `sk "agent"/+${'9'.repeat(20)}`
  const quoted = JSON.stringify(token)
  const answers = [
    reply('401 X', `Bearer ${token} is not known`),
    reply('409 X', `{"detail":{"message":${quoted}}}`, 'content-type: application/json\r\n'),
    reply('500 X', `{"detail":${quoted}`),
    reply('400 X', `${'x'.repeat(490)}${token}`),
    reply('302 X', '', `location: /login?token=${encodeURIComponent(token)}\r\n`),
    `HTTP/1.1 ${token}\r\n\r\n`,
  ]
  for (const answer of answers) {
    const {target} = await serve((socket) => socket.end(answer))
    const transport = httpTransport({...target, token})
    for (const said of [await transport.open(request, never), await transport.beat(beat, never)]) {
      expect(said.ok).toBe(false)
      expect(JSON.stringify(said)).not.toContain('99999')
    }
  }
})

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
test.each([
  ['stays open', UPGRADE],
  ['brings something else at once', `${UPGRADE}\u0081\u0003abc`],
])('another protocol that nobody asked for, on a socket that %s, is a refusal', async (_how, bytes) => {
  const {target} = await serve((socket) => socket.write(bytes, 'latin1'))
  const transport = httpTransport(target)
  const refused = {ok: false, error: {kind: 'unexpected', status: 101}}
  expect(await transport.open(request, never)).toMatchObject(refused)
  expect(await transport.beat(beat, never)).toMatchObject(refused)
})

test('an encoded stream is refused: nothing of it could be read', async () => {
  const headers = 'content-type: text/event-stream\r\ncontent-encoding: gzip\r\n'
  const {target} = await serve((socket) => socket.write(reply('200 OK', 'x', headers)))
  const detail = 'another kind of answer: text/event-stream, encoded as gzip'
  expect(await httpTransport(target).open(request, never)).toEqual({
    ok: false,
    error: {kind: 'unexpected', status: 200, detail},
  })
})

test('a refusal nested deeper than any walk can go is read like another', async () => {
  const body = `{"detail":[{"loc":[${'['.repeat(7_000)}${']'.repeat(7_000)}],"msg":"odd"}]}`
  const {target} = await serve((socket) => socket.write(reply('422 X', body)))
  const transport = httpTransport(target)
  const refused = {ok: false, error: {kind: 'invalidParameter', detail: '…: odd'}}
  expect(await transport.open(request, never)).toEqual(refused)
  expect(await transport.beat(beat, never)).toEqual(refused)
})

test('a token that is half a character is refused like one that no header can hold', async () => {
  const {target} = await serve((socket) => socket.end(reply('200 OK', '')))
  const refused = await httpTransport({...target, token: 'secret\ud800'}).open(request, never)
  expect(refused).toMatchObject({ok: false, error: {kind: 'network', code: 'ERR_INVALID_CHAR'}})
  expect(JSON.stringify(refused)).not.toContain('secret')
})

test('a token that no header can hold is refused without being shown', async () => {
  const {target, seen} = await serve((socket) => socket.end(reply('200 OK', '')))
  const refused = await httpTransport({...target, token: 'secret\nx: y'}).open(request, never)
  expect(refused).toMatchObject({ok: false, error: {kind: 'network', code: 'ERR_INVALID_CHAR'}})
  expect(JSON.stringify(refused)).not.toContain('secret')
  expect(seen).toEqual([])
})

test('a port where nobody listens is told with the code of the system', async () => {
  const {target, close} = await serve(() => {})
  await close()
  const transport = httpTransport(target)
  expect(await transport.open(request, never)).toMatchObject({
    ok: false,
    error: {kind: 'network', code: 'ECONNREFUSED'},
  })
  expect(await transport.beat(beat, never)).toMatchObject({ok: false, error: {kind: 'network', code: 'ECONNREFUSED'}})
  expect(await probeHealth(target.url, never)).toMatchObject({kind: 'noAnswer', code: 'ECONNREFUSED'})
})

test.each(['ftp://127.0.0.1/', 'not a url', ''])('the address %o is refused without a request', async (url) => {
  expect(await httpTransport({url, agentId: 'a', token: TOKEN}).open(request, never)).toMatchObject({
    ok: false,
    error: {kind: 'network', code: 'ERR_INVALID_URL'},
  })
})

test('an answer that is no HTTP is a network refusal', async () => {
  const {target} = await serve((socket) => socket.end('hello\r\n\r\n'))
  expect(await httpTransport(target).open(request, never)).toMatchObject({
    ok: false,
    error: {kind: 'network', code: expect.stringMatching(/^HPE_/)},
  })
})

test('a server that takes the request and never answers is given up', async () => {
  const {target} = await serve(() => {})
  const transport = httpTransport(target, {openMs: 50, beatMs: 50})
  expect(await transport.open(request, never)).toMatchObject({ok: false, error: {kind: 'network', code: 'ETIMEDOUT'}})
  expect(await transport.beat(beat, never)).toMatchObject({ok: false, error: {kind: 'network', code: 'ETIMEDOUT'}})
})

test('beats share one socket, and nothing of the answer is adopted', async () => {
  const {target, seen} = await serve((socket) => socket.write(reply('200 OK', '{"ok":true,"rooms":[],"cursor":99}')))
  const transport = httpTransport(target)
  for (let n = 0; n < 3; n++) {
    expect(await transport.beat({...beat, generation: 7}, never)).toEqual({ok: true, value: undefined})
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(seen.map(({socketN}) => socketN)).toEqual([1, 1, 1])
  expect(seen[0]?.head.split('\r\n')[0]).toBe('POST /agents/release-bot/connection/beat HTTP/1.1')
  expect(seen[0]?.body).toBe('{"connection_id":"6f1c","cursor":18,"generation":7}')
})

test('a kept socket that the server closed meanwhile costs no beat', async () => {
  const {target, seen} = await serve((socket, {n}) => {
    // The second request finds its socket closing: the server never looked at it.
    if (n === 2) socket.resetAndDestroy()
    else socket.write(reply('200 OK', '{}'))
  })
  const transport = httpTransport(target)
  await transport.beat(beat, never)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await transport.beat(beat, never)).toEqual({ok: true, value: undefined})
  expect(seen.map(({socketN}) => socketN)).toEqual([1, 1, 2])
})

test('a beat is given up with its signal', async () => {
  const {target} = await serve(() => stopper.abort())
  const stopper = new AbortController()
  expect(await httpTransport(target).beat(beat, stopper.signal)).toMatchObject({ok: false, error: {code: 'ABORTED'}})
})

test.each([
  ['200 OK', {kind: 'bridge'}],
  ['401 No', {kind: 'wrongPath'}],
  ['404 No', {kind: 'notABridge', status: 404}],
  ['302 Found', {kind: 'notABridge', status: 302}],
])('a health answer of %s tells what is there, without the token being shown', async (status, expected) => {
  const {target, seen} = await serve((socket) => socket.end(reply(status, '{}')))
  expect(await probeHealth(target.url, never)).toEqual(expected)
  expect(seen[0]?.head.split('\r\n')[0]).toBe('GET /health HTTP/1.1')
  expect(seen[0]?.head).not.toMatch(/authorization/i)
})
