import type {ServerResponse} from 'node:http'
import {assertNever} from '../../shared/base/assert-never.ts'
import {createAlarm} from './alarm.ts'
import type {Output, StreamId} from './bridge-state.ts'
import type {DemoClock} from './demo-clock.ts'
import type {Stage} from './stage.ts'

/** Puts the stage's outputs on sockets, and tells it of time and of sockets. */
export interface Carrier {
  readonly add: (response: ServerResponse) => StreamId
  readonly drop: (stream: StreamId) => void
  readonly perform: (outputs: readonly Output[]) => void
  /** Looks anew at when the stage has something to do. */
  readonly wake: () => void
  readonly stop: () => void
}

export function createCarrier(stage: Stage, clock: DemoClock): Carrier {
  const responses = new Map<StreamId, ServerResponse>()
  let lastStream = 0
  let stopped = false
  const alarm = createAlarm(clock, () => perform(stage.tick(clock.monotonic())))

  const wake = (): void => {
    if (!stopped) alarm.set(stage.nextDue(clock.monotonic()))
  }

  function perform(outputs: readonly Output[]): void {
    for (const output of outputs) carry(output, responses.get(output.stream))
    for (const {kind, stream} of outputs) if (kind === 'batch') sayWritten(stream)
    wake()
  }

  /** At once where the socket took it; where it is full, when it has drained. */
  const sayWritten = (stream: StreamId): void => {
    const written = () => perform(stage.written(clock.monotonic(), stream))
    const response = responses.get(stream)
    if (response?.writableNeedDrain === true) response.once('drain', written)
    else queueMicrotask(written)
  }

  return {
    wake,
    perform,
    drop: (stream) => {
      responses.delete(stream)
    },
    add: (response) => {
      const stream = ++lastStream
      responses.set(stream, response)
      response.on('close', () => {
        if (!responses.delete(stream)) return
        stage.closed(stream)
        wake()
      })
      return stream
    },
    stop: () => {
      stopped = true
      alarm.stop()
    },
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

function carry(output: Output, response: ServerResponse | undefined): void {
  if (response === undefined) return
  switch (output.kind) {
    case 'accept':
      response.writeHead(200, STREAM_HEADERS)
      response.flushHeaders()
      return
    case 'write':
    case 'batch':
      response.write(output.text)
      return
    case 'end':
      response.end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    default:
      assertNever(output)
  }
}
