import {join} from 'node:path'
import type {Figure} from './figure.ts'
import {inTurns, median} from './measure.ts'
import {openRawRows} from './raw-rows.ts'
import {createSwitchText} from './switch-text.ts'
import {openBenchStore, watchBodies} from './watched-source.ts'

/** Rounds of 20,000 frames in pieces of 64 KiB, which is what a socket brings when there is much. */
const ROUNDS = 15
const FRAMES = 20_000
const PIECE_BYTES = 65_536
const FLOOR = 'decode, JSON.parse, the same rows inserted raw by 1,000'

/** From the wire to the durable cursor as fast as it goes, in turns with its floor. */
export async function benchIngest(directory: string): Promise<readonly Figure[]> {
  const store = await openBenchStore(join(directory, 'ingest.db'))
  const source = await watchBodies(store, 'bench')
  const raw = openRawRows(join(directory, 'ingest-floor.db'))
  const text = createSwitchText()
  const bodies = Array.from({length: ROUNDS}, () => text.take(FRAMES))
  const bodyOf = (round: number): Buffer => bodies[round] ?? Buffer.alloc(0)
  const times = await inTurns(ROUNDS, {
    ours: (round) => source.take(bodyOf(round), PIECE_BYTES),
    floor: (round) => raw.take(bodyOf(round), PIECE_BYTES),
  })
  const stored = (await store.read.size()).storedFrames
  await store.close()
  raw.close()
  if (stored !== ROUNDS * FRAMES) throw new Error(`${stored} frames were stored of ${ROUNDS * FRAMES}`)
  const perFrame = (all: readonly number[]): number => (median(all) * 1_000) / FRAMES
  return [
    {
      what: 'wire to durable cursor, a frame of 350 bytes',
      unit: 'µs',
      ours: perFrame(times.ours.ms),
      floor: {what: FLOOR, value: perFrame(times.floor.ms)},
      goal: {kind: 'ratio', atMost: 1.5},
    },
    {
      what: 'the same in time of the processor, all threads',
      unit: 'µs',
      ours: perFrame(times.ours.cpuMs),
      floor: {what: FLOOR, value: perFrame(times.floor.cpuMs)},
    },
  ]
}
