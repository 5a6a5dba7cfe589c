/**
 * Resolves when every promise job is done that can be done without another event of the world.
 *
 * A tick asked for inside a promise job runs after the last promise job, however long their chain, and before any timer or
 * socket is looked at. So this is exact, needs no count of turns, and nothing from outside can come in between: the engine
 * in a simulation is driven by promises alone. The caller must itself run as a promise job, as everything behind an
 * `await` does.
 */
export function untilQuiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
