import {connect} from 'node:net'
import {isJsonObject, type JsonObject, parseJson} from '../../../../shared/base/json.ts'
import {PROTOCOL_NAME, PROTOCOL_VERSION} from '../wire.ts'

/** A client that knows nothing: it sends what it is told and keeps the lines that come. */
export interface PlainClient {
  /** Everything that came, without its LF; what follows the last LF is not in it. */
  readonly lines: () => readonly string[]
  readonly messages: () => readonly JsonObject[]
  /** Resolves with the first message that fits, seen already or still to come; rejects when the connection ends before. */
  readonly until: (fits: (message: JsonObject) => boolean) => Promise<JsonObject>
  /** Sends a command in its envelope, and resolves with the response. */
  readonly ask: (command: JsonObject) => Promise<JsonObject>
  readonly sendLine: (line: string) => void
  /** Resolves once the connection has ended, with what came after the last LF. */
  readonly ended: Promise<string>
  /** Takes nothing more from its socket, until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

/** @param to - a local socket's path, or a TCP port of this machine */
export async function connectPlainly(to: string | number): Promise<PlainClient> {
  const socket = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to)
  const lines: string[] = []
  const messages: JsonObject[] = []
  const waiting = new Set<() => void>()
  // Joined once a line is whole: an event can have many MiB.
  let rest: string[] = []
  let over = false
  let asked = 0
  const look = (): void => {
    for (const one of [...waiting]) one()
  }
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    rest.push(chunk)
    if (!chunk.includes('\n')) return
    const parts = rest.join('').split('\n')
    rest = [parts.pop() ?? '']
    lines.push(...parts)
    messages.push(...parts.map(parseJson).filter(isJsonObject))
    look()
  })
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      over = true
      look()
      resolve(rest.join(''))
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })

  const until = (fits: (message: JsonObject) => boolean): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      let from = 0
      const check = (): void => {
        const found = messages.slice(from).find(fits)
        from = messages.length
        if (found === undefined && !over) return
        waiting.delete(check)
        if (found !== undefined) resolve(found)
        else reject(new Error(`the connection ended after ${lines.length} lines, the last being ${lines.at(-1)}`))
      }
      waiting.add(check)
      check()
    })

  return {
    until,
    ended,
    lines: () => lines,
    messages: () => messages,
    sendLine: (line) => socket.write(`${line}\n`),
    ask: (command) => {
      asked += 1
      const id = `plain-${asked}`
      const protocol = {name: PROTOCOL_NAME, version: PROTOCOL_VERSION}
      socket.write(`${JSON.stringify({type: 'command', id, protocol, command})}\n`)
      return until((message) => message['type'] === 'response' && message['id'] === id)
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.destroy(),
  }
}

/** What a watcher sends to attach. */
export function attachTo(activeSessionId: string, chunked = true): JsonObject {
  const capabilities = ['attach_snapshot', 'event_sequence', 'slim_attach', ...(chunked ? ['chunked_snapshot'] : [])]
  return {type: 'attach', activeSessionId, capabilities, supportsExtensionUi: false, env: {}}
}
