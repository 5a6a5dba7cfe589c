/** So many ends of the page's process within so long, in ms, and loading it again is no help. */
const MOST = 3
const WITHIN_MS = 60_000

export interface RecoveryDeps {
  readonly now: () => number
  /** Loads the page again, which tells its reader why. */
  readonly reload: (reason: string) => void
  /** Tells the user; resolves once they want it loaded once more. */
  readonly giveUp: (reason: string) => Promise<void>
}

/**
 * What follows when the process that shows the page is gone. The engine is in another one and goes on, so the page is
 * loaded again at once; one that ends again and again is left alone until its user asks for it.
 *
 * @returns to be told of each end, with Electron's word for why
 */
export function createRecovery({now, reload, giveUp}: RecoveryDeps): (reason: string) => void {
  let ends: readonly number[] = []
  return (reason) => {
    if (reason === 'clean-exit') return // as when its window closes
    ends = [...ends.filter((at) => now() - at < WITHIN_MS), now()]
    if (ends.length <= MOST) return reload(reason)
    void giveUp(reason).then(() => {
      ends = []
      reload(reason)
    })
  }
}

/** The page's address with the reason in it, beside what was chosen there. */
export function addressAfterEnd(url: string, reason: string): string {
  const address = new URL(url)
  const named = new URLSearchParams(address.hash.slice(1))
  named.set('ended', reason)
  address.hash = named.toString()
  return address.href
}
