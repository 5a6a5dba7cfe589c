import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

/** A server that has nothing to do with Tidemark: an empty page at `/`, and nothing else. */
export interface Elsewhere {
  /** Without a slash at its end. */
  readonly url: string
  /** Whether anybody ever came. */
  readonly wasAsked: () => boolean
  readonly close: () => void
}

/** With an icon of its own, or a browser would ask for one. */
const EMPTY_PAGE = '<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">'

export async function serveElsewhere(): Promise<Elsewhere> {
  let asked = false
  const server = createServer(({url}, response) => {
    asked = true
    if (url === '/') response.writeHead(200, {'content-type': 'text/html'}).end(EMPTY_PAGE)
    else response.writeHead(404).end('Not found')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    wasAsked: () => asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
