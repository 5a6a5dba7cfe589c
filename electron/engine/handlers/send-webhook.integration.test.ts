import {createHmac} from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {type AddressInfo, createServer as createTcpServer, type Socket} from 'node:net'
import {text} from 'node:stream/consumers'
import {expect, onTestFinished, test} from 'vitest'
import {handler as handlerSchema} from '../../../shared/contract/handlers.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import {createHandlerRunner} from './run-handler.ts'
import {
  call,
  clock,
  deadlineIn,
  deadlineWhen,
  event,
  guard,
  handler,
  memoryTokens,
  never,
} from './testing/handler-rig.ts'

const KEY = 'the signing key'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A real server on loopback, gone with the test. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?of=release`
}

/** One that speaks no HTTP of its own accord. */
async function serveBytes(meet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    meet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function post(url: string, signal: AbortSignal = never, more: Parameters<typeof call>[0] = {}): Promise<HandlerEnd> {
  const tokens = memoryTokens({'s-1': 'agent-token', 's-1 handler h-1': KEY})
  const notify = async () => ''
  const run = createHandlerRunner({clock, tokens, guard: guard(), notify, environment: {}})
  return run(handler({kind: 'webhook', url}), call(more), signal)
}

/** Told at once when a client of this process has read the head of an answer, which is not when a server wrote it. */
function onHeadRead(heard: () => void): void {
  diagnostics.subscribe('http.client.response.finish', heard)
  onTestFinished(() => void diagnostics.unsubscribe('http.client.response.finish', heard))
}

test('a webhook gets the event, signed over its body, under a key that names the frame', async () => {
  const seen: {headers?: IncomingMessage['headers']; body?: string; method?: string; path?: string} = {}
  const url = await serve(async (request, response) => {
    Object.assign(seen, {headers: request.headers, method: request.method, path: request.url})
    seen.body = await text(request)
    response.end('thanks')
  })
  expect(await post(url, never, {attempt: 2, key: 's-1/0/s/19/ab'})).toEqual({
    state: 'resolved',
    status: 200,
    output: 'thanks',
    outputBytes: 6,
  })
  expect(seen).toMatchObject({method: 'POST', path: '/hook?of=release'})
  expect(seen.headers).toMatchObject({
    'idempotency-key': 's-1/0/s/19/ab',
    'tidemark-attempt': '2',
    'tidemark-signature': `sha256=${createHmac('sha256', KEY)
      .update(seen.body ?? '')
      .digest('hex')}`,
    'content-type': 'application/json',
  })
  expect(JSON.parse(seen.body ?? '')).toMatchObject({
    version: 2,
    attempt: 2,
    mayHaveRunBefore: true,
    event: 'message',
    coordinate: 'r:room-a',
    sequence: 29,
    data: {room_id: 'room-a', payload: {addressed: true}},
  })
})

test.each([
  [500, 'it answered 500'],
  [404, 'it answered 404'],
  [429, 'it answered 429'],
])('an answer of %d is no success', async (status, error) => {
  const url = await serve((_request, response) => response.writeHead(status).end('the reason'))
  expect(await post(url)).toEqual({state: 'rejected', status, error, output: 'the reason', outputBytes: 10})
})

test.each([301, 302, 303, 307, 308])('a redirect (%d) is told and not followed', async (status) => {
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status, {Location: '/elsewhere'}).end()
  })
  expect(await post(url)).toMatchObject({
    state: 'rejected',
    status,
    error: `it answered ${status}, to /elsewhere: redirects are not followed`,
  })
  expect(asked).toEqual(['/hook?of=release'])
})

test('no answer before the deadline is a timeout', async () => {
  const url = await serve(() => {})
  expect(await post(url, deadlineIn(200))).toEqual({
    state: 'timedOut',
    error: 'there was no answer before the deadline',
  })
})

test('an answer that does not end before the deadline is a timeout, and its status is told', async () => {
  const url = await serve((_request, response) => {
    response.write('a little')
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  let isBegun = false
  onHeadRead(() => (isBegun = true))
  const end = await post(
    url,
    deadlineWhen(() => isBegun),
  )
  expect(end).toMatchObject({
    state: 'timedOut',
    status: 200,
    error: 'it began to answer 200, and did not end before the deadline',
  })
  expect(end.output).toMatch(/^a little/)
})

test('a slow answer that ends in time is a success', async () => {
  const url = await serve((_request, response) => {
    let left = 5
    const drip = setInterval(() => {
      if (left-- > 0) return void response.write('.')
      clearInterval(drip)
      response.end()
    }, 20)
  })
  expect(await post(url, deadlineIn(20_000))).toMatchObject({state: 'resolved', status: 200, output: '.....'})
})

test('a connection that is reset is no success, whether an answer had begun or not', async () => {
  const early = await serveBytes((socket) => socket.once('data', () => socket.resetAndDestroy()))
  expect(await post(early)).toMatchObject({state: 'rejected', error: expect.stringMatching(/^ECONNRESET: /)})
  let reset = (): void => {}
  onHeadRead(() => reset())
  const late = await serveBytes((socket) => {
    reset = () => socket.resetAndDestroy()
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'))
  })
  expect(await post(late)).toMatchObject({
    state: 'rejected',
    status: 200,
    output: 'half',
    error: expect.stringMatching(/^it began to answer 200; /),
  })
})

test('a connection that is closed without a word is no success', async () => {
  const url = await serveBytes((socket) => socket.once('data', () => socket.end()))
  expect(await post(url)).toMatchObject({state: 'rejected', error: expect.stringMatching(/socket hang up/)})
})

test('what is no HTTP is no success', async () => {
  const url = await serveBytes((socket) => socket.once('data', () => socket.end('SSH-2.0-nothing\r\n')))
  expect(await post(url)).toMatchObject({state: 'rejected', error: expect.stringMatching(/^HPE_/)})
})

test('where nobody listens it is told', async () => {
  expect(await post('http://127.0.0.1:1/')).toMatchObject({
    state: 'rejected',
    error: expect.stringMatching(/^ECONNREFUSED/),
  })
})

test('of an endless answer as much is read as is enough, and its status counts', async () => {
  const url = await serve((_request, response) => {
    const more = (): void => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const end = await post(url)
  expect(end).toMatchObject({state: 'resolved', status: 200})
  expect(end.output).toHaveLength(65_536)
  expect(end.outputBytes).toBeLessThan(2 * 1024 * 1024)
})

/** Raw bytes for whoever has sent a head. */
function answering(bytes: string): Promise<string> {
  return serveBytes((socket) => socket.once('data', () => socket.end(bytes)))
}

const lies: ReadonlyArray<[what: string, bytes: string, end: object]> = [
  [
    'says that it is longer than it is',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
    {state: 'rejected', status: 200, output: 'half', error: expect.stringMatching(/^it began to answer 200; /)},
  ],
  [
    'says that it is shorter than it is',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
    {state: 'rejected', status: 200, error: expect.stringMatching(/^it began to answer 200; HPE_/)},
  ],
  [
    'breaks off between its chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n',
    {state: 'rejected', status: 200, output: 'ok', error: expect.stringMatching(/^it began to answer 200; /)},
  ],
  [
    'changes to another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    {state: 'rejected'},
  ],
  [
    'says first that more is to come, and then no',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n',
    {state: 'rejected', status: 503, error: 'it answered 503'},
  ],
]
test.each(lies)('an answer that %s is shown as what it is', async (_what, bytes, end) => {
  expect(await post(await answering(bytes))).toMatchObject(end)
})

test('an answer without a body is a success', async () => {
  const url = await serve((_request, response) => response.writeHead(204).end())
  expect(await post(url)).toEqual({state: 'resolved', status: 204, outputBytes: 0})
})

test('a port that speaks no TLS is told in one line', async () => {
  const plain = await serve((_request, response) => response.end())
  const {state, error} = await post(plain.replace('http:', 'https:'))
  expect({state, error}).toEqual({state: 'rejected', error: expect.stringMatching(/^\w+: [^\n]+$/)})
})

test('an address of IPv6 is reached', async () => {
  const server = createServer((_request, response) => void response.end('six'))
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://[::1]:${(server.address() as AddressInfo).port}/`
  expect(handlerSchema.safeParse(handler({kind: 'webhook', url})).success).toBe(true)
  expect(await post(url)).toMatchObject({state: 'resolved', output: 'six'})
})

