import type {IncomingMessage} from 'node:http'

/** The names under which this host is asked for. Any other is a page of somebody else that had its name point here. */
export function isLocalHost(request: IncomingMessage, port: number): boolean {
  const {host} = request.headers
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

/** A browser names the page that opens a WebSocket. Only ours may; a client that is no browser names none, and has the token. */
export function isOwnOrigin(request: IncomingMessage, port: number): boolean {
  const {origin} = request.headers
  return origin === undefined || origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`
}
