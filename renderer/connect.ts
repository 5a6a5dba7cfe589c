import type {Transport} from '../shared/contract/client.ts'
import {createHostTransport, type Socket, type SocketEvents} from './host-transport.ts'
import type {Link} from './state/engine-slice.ts'

declare global {
  interface Window {
    /** The preload's bridge, where the page runs in the desktop app. */
    readonly tidemark?: Transport
  }
}

const TOKEN_KEY = 'tidemark-token'

/** The way to the engine: the preload's bridge if there is one, else a WebSocket to the host that served this page. */
export function connect(window: Window, onLink: (link: Link) => void): Transport {
  const bridge = window.tidemark
  if (bridge !== undefined) {
    onLink({kind: 'ready'})
    return bridge
  }
  beginAnewWithToken(window)
  const {protocol, host} = window.location
  return createHostTransport({
    url: `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`,
    token: takeToken(window),
    openSocket,
    later: (ms, run) => window.setTimeout(run, ms),
    now: () => Date.now(),
    onLink,
  })
}

/**
 * The token comes in the fragment, which no server sees. It is taken out of the address bar, where it could be copied or
 * filmed by accident, and kept for a reload of this tab only.
 */
function takeToken(window: Window): string {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const token = fragment.get('token')
  if (token === null) return window.sessionStorage.getItem(TOKEN_KEY) ?? ''
  window.sessionStorage.setItem(TOKEN_KEY, token)
  fragment.delete('token')
  const rest = fragment.toString()
  window.history.replaceState(undefined, '', `${window.location.pathname}${rest === '' ? '' : `#${rest}`}`)
  return token
}

/** A host that was started again prints a new address. Opened in this tab it changes the fragment alone, and nothing is loaded. */
function beginAnewWithToken(window: Window): void {
  window.addEventListener('hashchange', () => {
    if (new URLSearchParams(window.location.hash.slice(1)).has('token')) window.location.reload()
  })
}

function openSocket(url: string, {onOpen, onMessage, onClose}: SocketEvents): Socket {
  const socket = new WebSocket(url)
  socket.addEventListener('open', onOpen)
  socket.addEventListener('message', ({data}) => onMessage(data))
  socket.addEventListener('close', ({code, reason}) => onClose(code, reason))
  return socket
}
