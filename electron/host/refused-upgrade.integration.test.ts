import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {startHost} from './host.ts'
import {idleEngine} from './testing/idle-engine.ts'

async function listening(): Promise<number> {
  const host = await startHost(idleEngine(), {port: 0, token: 'secret', page: '/nowhere'})
  if (!host.ok) throw new Error(host.error.kind)
  onTestFinished(host.value.close)
  return host.value.port
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const head = (path: string, host: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

test('an upgrade at another path, or under another name, is refused', async () => {
  const port = await listening()
  for (const request of [head('/other', `127.0.0.1:${port}`), head('/ws', 'somebody.example')]) {
    const socket = await connected(port)
    socket.write(request)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
    socket.destroy()
  }
})

test('a peer that resets its refused upgrade does not end the host', async () => {
  const uncaught: unknown[] = []
  const note = (cause: unknown): void => void uncaught.push(cause)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  const port = await listening()
  for (let n = 0; n < 20; n++) {
    const socket = await connected(port)
    socket.write(head('/other', `127.0.0.1:${port}`))
    if (n % 2 === 0) await once(socket, 'data')
    socket.resetAndDestroy()
  }
  // One after another on one loop: what the resets did to the host is known once a later request is answered.
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  expect(uncaught).toEqual([])
})
