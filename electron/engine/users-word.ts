/** The user's word about a held frame, for a source that reads on while it is held. */
export interface UsersWord {
  readonly next: () => Promise<void>
  /** False: nobody waits for it. */
  readonly raise: () => boolean
}

export function createUsersWord(): UsersWord {
  let waiting: (() => void) | undefined
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve
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
}

export function createDecision(): Decision {
  let making: Promise<void> | undefined
  return {
    underWay: () => making,
    make(write) {
      making ??= write().finally(() => (making = undefined))
      return making
    },
  }
}
