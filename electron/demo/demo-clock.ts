/** Time and chance for the demo's server. The engine's clock is one. */
export interface DemoClock {
  /** Ms since the Unix epoch. */
  readonly now: () => number
  /** Ms that only grow, from an arbitrary start. */
  readonly monotonic: () => number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
  readonly uuid: () => string
}

export function realClock(): DemoClock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    wait: (ms, signal) => {
      if (signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(finish, ms)
        signal.addEventListener('abort', finish, {once: true})
        function finish(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', finish)
          resolve()
        }
      })
    },
    random: Math.random,
    uuid: () => crypto.randomUUID(),
  }
}
