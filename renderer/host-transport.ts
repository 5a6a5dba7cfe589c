import {isJsonObject, member, parseJson} from '../shared/base/json.ts'
import type {Transport} from '../shared/contract/client.ts'
import type {Link} from './state/engine-slice.ts'

/** What a socket tells. */
export interface SocketEvents {
  readonly onOpen: () => void
  readonly onMessage: (data: unknown) => void
  readonly onClose: (code: number, reason: string) => void
}

export interface Socket {
  readonly send: (text: string) => void
}

export interface HostDeps {
  readonly url: string
  /** Sent as the first message, never in the address. */
  readonly token: string
  readonly openSocket: (url: string, events: SocketEvents) => Socket
  readonly later: (ms: number, run: () => void) => void
  /** This screen's clock, epoch ms. */
  readonly now: () => number
  readonly onLink: (link: Link) => void
}

/** The host closes with it where it does not take the token: a retry would send the same one. */
const BAD_TOKEN = 4401
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 8_000

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (cause: Error) => void
}

/**
 * Requests and change batches over one WebSocket to the host that served the page; opened again, after a growing pause,
 * for as long as the page lives. A request rejects where its answer can no longer come.
 */
export function createHostTransport(deps: HostDeps): Transport {
  const waiting = new Map<number, Waiting>()
  const subscribers = new Set<(batch: unknown) => void>()
  let nextId = 1
  let socket: Socket | undefined
  let ready = false
  let failures = 0

  const open = (): void => {
    const opened: Socket = deps.openSocket(deps.url, {
      onOpen: () => opened.send(JSON.stringify({token: deps.token})),
      onMessage: receive,
      onClose: lost,
    })
    socket = opened
  }

  const receive = (text: unknown): void => {
    const message = typeof text === 'string' ? parseJson(text) : undefined
    if (!isJsonObject(message)) return
    const id = member(message, 'id')
    if (member(message, 'ready') === true) {
      ready = true
      failures = 0
      deps.onLink({kind: 'ready'})
    } else if (typeof id === 'number') {
      waiting.get(id)?.resolve(member(message, 'result'))
      waiting.delete(id)
    } else if (Object.hasOwn(message, 'changes')) {
      for (const onBatch of subscribers) onBatch(member(message, 'changes'))
    }
  }

  const lost = (code: number, reason: string): void => {
    ready = false
    const detail = reason === '' ? `the connection ended (${code})` : reason
    for (const request of waiting.values()) request.reject(new Error(detail))
    waiting.clear()
    if (code === BAD_TOKEN) {
      deps.onLink({kind: 'refused'})
      return
    }
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS)
    failures += 1
    deps.onLink({kind: 'lost', detail, retryAt: deps.now() + delayMs})
    deps.later(delayMs, open)
  }

  open()
  return {
    request: (channel, input) => {
      if (!ready || socket === undefined) return Promise.reject(new Error('not connected'))
      const id = nextId++
      const open = socket
      return new Promise((resolve, reject) => {
        waiting.set(id, {resolve, reject})
        open.send(JSON.stringify({id, channel, input}))
      })
    },
    subscribe: (onBatch) => {
      subscribers.add(onBatch)
      return () => subscribers.delete(onBatch)
    },
  }
}
