import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {LineArrival} from '../../../shared/frames/raw-line.ts'
import type {Clock} from '../clock.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import {commandLine, type PassiveCommand} from './passive-command.ts'
import type {OpenSocket, SocketTransport} from './transport.ts'

/** Who hears what a connection brings. */
export interface Listener {
  readonly onLine: (arrival: LineArrival) => void
  /** After every piece, whether it completed a line or not. */
  readonly onBytes: () => void
  /** The system's word for a break; absent where the daemon ended it. */
  readonly onEnd: (code: string | undefined) => void
}

/** One connection to a daemon, read from its first byte to its last without a pause. */
export interface DaemonConnection {
  /**
   * What was read before anybody listened comes first. Another listener takes over in between two lines; with `undefined`
   * lines are kept for the next one.
   */
  readonly listen: (listener: Listener | undefined) => void
  /** Returns the id that the answer will have. */
  readonly send: (command: PassiveCommand) => string
  readonly close: () => void
}

export interface ConnectingDeps {
  readonly transport: SocketTransport
  readonly clock: Clock
}

type Happening =
  | {readonly kind: 'line'; readonly arrival: LineArrival}
  | {readonly kind: 'end'; readonly code: string | undefined}

/** Connects, and reads. Resolves before anything was said; the first line need not be the daemon's hello. */
export async function connectDaemon(
  socket: string,
  {transport, clock}: ConnectingDeps,
  signal: AbortSignal,
): Promise<Result<DaemonConnection, string>> {
  const splitter = createLineSplitter()
  let kept: Happening[] = []
  let told = 0
  let listener: Listener | undefined
  const tell = (): void => {
    while (listener !== undefined) {
      const next = kept[told]
      if (next === undefined) break
      told += 1
      if (next.kind === 'line') listener.onLine(next.arrival)
      else listener.onEnd(next.code)
    }
    // Cut off at once and not one by one: a piece may bring as many lines as it has bytes.
    kept = told === kept.length ? [] : kept.slice(told)
    told = 0
  }
  const opened = await transport.connect(
    socket,
    {
      onBytes(chunk) {
        for (const arrival of splitter.feed(chunk)) kept.push({kind: 'line', arrival})
        tell()
        listener?.onBytes()
      },
      onEnd(code) {
        splitter.forget() // half of a line is none
        kept.push({kind: 'end', code})
        tell()
      },
    },
    signal,
  )
  if (!opened.ok) return err(opened.error)
  const sender = createSender(opened.value, clock.uuid())
  return ok({
    listen(next) {
      listener = next
      tell()
    },
    send: sender,
    close: opened.value.close,
  })
}

/** Ids are never used twice, in any process: a daemon may remember the answers to some commands by them. */
function createSender(socket: OpenSocket, unique: string): DaemonConnection['send'] {
  let sent = 0
  return (command) => {
    sent += 1
    const id = `tidemark-${unique}-${sent}`
    socket.send(commandLine(id, command))
    return id
  }
}
