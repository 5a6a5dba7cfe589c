import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {killMarked, signalGroup} from './process-group.ts'
import {type Running, readWord} from './watchdog-words.ts'

/*
 * A process of its own that outlives the one that started it by a moment. It is told of every command that runs, and lives as
 * long as the pipe it is told through; when that closes, however the other end died, it kills what still runs, and ends.
 */

/** A command that was just being started shows its mark a moment later. In ms. */
const AGAIN_MS = 50
/** So many looks without anything found are enough. */
const QUIET_LOOKS = 4
const LOOKS = 100

async function main(): Promise<void> {
  // Whoever ends the other process may mean this one too; it has still something to do then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const running: Running = new Map()
  for (const word of process.argv.slice(2)) readWord(word.trimEnd(), running)
  for await (const line of createInterface({input: process.stdin})) readWord(line, running)
  let quiet = 0
  for (let look = 0; look < LOOKS && quiet < QUIET_LOOKS && running.size > 0; look++) {
    quiet = killAll(running) ? 0 : quiet + 1
    await pause(AGAIN_MS)
  }
}

function killAll(running: Running): boolean {
  let found = false
  for (const pid of running.values()) if (pid !== undefined && signalGroup(pid, 'SIGKILL')) found = true
  return killMarked([...running.keys()]) > 0 || found
}

await main()
