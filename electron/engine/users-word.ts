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
