import type {Clock} from './clock.ts'

export interface Ticker {
  /** Something may be due earlier than before. */
  readonly wake: () => void
  /** Resolves after the signal aborted. */
  readonly over: Promise<void>
}

/** A timer can wait no longer than that, in ms. */
const LONGEST_NAP_MS = 3_600_000

/**
 * Calls `tick` whenever something is due, until the signal aborts.
 *
 * @param nextDue - in ms of the monotonic clock; infinity where nothing is. A tick must leave nothing due that it saw.
 */
export function createTicker(clock: Clock, nextDue: () => number, tick: () => void, signal: AbortSignal): Ticker {
  let nap = new AbortController()
  let until = 0

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.monotonic()
      const due = nextDue()
      if (due <= now) {
        tick()
        continue
      }
      nap = new AbortController()
      until = due
      await clock.wait(Math.min(due - now, LONGEST_NAP_MS), AbortSignal.any([signal, nap.signal]))
    }
  }

  return {
    wake() {
      if (nextDue() < until) nap.abort()
    },
    over: run(),
  }
}
