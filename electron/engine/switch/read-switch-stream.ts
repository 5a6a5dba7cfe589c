import type {EpochMs} from '../../../shared/base/units.ts'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import type {Clock} from '../clock.ts'
import type {FrameQueue} from '../frame-queue.ts'
import {judgeArrival, type Received} from './receive-switch-frame.ts'
import type {OpenStream, StreamEnd} from './transport.ts'

/** A living server writes a keepalive every 15 s, so a shorter silence than 40 s would be a false alarm (Switch note, section 3). */
export const SILENCE_MS = 45_000

export interface Reading {
  readonly queue: Pick<FrameQueue<Received>, 'push'>
  readonly clock: Clock
  /** Told of every piece, after what it completed is in the queue. */
  readonly onBytes: (at: EpochMs) => void
  /** Told before they wait in the queue. */
  readonly onArrivals: (arrivals: readonly Arrival[]) => void
  /** Called once if the server was silent for too long while we were ready to read. It should end the stream. */
  readonly onSilence: () => void
  /** Ends with the stream. */
  readonly signal: AbortSignal
}

/** Reads a stream into the queue until it ends, and says how it ended. A full queue stops the reading. */
export async function readSwitchStream(stream: OpenStream, reading: Reading): Promise<StreamEnd> {
  const {queue, clock} = reading
  const read = new AbortController()
  // Only while we wait for the server does its silence count: not while a full queue keeps us from reading.
  const ear: Ear = {listeningSince: clock.monotonic()}
  const watch = watchSilence(ear, reading, AbortSignal.any([reading.signal, read.signal]))
  try {
    for (;;) {
      const next = await stream.batches.next()
      if (next.done) return next.value
      const at = clock.now()
      ear.listeningSince = undefined
      // Judged here, because what was read before it is perhaps just being written, and that is another thread's work.
      const received = next.value.map((arrival) => ({judged: judgeArrival(arrival), at}))
      const room = received.length > 0 ? queue.push(received, bytesIn(next.value)) : undefined
      reading.onBytes(at)
      reading.onArrivals(next.value)
      await room
      ear.listeningSince = clock.monotonic()
    }
  } finally {
    read.abort()
    await watch
  }
}

interface Ear {
  listeningSince: number | undefined
}

async function watchSilence(ear: Ear, reading: Reading, signal: AbortSignal): Promise<void> {
  const {clock} = reading
  while (!signal.aborted) {
    const silentFor = ear.listeningSince === undefined ? 0 : clock.monotonic() - ear.listeningSince
    if (silentFor >= SILENCE_MS) return reading.onSilence()
    await clock.wait(SILENCE_MS - silentFor, signal)
  }
}

function bytesIn(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((sum, arrival) => sum + (arrival.kind === 'frame' ? arrival.frame.bytes.length : 0), 0)
}
