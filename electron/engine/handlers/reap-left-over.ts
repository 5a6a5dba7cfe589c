import {readFileSync, rmSync} from 'node:fs'
import {z} from 'zod'
import {parseJson} from '../../../shared/base/json.ts'
import {bootId, killMarked, signalGroup, startTimeOf} from './process-group.ts'

const leftRun = z.object({mark: z.string(), pid: z.number().optional(), startTime: z.string().optional()})
const leftRuns = z.object({boot: z.string(), runs: z.array(leftRun)})
/** A command that may still run, as the process that started it wrote it down. */
export interface LeftRun {
  readonly mark: string
  /** Absent where that process died while starting it. */
  readonly pid?: number
  readonly startTime?: string
}

/**
 * At start-up: ends what commands of a former Tidemark still run, should it and its watchdog both have been killed. A number
 * alone names nobody: a process is only touched where it began when the one that was written down did, or bears its mark.
 *
 * @param file - as the former one's guard wrote it
 * @returns how many were found
 */
export function reapLeftOver(file: string): number {
  const left = readLeft(file)
  rmSync(file, {force: true})
  if (left === undefined || left.boot !== bootId()) return 0
  let found = 0
  for (const {pid, startTime} of left.runs) {
    const isSame = pid !== undefined && startTime !== undefined && startTimeOf(pid) === startTime
    if (isSame && signalGroup(pid, 'SIGKILL')) found += 1
  }
  return found + killMarked(left.runs.map(({mark}) => mark))
}

function readLeft(file: string): z.infer<typeof leftRuns> | undefined {
  try {
    return leftRuns.safeParse(parseJson(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined // no file: nothing ran
  }
}
