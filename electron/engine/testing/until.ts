import {setTimeout as delay} from 'node:timers/promises'

/** Longer than anything takes that is not stuck, in ms. */
const PATIENCE_MS = 100_000
const LOOK_EVERY_MS = 3

/** Waits in real time for a fact, however long the machine takes; fails loudly where it never comes. */
export async function until(
  fact: () => boolean | Promise<boolean>,
  what: string,
  about: () => unknown = () => undefined,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const giveUp = performance.now() + patienceMs
  while (!(await fact())) {
    if (performance.now() > giveUp) throw new Error(`never came: ${what}; ${JSON.stringify(about())}`)
    await delay(LOOK_EVERY_MS)
  }
}
