import {appendFileSync} from 'node:fs'
import type {AddressInfo, Server, Socket} from 'node:net'
import type {DemoClock} from '../demo-clock.ts'
import type {PlayStatus} from '../play.ts'
import {createCarrier} from './carrier.ts'
import type {NumberedCursor} from './cursor.ts'
import {createLineServer} from './line-server.ts'
import {type AskRecord, createReaders} from './readers.ts'
import {type CursorPlace, messageOf, USUAL_PLACE} from './render.ts'
import type {FuturePolicy} from './resume-ask.ts'
import type {NumberedAction, NumberedScenario} from './scenario.ts'
import {memoryStore, openSnapshotStore} from './snapshot-store.ts'
import {createSseServer} from './sse-server.ts'
import {createStage} from './stage.ts'

export interface NumberedServerSetup {
  readonly scenario: NumberedScenario
  readonly clock: DemoClock
  /** How many times faster than written the scenario plays; 1 where not said. */
  readonly speed?: number
  /** The folder of the snapshot store. Without one, the numbering ends with the server. */
  readonly store?: string
  /** A file to which every message is appended as a line. */
  readonly file?: string
  /** Towards a cursor ahead of everything, where its reader does not say; `fail` where not said. */
  readonly future?: FuturePolicy
  /** Where a message has its cursor; `cursor` where not said. */
  readonly place?: CursorPlace
  /** Whether readers of the socket say first where to begin; `first-line` where not said. */
  readonly asks?: 'first-line' | 'none'
  /** For lines; 0, where not said: any that is free. A local socket's path in its stead makes it a local one. */
  readonly linePort?: number | string
  readonly ssePort?: number
}

export interface NumberedServer {
  /** JSON lines: a TCP port of 127.0.0.1, or the path that was given. */
  readonly lines: number | string
  /** `http://127.0.0.1:PORT/events`. */
  readonly sse: string
  readonly act: (action: NumberedAction) => void
  readonly head: () => NumberedCursor | undefined
  readonly status: () => PlayStatus
  /** What every reader asked for. */
  readonly record: () => readonly AskRecord[]
  readonly close: () => Promise<void>
}

/** A server of the documented model, numbered generations and resume from a cursor, on the loopback interface only. */
export async function startNumberedServer(setup: NumberedServerSetup): Promise<NumberedServer> {
  const {scenario, clock, speed, file, place = USUAL_PLACE, future = 'fail', asks = 'first-line'} = setup
  const store = setup.store === undefined ? memoryStore() : openSnapshotStore(setup.store)
  const stage = createStage({
    scenario,
    stored: store.read(),
    future,
    place,
    ...(speed === undefined ? {} : {speed}),
    epochOffset: clock.now() - clock.monotonic(),
  })
  const carrier = createCarrier({
    stage,
    clock,
    store,
    place,
    copy: (entry) => {
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(messageOf(entry, place))}\n`)
    },
  })
  const readers = createReaders(stage, carrier)
  // The numbering is there before anybody can ask for a place in it.
  carrier.perform(stage.tick(clock.monotonic()))
  const [lineServer, sseServer] = [createLineServer(readers, asks), createSseServer(readers)]
  const sockets = keepSockets(lineServer)
  await listen(lineServer, setup.linePort ?? 0)
  await listen(sseServer, setup.ssePort ?? 0)
  return {
    lines: typeof setup.linePort === 'string' ? setup.linePort : portOf(lineServer),
    sse: `http://127.0.0.1:${portOf(sseServer)}/events`,
    act: (action) => carrier.perform(stage.act(clock.monotonic(), action)),
    head: stage.head,
    status: stage.status,
    record: readers.record,
    close: async () => {
      carrier.stop()
      for (const socket of sockets) socket.destroy()
      sseServer.closeAllConnections()
      await Promise.all([shut(lineServer), shut(sseServer)])
    },
  }
}

function portOf(server: Server): number {
  // An address of a listening TCP server is never a pipe's name.
  return (server.address() as AddressInfo).port
}

/** Also of clients that never asked for anything. */
function keepSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return sockets
}

function listen(server: Server, at: number | string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const done = (): void => {
      server.off('error', reject)
      resolve()
    }
    if (typeof at === 'string') server.listen(at, done)
    else server.listen(at, '127.0.0.1', done)
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
