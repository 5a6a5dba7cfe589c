import {isJsonObject, type JsonObject, parseJson} from '../../../shared/base/json.ts'
import {err, ok} from '../../../shared/base/result.ts'
import type {SocketTransport} from '../prime/transport.ts'

/** One connection that the test writes and ends by hand. */
export interface ScriptedConnection {
  readonly path: string
  /** Commands that came, without their envelopes, and the id of each. */
  readonly sent: () => readonly (JsonObject & {readonly id: string; readonly type: string})[]
  readonly write: (bytes: string | Uint8Array) => void
  /** Each as a line. */
  readonly say: (...messages: readonly object[]) => void
  readonly end: (code?: string) => void
  readonly closed: () => boolean
}

export interface ScriptedSocket extends SocketTransport {
  readonly connections: readonly ScriptedConnection[]
  /** Every connection from now on is refused with this, until `undefined`. */
  readonly refuse: (code: string | undefined) => void
  /** Connections that were tried, refused ones too. */
  readonly tried: () => number
  readonly changeFolder: () => void
}

/** Sockets without a kernel: what the client sends is kept, what it hears the test decides. */
export function createScriptedSocket(): ScriptedSocket {
  const connections: ScriptedConnection[] = []
  const watching = new Set<() => void>()
  let refusal: string | undefined
  let tried = 0
  return {
    connections,
    refuse: (code) => {
      refusal = code
    },
    tried: () => tried,
    changeFolder: () => {
      for (const tell of watching) tell()
    },
    watchFolder(_path, onChange) {
      watching.add(onChange)
      return () => watching.delete(onChange)
    },
    async connect(path, heard, signal) {
      tried += 1
      if (refusal !== undefined) return err(refusal)
      const lines: string[] = []
      let over = false
      const end = (code?: string): void => {
        if (over) return
        over = true
        heard.onEnd(code)
      }
      const write = (bytes: string | Uint8Array): void => {
        if (!over) heard.onBytes(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
      }
      connections.push({
        path,
        sent: () => lines.map(commandOf),
        write,
        say: (...messages) => write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
        end,
        closed: () => over,
      })
      signal.addEventListener('abort', () => end('ABORTED'), {once: true})
      return ok({send: (text) => void lines.push(text), close: () => end()})
    },
  }
}

function commandOf(line: string): JsonObject & {readonly id: string; readonly type: string} {
  const envelope = parseJson(line)
  if (!isJsonObject(envelope) || !isJsonObject(envelope['command'])) throw new Error(`no command: ${line}`)
  return {...envelope['command'], id: String(envelope['id']), type: String(envelope['command']['type'])}
}
