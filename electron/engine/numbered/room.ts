import type {Backlog} from '../cursor-source/backlog.ts'

/** Lets the reading wait for the handling. */
export interface Room {
  /** Something was handled, perhaps. */
  readonly changed: () => void
  /** Resolves once at most so many frames wait, or when the signal aborts. */
  readonly atMost: (waiting: number, signal: AbortSignal) => Promise<void>
}

export function createRoom(backlog: Pick<Backlog, 'size'>): Room {
  const waiters = new Set<() => void>()
  return {
    changed() {
      for (const wake of waiters) wake()
    },
    async atMost(waiting, signal) {
      while (backlog.size() > waiting && !signal.aborted)
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          waiters.add(wake)
          signal.addEventListener('abort', wake, {once: true})
        })
    },
  }
}
