import {readSync, writeSync} from 'node:fs'

export interface TellerPlan {
  /** File descriptors of this process. */
  readonly says: number
  readonly hears: number
  /** After each line it waits for one byte. */
  readonly waits: boolean
}

/**
 * Says one line of JSON at a time, written at once. Where it waits, the whole thread blocks until the parent writes a byte, so
 * that nothing happens on it meanwhile; where the parent is gone, the process ends.
 */
export function createTeller<Line>({says, hears, waits}: TellerPlan): (line: Line) => void {
  const byte = Buffer.alloc(1)
  const sleeper = new Int32Array(new SharedArrayBuffer(4))

  /** A pipe may be one that says "not yet". */
  const insist = (step: () => number): number => {
    for (;;) {
      try {
        return step()
      } catch (cause) {
        if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EAGAIN') throw cause
        Atomics.wait(sleeper, 0, 0, 1)
      }
    }
  }
  const isLetGoOn = (): boolean => insist(() => readSync(hears, byte, 0, 1, null)) > 0

  return (line) => {
    let left = Buffer.from(`${JSON.stringify(line)}\n`)
    while (left.length > 0) left = left.subarray(insist(() => writeSync(says, left)))
    if (waits && !isLetGoOn()) process.exit(0)
  }
}
