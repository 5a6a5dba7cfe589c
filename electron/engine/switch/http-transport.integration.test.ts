import {expect, test} from 'vitest'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import {type HttpTransportOptions, httpTransport} from './http-transport.ts'
import {chunk, reply, serveBytes as serve, TOKEN} from './testing/serve-bytes.ts'
import type {OpenRequest, OpenStream, StreamEnd, SwitchTarget} from './transport.ts'

const request: OpenRequest = {connectionId: '6f1c', from: 18}
const never = new AbortController().signal
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
const FRAME = 'id: 19\nevent: message\ndata: {"type":"message"}\n\n'

async function openStream(
  target: SwitchTarget,
  signal: AbortSignal = never,
  options: HttpTransportOptions = {},
): Promise<OpenStream> {
  const opened = await httpTransport(target, options).open(request, signal)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  return opened.value
}

async function readAll({
  batches,
}: OpenStream): Promise<{readonly arrivals: readonly Arrival[]; readonly batchCount: number; readonly end: StreamEnd}> {
  const arrivals: Arrival[] = []
  for (let batchCount = 0; ; batchCount++) {
    const next = await batches.next()
    if (next.done === true) return {arrivals, batchCount, end: next.value}
    arrivals.push(...next.value)
  }
}

test('an open says exactly what a passive observer must, and asks for no compression', async () => {
  const {target, seen} = await serve((socket) => socket.end(reply('503 No', '')))
  await httpTransport(target).open({...request, expectedGeneration: 7}, never)
  const head = seen[0]?.head ?? ''
  expect(head.split('\r\n')[0]).toBe(
    'GET /agents/release-bot/events?connection_id=6f1c&scope=all&filter=all&start_from=18&expected_generation=7 HTTP/1.1',
  )
  expect(head).toMatch(/^accept: text\/event-stream$/im)
  expect(head).toMatch(/^last-event-id: 18$/im)
  expect(head).toMatch(new RegExp(`^authorization: Bearer ${TOKEN}$`, 'im'))
  expect(head).not.toMatch(/^accept-encoding:/im)
})

test('a stream that only its socket ends tells a broken socket from an ended one', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
  const read = Promise.withResolvers<void>()
  const {target} = await serve((socket, {n}) => {
    if (n === 1) socket.end(`${head}${FRAME}`)
    else socket.write(`${head}${FRAME}`, () => void read.promise.then(() => socket.resetAndDestroy()))
  })
  expect((await readAll(await openStream(target))).end).toEqual({kind: 'closed'})
  const stream = await openStream(target)
  expect((await stream.batches.next()).value).toHaveLength(1)
  read.resolve()
  expect((await readAll(stream)).end).toEqual({kind: 'dropped', code: 'ECONNRESET'})
})

test('a stream brings its frames and ends as closed when the server ends it', async () => {
  const {target} = await serve((socket) => socket.end(`${HEAD}${chunk(FRAME)}0\r\n\r\n`))
  const {arrivals, end} = await readAll(await openStream(target))
  expect(arrivals).toMatchObject([{kind: 'frame', frame: {event: 'message', id: '19', data: '{"type":"message"}'}}])
  expect(end).toEqual({kind: 'closed'})
})

test('the frames are the same however the bytes are cut', async () => {
  const {target} = await serve((socket) => {
    const text = `: keepalive\n\n${FRAME}${FRAME.replaceAll('\n', '\r\n')}data: {"é":"${'☃'.repeat(40)}"}\n\n`
    const bytes = Buffer.from(text)
    socket.setNoDelay(true)
    socket.write(HEAD)
    const send = (from: number): void => {
      if (from >= bytes.length) return void socket.end('0\r\n\r\n')
      const piece = bytes.subarray(from, from + 1 + (from % 11))
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]), () =>
        setImmediate(send, from + piece.length),
      )
    }
    send(0)
  })
  const {arrivals, batchCount} = await readAll(await openStream(target))
  const data = arrivals.map((arrival) => arrival.kind === 'frame' && arrival.frame.data)
  expect(data).toEqual(['{"type":"message"}', '{"type":"message"}', `{"é":"${'☃'.repeat(40)}"}`])
  expect(batchCount).toBeGreaterThan(3)
})

test('bytes that complete no frame still come as a batch', async () => {
  const {target} = await serve((socket) => socket.write(`${HEAD}${chunk(': keepalive\n\n')}`))
  const {batches} = await openStream(target)
  expect(await batches.next()).toEqual({done: false, value: []})
})

