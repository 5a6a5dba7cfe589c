import type {Readable, Writable} from 'node:stream'

/** Parameters and results are Chromium's: read by those who asked, each for what it expects. */
export type Params = Readonly<Record<string, unknown>>

export interface DevtoolsEvent {
  readonly method: string
  readonly params: Params
  /** Absent for what concerns the whole browser. */
  readonly sessionId?: string
}

/** The DevTools protocol as messages, each ended by a NUL, over two pipes. */
export interface Devtools {
  /** Rejects with what the browser says against it, or when it is gone. */
  readonly send: (method: string, params?: Params, sessionId?: string) => Promise<Params>
  readonly listen: (onEvent: (event: DevtoolsEvent) => void) => void
}

interface Waiting {
  readonly resolve: (result: Params) => void
  readonly reject: (cause: Error) => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: {readonly message: string}
  readonly sessionId?: string
}

export function connectDevtools(toBrowser: Writable, fromBrowser: Readable): Devtools {
  const waiting = new Map<number, Waiting>()
  const listeners: ((event: DevtoolsEvent) => void)[] = []
  let lastId = 0
  let gone = false
  const receive = ({id, method, params, result, error, sessionId}: Message): void => {
    if (id !== undefined) {
      if (error === undefined) waiting.get(id)?.resolve(result ?? {})
      else waiting.get(id)?.reject(new Error(error.message))
      waiting.delete(id)
    } else if (method !== undefined) {
      for (const onEvent of listeners) onEvent({method, params: params ?? {}, ...(sessionId && {sessionId})})
    }
  }
  const lost = (): void => {
    gone = true
    for (const {reject} of waiting.values()) reject(new Error('the browser is gone'))
    waiting.clear()
  }
  toBrowser.on('error', lost) // a pipe that broke: whoever asks next is told
  fromBrowser.on('close', lost)
  let unread: string[] = []
  fromBrowser.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\0')
    unread.push(first)
    for (const next of others) {
      receive(JSON.parse(unread.join('')))
      unread = [next]
    }
  })
  return {
    send: (method, params = {}, sessionId) => {
      if (gone) return Promise.reject(new Error('the browser is gone'))
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, {resolve, reject})
        toBrowser.write(`${JSON.stringify({id, method, params, ...(sessionId && {sessionId})})}\0`)
      })
    },
    listen: (onEvent) => void listeners.push(onEvent),
  }
}
