import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {onTestFinished} from 'vitest'

/** A process of its own. It is killed when the test ends. */
export function runChild(file: URL, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], {stdio: ['ignore', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Everything it said, once it has said this many lines and was killed. */
export async function linesUntilKilled(child: ChildProcess, count: number): Promise<readonly string[]> {
  const lines: string[] = []
  const ended = once(child, 'close')
  if (child.stdout === null) throw new Error('it was started with a pipe')
  for await (const line of createInterface({input: child.stdout})) {
    lines.push(line)
    if (lines.length === count) child.kill('SIGKILL')
  }
  await ended
  return lines
}
