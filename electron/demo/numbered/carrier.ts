import {assertNever} from '../../../shared/base/assert-never.ts'
import {createAlarm} from '../alarm.ts'
import type {DemoClock} from '../demo-clock.ts'
import type {Entry} from './numbered-log.ts'
import {type CursorPlace, frameOf} from './render.ts'
import type {SnapshotStore} from './snapshot-store.ts'
import type {Output, ReaderId, Stage} from './stage.ts'

/** One reader's connection, whatever it speaks. */
export interface ReaderSocket {
  readonly speaks: 'lines' | 'sse'
  readonly write: (text: string | Uint8Array) => void
  readonly end: () => void
  readonly destroy: () => void
}

/** Puts the stage's outputs on sockets and into the store, and tells it of time. */
export interface Carrier {
  readonly add: (reader: ReaderId, socket: ReaderSocket) => void
  readonly gone: (reader: ReaderId) => void
  readonly perform: (outputs: readonly Output[]) => void
  readonly wake: () => void
  readonly stop: () => void
}

export interface CarrierSetup {
  readonly stage: Stage
  readonly clock: DemoClock
  readonly store: SnapshotStore
  readonly place: CursorPlace
  /** Is given every message too, whoever reads. */
  readonly copy: (entry: Entry) => void
}

export function createCarrier(setup: CarrierSetup): Carrier {
  const {stage, clock} = setup
  const sockets = new Map<ReaderId, ReaderSocket>()
  const cuts = new Map<ReaderId, number>()
  let stopped = false
  const alarm = createAlarm(clock, () => perform(stage.tick(clock.monotonic())))

  const wake = (): void => {
    if (!stopped) alarm.set(stage.nextDue(clock.monotonic()))
  }

  function perform(outputs: readonly Output[]): void {
    for (const output of outputs) carry({...setup, sockets, cuts}, output)
    wake()
  }

  return {
    perform,
    wake,
    add: (reader, socket) => sockets.set(reader, socket),
    gone: (reader) => {
      sockets.delete(reader)
      cuts.delete(reader)
      stage.closed(reader)
      wake()
    },
    stop: () => {
      stopped = true
      alarm.stop()
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

interface Carried extends CarrierSetup {
  readonly sockets: Map<ReaderId, ReaderSocket>
  readonly cuts: Map<ReaderId, number>
}

function carry(carried: Carried, output: Output): void {
  const {sockets, cuts, store, copy} = carried
  switch (output.kind) {
    case 'store':
      store.append(output.entry)
      copy(output.entry)
      return
    case 'forget':
      store.forget()
      return
    case 'send':
      return send(carried, output)
    case 'raw': {
      const socket = sockets.get(output.reader)
      socket?.write(socket.speaks === 'sse' ? `data: ${output.text}\n\n` : `${output.text}\n`)
      return
    }
    case 'cutNext':
      cuts.set(output.reader, output.atByte)
      return
    case 'end':
      sockets.get(output.reader)?.end()
      sockets.delete(output.reader)
      return
    default:
      assertNever(output)
  }
}

function send({sockets, cuts, place}: Carried, {reader, entry, text}: Extract<Output, {kind: 'send'}>): void {
  const socket = sockets.get(reader)
  if (socket === undefined) return
  const whole = socket.speaks === 'sse' ? frameOf(entry, text, place) : `${text}\n`
  const atByte = cuts.get(reader)
  socket.write(atByte === undefined ? whole : Buffer.from(whole).subarray(0, atByte))
  if (atByte === undefined) return
  cuts.delete(reader)
  sockets.delete(reader)
  socket.end()
}
