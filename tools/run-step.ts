import {spawn} from 'node:child_process'
import {delimiter, join} from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** One command of a check or a build, run in the project's root on the project's own Node and packages. */
export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** No step may hang a run for ever. In milliseconds, far above what any needs. */
const STEP_LIMIT_MS = 16 * 60_000

export interface StepOutcome {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly output: string
}

/** @param show - `live`: the command writes to our own output as it goes; `kept`: it is gathered for the caller */
export function runStep(step: Step, show: 'live' | 'kept'): Promise<StepOutcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`,
        ...step.env,
      },
      stdio: ['ignore', show === 'live' ? 'inherit' : 'pipe', show === 'live' ? 'inherit' : 'pipe'],
      timeout: STEP_LIMIT_MS,
      shell: process.platform === 'win32', // npm's commands are `.cmd` files there
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    const end = (passed: boolean, said: string) =>
      resolve({
        name: step.name,
        passed,
        seconds: (performance.now() - began) / 1000,
        output: Buffer.concat(chunks).toString() + said,
      })
    child.on('error', (cause) => end(false, cause.message))
    child.on('close', (code, signal) => end(code === 0, signal === null ? '' : `ended by ${signal}`))
  })
}

/** Runs all steps, at most `width` at a time, in order. */
export async function runSteps(
  steps: readonly Step[],
  width: number,
  report: (outcome: StepOutcome) => void,
): Promise<readonly StepOutcome[]> {
  const waiting = [...steps]
  const outcomes: StepOutcome[] = []
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await runStep(step, 'kept')
      outcomes.push(outcome)
      report(outcome)
    }
  }
  await Promise.all(Array.from({length: width}, worker))
  return outcomes
}

/** One line a step; a failed one brings its output. */
export function describeOutcome({name, passed, seconds, output}: StepOutcome): string {
  const line = `${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`
  return passed ? line : `${line}\n${output.trimEnd()}\n`
}
