import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import type {ChildPlan, Passed} from './point.ts'

const SCRIPT = fileURLToPath(new URL('./watch-child.ts', import.meta.url))

/** For a start and a few frames on the busiest machine, in ms. */
const PATIENCE_MS = 60_000

export interface Life {
  /** Everything it said, in order. */
  readonly passed: readonly Passed[]
  /** What it complained of, if anything. */
  readonly complaint: string
}

/**
 * Runs a child until `isEnough` says so of the point it just passed; it is then killed by SIGKILL, which no process can
 * notice. In step mode it is blocked at that very point. Resolves when it is dead.
 */
export async function runUntilKilled(
  plan: ChildPlan,
  isEnough: (passed: Passed, soFar: readonly Passed[]) => boolean,
): Promise<Life> {
  const env = {...process.env, NODE_COMPILE_CACHE: plan.compiled}
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(plan)], {stdio: ['pipe', 'pipe', 'pipe'], env})
  const late = setTimeout(() => {
    complaint += `after ${PATIENCE_MS} ms it had still not come to where it was to be killed`
    child.kill('SIGKILL')
  }, PATIENCE_MS)
  child.stdin.on('error', () => {}) // it is dead: nobody is let go on any more
  const passed: Passed[] = []
  let complaint = ''
  let over = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  createInterface({input: child.stdout}).on('line', (line) => {
    const one = JSON.parse(line) as Passed // written by watch-child.ts
    passed.push(one)
    if (over) return
    over = isEnough(one, passed)
    if (over) child.kill('SIGKILL')
    else if (plan.mode === 'step') child.stdin.write('.')
  })
  await once(child, 'close')
  clearTimeout(late)
  return {passed, complaint}
}

/** As above, but killed after a time of its own, wherever it is. */
export async function runForMs(plan: ChildPlan, ms: number): Promise<Life> {
  let timer: NodeJS.Timeout | undefined
  let due = false
  const life = runUntilKilled(plan, () => {
    // Counted from its first sign of life: how long a process takes to start says nothing.
    timer ??= setTimeout(() => (due = true), ms)
    return due
  })
  try {
    return await life
  } finally {
    clearTimeout(timer)
  }
}