test('a server that falls silent brings no batch and no end', async () => {
  const {target} = await serve((socket) => socket.write(`${HEAD}${chunk(FRAME)}`))
  const stopper = new AbortController()
  const {batches} = await openStream(target, stopper.signal)
  await batches.next()
  let settled = false
  const next = batches.next().then((result) => {
    settled = true
    return result
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(settled).toBe(false)
  stopper.abort()
  expect(await next).toMatchObject({done: true})
})

test('a socket reset in the middle of a frame is a drop with the code of the system, and no half frame', async () => {
  const {target} = await serve((socket) => {
    socket.write(`${HEAD}${chunk(FRAME)}${chunk('id: 20\ndata: {"ty')}`, () =>
      setTimeout(() => socket.resetAndDestroy(), 50),
    )
  })
  const {arrivals, end} = await readAll(await openStream(target))
  expect(arrivals).toHaveLength(1)
  expect(end).toEqual({kind: 'dropped', code: 'ECONNRESET'})
})

test('a server that goes away without ending the body is a drop', async () => {
  const {target} = await serve((socket) => socket.end(`${HEAD}${chunk(FRAME)}`))
  const {arrivals, end} = await readAll(await openStream(target))
  expect(arrivals).toHaveLength(1)
  expect(end).toMatchObject({kind: 'dropped'})
})

test('a frame above the cap is reported, and the stream goes on', async () => {
  const {target} = await serve((socket) =>
    socket.end(`${HEAD}${chunk(`data: ${'x'.repeat(5000)}\n\n`)}${chunk(FRAME)}0\r\n\r\n`),
  )
  const {arrivals} = await readAll(await openStream(target, never, {frameCapBytes: 1000}))
  expect(arrivals).toMatchObject([
    {kind: 'tooLong', capBytes: 1000},
    {kind: 'frame', frame: {id: '19'}},
  ])
})

test('giving up while the server has not answered is no exception', async () => {
  const {target} = await serve(() => stopper.abort())
  const stopper = new AbortController()
  expect(await httpTransport(target).open(request, stopper.signal)).toMatchObject({ok: false, error: {code: 'ABORTED'}})
  expect(await httpTransport(target).open(request, stopper.signal)).toMatchObject({ok: false, error: {code: 'ABORTED'}})
})

test('giving up closes the stream and its socket', async () => {
  const gone = Promise.withResolvers<void>()
  const {target} = await serve((socket) => {
    socket.on('close', () => gone.resolve())
    socket.write(`${HEAD}${chunk(FRAME)}`)
  })
  const stopper = new AbortController()
  const {batches} = await openStream(target, stopper.signal)
  await batches.next()
  stopper.abort()
  expect(await batches.next()).toEqual({done: true, value: {kind: 'dropped', code: 'ABORTED'}})
  await gone.promise
})

test('giving up closes a stream that nobody has begun to read', async () => {
  const gone = Promise.withResolvers<void>()
  const {target} = await serve((socket) => {
    socket.on('close', () => gone.resolve())
    socket.write(`${HEAD}${chunk(FRAME)}`)
  })
  const stopper = new AbortController()
  await openStream(target, stopper.signal)
  stopper.abort()
  await gone.promise
})

test('giving up a stream whose body is here in full, and half read, breaks nothing', async () => {
  const {target} = await serve((socket) => socket.end(`${HEAD}${chunk(FRAME)}${chunk(FRAME)}0\r\n\r\n`))
  for (let round = 0; round < 20; round++) {
    const giveUp = new AbortController()
    const {batches} = await openStream(target, giveUp.signal)
    await batches.next()
    giveUp.abort()
    let next = await batches.next()
    while (next.done !== true) next = await batches.next()
    expect(['closed', 'dropped']).toContain(next.value.kind)
  }
})

test('a socket kept from a request that was given up later serves others on', async () => {
  const {target} = await serve((socket) => socket.write(reply('200 OK', '{"ok":true}')))
  const transport = httpTransport(target)
  const first = new AbortController()
  expect(await transport.beat({connectionId: '6f1c', cursor: 1}, first.signal)).toEqual({ok: true, value: undefined})
  first.abort()
  expect(await transport.beat({connectionId: '6f1c', cursor: 2}, never)).toEqual({ok: true, value: undefined})
})

test('leaving the loop closes the socket', async () => {
  const gone = Promise.withResolvers<void>()
  const {target} = await serve((socket) => {
    socket.on('close', () => gone.resolve())
    socket.write(`${HEAD}${chunk(FRAME)}`)
  })
  for await (const _batch of (await openStream(target)).batches) break
  await gone.promise
})

test('what is not pulled stays with the server', async () => {
  const MEBIBYTE = 'x'.repeat(1024 * 1024)
  let written = 0
  const full = Promise.withResolvers<void>()
  const {target} = await serve((socket) => {
    const send = (): void => {
      // Counted once the system took it. 64 MiB would be far more than the sockets' own buffers hold.
      if (written === 64) full.reject(new Error('the client took everything'))
      else
        socket.write(chunk(`data: ${MEBIBYTE}\n\n`), () => {
          written++
          send()
        })
    }
    socket.write(HEAD, send)
  })
  const {batches} = await openStream(target)
  await batches.next()
  for (let before = -1; before !== written; ) {
    before = written
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  full.resolve()
  await full.promise
  expect(written).toBeLessThan(32)
})
