import type {Socket} from 'node:net'
import {assertNever} from '../../../shared/base/assert-never.ts'
import {createAlarm} from '../alarm.ts'
import type {DemoClock} from '../demo-clock.ts'
import {createLineReader} from '../line-reader.ts'
import type {ConnectionId, Output} from './daemon-state.ts'
import type {Stage} from './stage.ts'

/** Puts the stage's outputs on sockets, and tells it of time and of sockets. */
export interface Carrier {
  readonly add: (socket: Socket) => void
  readonly perform: (outputs: readonly Output[]) => void
  /** Looks anew at when the stage has something to do. */
  readonly wake: () => void
  readonly stop: () => void
}

/** Opens and shuts the door. Asked for one after the other. */
export interface Door {
  readonly listen: () => Promise<void>
  readonly unlisten: (stale: boolean) => Promise<void>
}

export function createCarrier(stage: Stage, clock: DemoClock, door: Door): Carrier {
  const sockets = new Map<ConnectionId, Socket>()
  /** Also those that were ended, and whose clients have not gone yet. */
  const all = new Set<Socket>()
  let last = 0
  let stopped = false
  const alarm = createAlarm(clock, () => perform(stage.tick(clock.monotonic())))

  const wake = (): void => {
    if (!stopped) alarm.set(stage.nextDue(clock.monotonic()))
  }

  function perform(outputs: readonly Output[]): void {
    for (const output of outputs) carry({stage, sockets, door}, output)
    wake()
  }

  const add = (socket: Socket): void => {
    last += 1
    const connection = last
    sockets.set(connection, socket)
    all.add(socket)
    socket.on(
      'data',
      createLineReader((line) => perform(stage.received(clock.monotonic(), connection, line))),
    )
    socket.on('drain', () => perform(stage.drained(clock.monotonic(), connection)))
    // A client that breaks off is closed in the end, and that is all there is to know.
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(connection)
      all.delete(socket)
      stage.closed(clock.monotonic(), connection)
      wake()
    })
    perform(stage.connected(clock.monotonic(), connection))
  }

  const stop = (): void => {
    stopped = true
    alarm.stop()
    for (const socket of all) socket.destroy()
  }

  return {add, perform, wake, stop}
}

interface Carried {
  readonly stage: Stage
  readonly sockets: Map<ConnectionId, Socket>
  readonly door: Door
}

function carry({stage, sockets, door}: Carried, output: Output): void {
  switch (output.kind) {
    case 'write':
      sockets.get(output.connection)?.write(output.text)
      return
    case 'event': {
      const socket = sockets.get(output.connection)
      if (socket === undefined) return
      if (isFull(socket)) stage.dropped(output.connection, output.activeId)
      else socket.write(output.text)
      return
    }
    case 'end':
      sockets.get(output.connection)?.end()
      sockets.delete(output.connection)
      return
    case 'listen':
      void door.listen()
      return
    case 'unlisten':
      void door.unlisten(output.stale)
      return
    default:
      assertNever(output)
  }
}

/** The kernel did not take the last line whole (Prime note, section 9). */
function isFull({writableNeedDrain, writableLength}: Socket): boolean {
  return writableNeedDrain && writableLength > 0
}
