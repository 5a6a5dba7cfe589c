/** The user's word about a held frame, for a source that reads on while it is held. */
export interface UsersWord {
  /** @param signal - whoever waits is gone then, and hears nothing any more */
  readonly next: (signal: AbortSignal) => Promise<void>
  /** False: nobody waits for it. */
  readonly raise: () => boolean
}

export function createUsersWord(): UsersWord {
  let waiting: (() => void) | undefined
  return {
    next: (signal) =>
      new Promise((resolve) => {
        const leave = (): void => {
          if (waiting === hear) waiting = undefined
        }
        const hear = (): void => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        waiting = hear
        signal.addEventListener('abort', leave, {once: true})
        if (signal.aborted) leave()
      }),
    raise() {
      const heard = waiting
      waiting = undefined
      heard?.()
      return heard !== undefined
    },
  }
}

/** What the user decided about a held frame, on its way to the disk. */
export interface Decision {
  /** One decision, however often it is asked for meanwhile. */
  readonly make: (write: () => Promise<void>) => Promise<void>
  readonly underWay: () => Promise<void> | undefined
  /** Resolves when none is under way, however it ended. */
  readonly over: () => Promise<void>
}

export function createDecision(): Decision {
  let making: Promise<void> | undefined
  return {
    underWay: () => making,
    async over() {
      while (making !== undefined) await making.catch(() => {})
    },
    make(write) {
      making ??= write().finally(() => (making = undefined))
      return making
    },
  }
}
