import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {WebSocketServer} from 'ws'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {readAsset} from '../engine/asset.ts'
import type {Engine} from '../engine/engine.ts'
import {PAGE_POLICY} from '../engine/page-policy.ts'
import {isLocalHost, isOwnOrigin} from './local-request.ts'
import {serveScreen} from './screen-socket.ts'

export interface HostOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly token: string
  /** Absolute path of the built page. */
  readonly page: string
  /** How long a screen may take to introduce itself, in ms; 5 s where not said. */
  readonly patienceMs?: number
}

export interface Host {
  readonly port: number
  /** For a browser. The fragment stays in the browser: no server, log or proxy sees the token. */
  readonly url: string
  readonly close: () => Promise<void>
}

export type HostError =
  | {readonly kind: 'portTaken'; readonly port: number}
  | {readonly kind: 'cannotListen'; readonly port: number; readonly detail: string}

/** The largest message a screen sends, in bytes. */
const MESSAGE_CAP = 1024 * 1024

/**
 * Serves the engine on the loopback address only: the page to anybody on this machine who asks by a local name, everything
 * else to who has the token.
 */
export async function startHost(engine: Engine, options: HostOptions): Promise<Result<Host, HostError>> {
  const server = createServer((request, response) => void answer(request, response, options.page))
  const screens = new WebSocketServer({noServer: true, maxPayload: MESSAGE_CAP})
  server.on('upgrade', (request, socket, head) => {
    // From here on the socket is ours alone: a peer that resets it would end the process where nobody listens.
    socket.on('error', () => socket.destroy())
    const port = portOf(server)
    if (request.url !== '/ws' || !isLocalHost(request, port) || !isOwnOrigin(request, port)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    screens.handleUpgrade(request, socket, head, (screen) =>
      serveScreen(screen, engine, options.token, options.patienceMs),
    )
  })
  const failure = await listen(server, options.port)
  if (failure !== undefined) return err(failure)
  const port = portOf(server)
  const url = `http://127.0.0.1:${port}/#token=${options.token}`
  return ok({port, url, close: () => close(server, screens)})
}

async function answer(request: IncomingMessage, response: ServerResponse, page: string): Promise<void> {
  const port = request.socket.localPort ?? 0
  const headers = {
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
  if (!isLocalHost(request, port))
    return void response.writeHead(403, headers).end('This address is served under its local name only.')
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, headers).end()
  const pathname = URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname
  const asset = pathname === undefined ? undefined : await readAsset(page, pathname)
  if (asset === undefined) return void response.writeHead(404, headers).end('Not found')
  response.writeHead(200, {...headers, 'Content-Type': asset.type, 'Cache-Control': 'no-cache'}).end(asset.bytes)
}

function listen(server: Server, port: number): Promise<HostError | undefined> {
  return new Promise((resolve) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      resolve(
        cause.code === 'EADDRINUSE' ? {kind: 'portTaken', port} : {kind: 'cannotListen', port, detail: cause.message},
      ),
    )
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // it listens on a port, so it is one of these
}

async function close(server: Server, screens: WebSocketServer): Promise<void> {
  for (const screen of screens.clients) screen.terminate()
  screens.close()
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
