import {once} from 'node:events'
import {createServer, type Server, type Socket} from 'node:net'
import {onTestFinished} from 'vitest'
import type {SwitchTarget} from '../transport.ts'

export const TOKEN = 'sk-agent-0123456789'

/** One request as its bytes arrived. `n` counts requests over all sockets, `socketN` the sockets, both from 1. */
export interface Seen {
  readonly head: string
  readonly body: string
  readonly n: number
  readonly socketN: number
}

export interface BytesServer {
  readonly target: SwitchTarget
  readonly seen: readonly Seen[]
  readonly close: () => Promise<void>
}

/** A server that answers with whatever bytes a test wants. It is gone when the test is over, or before by `close`. */
export async function serveBytes(answer: (socket: Socket, seen: Seen) => void): Promise<BytesServer> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const socketN = sockets.size
    socket.on('error', () => {})
    readRequests(socket, (head, body) => {
      const one = {head, body, n: seen.length + 1, socketN}
      seen.push(one)
      answer(socket, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}/`
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return {target: {url, agentId: 'release-bot', token: TOKEN}, seen, close}
}

function readRequests(socket: Socket, onRequest: (head: string, body: string) => void): void {
  let text = ''
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      const bodyEnd = end + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
      if (text.length < bodyEnd) return
      const head = text.slice(0, end)
      const body = text.slice(end + 4, bodyEnd)
      text = text.slice(bodyEnd)
      onRequest(head, body)
    }
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

/** A whole answer. Each of `headers` ends in CR LF. */
export function reply(status: string, body: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** One piece of a chunked body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
