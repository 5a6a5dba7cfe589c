import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'

/** In the environment of a command and of everything it starts: what bears it belongs to that run. */
export const RUN_MARK = 'TIDEMARK_RUN'

/** Tells the processes of this boot from those of another one, whose numbers begin anew. Empty where the system does not say. */
export function bootId(): string {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

/**
 * When a process began, in the system's own words: with it, a number names one process and no later one. `undefined` where
 * there is no such process, or the system does not say.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') return statOf(pid)?.[19] // field 22 of proc(5), counted from behind the name
  if (process.platform === 'win32') return undefined
  const told = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {encoding: 'utf8'})
  return told.stdout?.trim() || undefined
}

/** Sends a signal to a process and its whole group. False where there is none any more. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    // There are no groups: its tree, as far as it can still be followed.
    return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], {windowsHide: true}).status === 0
  }
  return sent(-pid, signal)
}

/** Kills whatever bears one of these marks, also where it left its group. Returns how many there were; none where no system tells. */
export function killMarked(marks: readonly string[]): number {
  if (process.platform !== 'linux' || marks.length === 0) return 0
  const signs = marks.map((mark) => `${RUN_MARK}=${mark}\0`)
  let found = 0
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const environment = textOf(`/proc/${pid}/environ`)
    if (environment !== undefined && signs.some((sign) => `${environment}\0`.includes(sign)) && sent(pid, 'SIGKILL'))
      found += 1
  }
  return found
}

function sent(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false // gone, or not ours
  }
}

/** What follows the name, which may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  const text = textOf(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined // not there, or not ours to read
  }
}