test('a redirect that tells a page of text, with a secret in it, is told in a line without', async () => {
  const Location = `/${KEY.replaceAll(' ', '+')}/${'x'.repeat(8_000)}`
  const url = await serve((_request, response) => response.writeHead(302, {Location}).end())
  const {error = ''} = await post(url)
  expect(error).toMatch(/^it answered 302, to \/\[secret\]\/x+…$/)
  expect(error.length).toBeLessThanOrEqual(500)
})

test('a large event is signed and sent whole', async () => {
  let told = ''
  const url = await serve(async (request, response) => {
    const body = await text(request)
    const signature = `sha256=${createHmac('sha256', KEY).update(body).digest('hex')}`
    told = `${signature === request.headers['tidemark-signature']} ${Buffer.byteLength(body) > 8_000_000}`
    response.end()
  })
  expect(await post(url, never, {frame: event(19, 'ü€x'.repeat(1_400_000))})).toMatchObject({state: 'resolved'})
  expect(told).toBe('true true')
})

test('an engine that closes gives it up', async () => {
  const url = await serve(() => {})
  const closing = new AbortController()
  const posted = post(url, closing.signal)
  closing.abort('closedWithApp')
  expect(await posted).toEqual({state: 'aborted', error: 'Tidemark closed while it ran'})
})

test('secrets that come back in an answer are not kept', async () => {
  const url = await serve((_request, response) => response.writeHead(400).end(`bad ${KEY} and agent-token`))
  expect(await post(url)).toMatchObject({output: 'bad [secret] and [secret]'})
})

test('without a key nothing is sent', async () => {
  let asked = 0
  const url = await serve((_request, response) => {
    asked += 1
    response.end()
  })
  const run = createHandlerRunner({
    clock,
    tokens: memoryTokens(),
    guard: guard(),
    notify: async () => '',
    environment: {},
  })
  expect(await run(handler({kind: 'webhook', url}), call(), never)).toEqual({
    state: 'rejected',
    error: 'it has no key to sign with',
  })
  expect(asked).toBe(0)
})
