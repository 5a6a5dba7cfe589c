import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {Readers} from './readers.ts'
import {type Refusal, readQuery} from './resume-ask.ts'

/** Server-sent events at `/events`. */
export function createSseServer(readers: Readers): Server {
  return createServer((request, response) => answer(readers, request, response))
}

function answer(readers: Readers, request: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => {})
  const {pathname, searchParams} = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.method !== 'GET' || pathname !== '/events') {
    reply(response, pathname === '/health' ? 200 : 404, {status: pathname === '/health' ? 'ok' : 'not found'})
    return
  }
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' ? header : undefined
  const asked = lastEventId === undefined ? String(request.url) : `${request.url} ${lastEventId}`
  const refused = readers.enter(asked, readQuery(searchParams, lastEventId), () => begin(response))
  if (refused !== undefined) reply(response, STATUS[refused.code], {error: refused})
}

const STATUS: Readonly<Record<Refusal['code'], number>> = {bad_cursor: 400, future_cursor: 409}

function begin(response: ServerResponse) {
  response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache'})
  response.flushHeaders()
  return {
    speaks: 'sse' as const,
    write: (text: string | Uint8Array) => response.write(text),
    end: () => response.end(),
    destroy: () => response.destroy(),
    onGone: (gone: () => void) => response.on('close', gone),
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {'content-type': 'application/json'})
  response.end(JSON.stringify(body))
}
