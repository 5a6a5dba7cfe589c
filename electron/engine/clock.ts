import {type EpochMs, epochMs} from '../../shared/base/units.ts'

/** The only source of time and chance in the engine, so that a test or a simulation can be one. */
export interface Clock {
  /** The wall clock. It may jump either way. */
  readonly now: () => EpochMs
  /** Milliseconds that only grow, from an arbitrary start. For durations. */
  readonly monotonic: () => number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects: look at the signal. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
  /** A new identifier, as a UUID. */
  readonly uuid: () => string
}

export function systemClock(): Clock {
  return {
    now: () => epochMs(Date.now()),
    monotonic: () => performance.now(),
    wait,
    random: Math.random,
    uuid: () => crypto.randomUUID(),
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, {once: true})
  })
}
