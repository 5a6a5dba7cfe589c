import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {killMarked, signalGroup} from './process-group.ts'
import {type Running, readWord, WATCHDOG_IS_UP} from './watchdog-words.ts'

/*
 * A process of its own that outlives the one that started it by a moment. It is told of every command that runs, and lives as
 * long as the pipe it is told through; when that closes, however the other end died, it kills what still runs, and ends. Of a
 * command that is over it ends what that left behind outside of its group, here and not where frames are handled.
 */

/** A command that was just being started shows its mark a moment later. In ms. */
const AGAIN_MS = 50
/** So many looks without anything found are enough. */
const QUIET_LOOKS = 4
const LOOKS = 100
/** Looking through all processes costs some ms, so commands that end shortly after one another share a look. In ms. */
const SWEEP_MS = 200

async function main(): Promise<void> {
  // Whoever ends the other process may mean this one too; it has still something to do then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const running: Running = new Map()
  const over = new Set<string>()
  for (const word of process.argv.slice(2)) readWord(word.trimEnd(), running, over)
  process.stdout.on('error', () => {}) // the other process is gone already
  process.stdout.write(WATCHDOG_IS_UP)
  let sweeping: Promise<void> | undefined
  for await (const line of createInterface({input: process.stdin})) {
    readWord(line, running, over)
    if (over.size > 0) sweeping ??= sweep(over).finally(() => (sweeping = undefined))
  }
  for (const mark of over) running.set(mark, undefined)
  let quiet = 0
  for (let look = 0; look < LOOKS && quiet < QUIET_LOOKS && running.size > 0; look++) {
    quiet = killAll(running) ? 0 : quiet + 1
    await pause(AGAIN_MS)
  }
}

/** Looks for what runs that are over left behind, until a look finds nothing of them any more. Resolves then. */
async function sweep(over: Set<string>): Promise<void> {
  while (over.size > 0) {
    await pause(SWEEP_MS)
    if (killMarked([...over]) === 0) over.clear()
  }
}

function killAll(running: Running): boolean {
  let found = false
  for (const pid of running.values()) if (pid !== undefined && signalGroup(pid, 'SIGKILL')) found = true
  return killMarked([...running.keys()]) > 0 || found
}

await main()
