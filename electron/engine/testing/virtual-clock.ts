import {setImmediate as nextTurn} from 'node:timers/promises'
import {epochMs} from '../../../shared/base/units.ts'
import type {Clock} from '../clock.ts'

export interface VirtualClock extends Clock {
  /** Lets time pass: waits that fall due end in their order, and what they start runs before the next one ends. */
  readonly advance: (ms: number) => Promise<void>
  /** Ms until the earliest wait ends; `undefined` where nobody waits. */
  readonly untilNext: () => number | undefined
  /** The machine sleeps: the wall clock goes on, waits do not end any sooner. */
  readonly sleep: (ms: number) => void
}

interface Waiting {
  readonly due: number
  readonly order: number
  readonly resolve: () => void
}

const START = 1_764_000_000_000

/** Time that passes only when a test says so. `random` always is `jitter`. */
export function createVirtualClock(jitter = 0.5): VirtualClock {
  const waiting = new Set<Waiting>()
  let elapsed = 0
  let slept = 0
  let order = 0
  let ids = 0

  const next = (): Waiting | undefined => [...waiting].sort((a, b) => a.due - b.due || a.order - b.order)[0]

  return {
    now: () => epochMs(START + elapsed + slept),
    monotonic: () => elapsed,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const finish = (): void => {
          waiting.delete(entry)
          signal.removeEventListener('abort', finish)
          resolve()
        }
        const entry = {due: elapsed + ms, order: order++, resolve: finish}
        waiting.add(entry)
        signal.addEventListener('abort', finish, {once: true})
      }),
    random: () => jitter,
    uuid: () => `id-${++ids}`,
    async advance(ms) {
      await settle()
      const end = elapsed + ms
      for (let due = next(); due !== undefined && due.due <= end; due = next()) {
        elapsed = Math.max(elapsed, due.due)
        due.resolve()
        await settle()
      }
      elapsed = end
      await settle()
    },
    untilNext: () => {
      const due = next()?.due
      return due === undefined ? undefined : due - elapsed
    },
    sleep(ms) {
      slept += ms
    },
  }
}

/** Lets everything run that needs no time to pass: three turns of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}
