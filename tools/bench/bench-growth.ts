import {join} from 'node:path'
import {millions} from './bench-history.ts'
import type {Figure} from './figure.ts'
import type {History} from './made-history.ts'
import {inTurns, median} from './measure.ts'
import {createSwitchText} from './switch-text.ts'
import {openBenchStore, watchBodies} from './watched-source.ts'

const ROUNDS = 11
const FRAMES = 10_000
const PIECE_BYTES = 65_536

/** What a frame costs in a store that holds many, beside one that was just made. It leaves its frames in the histories. */
export async function benchGrowth(directory: string, histories: readonly History[]): Promise<readonly Figure[]> {
  const paths = {
    new: join(directory, 'growth.db'),
    ...Object.fromEntries(histories.map((h) => [h.frames, h.storePath])),
  }
  const name = `growth-${Date.now()}` // in a history that is used again, a source of its own for each run
  const opened = await Promise.all(
    Object.entries(paths).map(async ([label, path]) => {
      const store = await openBenchStore(path)
      return {label, store, source: await watchBodies(store, name)}
    }),
  )
  const text = createSwitchText()
  const bodies = Array.from({length: ROUNDS}, () => text.take(FRAMES))
  const times = await inTurns(
    ROUNDS,
    Object.fromEntries(
      opened.map(({label, source}) => [
        label,
        (round: number) => source.take(bodies[round] ?? Buffer.alloc(0), PIECE_BYTES),
      ]),
    ),
  )
  for (const {store} of opened) await store.close()
  const perFrame = (label: string): number => (median(times[label]?.cpuMs ?? []) * 1_000) / FRAMES
  return histories.map(({frames}) => ({
    what: `wire to durable cursor, a frame, where ${millions(frames)} are stored, time of the processor`,
    unit: 'µs',
    ours: perFrame(String(frames)),
    floor: {what: 'the same in a new store', value: perFrame('new')},
  }))
}
