import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {isJsonObject, member, parseJson} from '../shared/base/json.ts'

/** Tidemark in host mode, in a process of its own. */
export interface RunningApp {
  /** With the token in its fragment. */
  readonly url: string
  /** As Ctrl-C ends it. */
  readonly stop: () => Promise<void>
  /** As a crash ends it: kill -9. */
  readonly kill: () => Promise<void>
}

const ROOT = join(import.meta.dirname, '..')

/** An app that closes takes at most a callback's grace of 2 s; one that takes this long, in ms, hangs. */
const CLOSING_MS = 15_000

/** Starts it as a user does, on a free port, and waits until it serves. */
export async function launchApp(profile: string, flags: readonly string[]): Promise<RunningApp> {
  const args = ['electron/cli/main.ts', 'serve', '--profile', profile, '--port', '0', '--json', '--no-open', ...flags]
  const child = spawn(process.execPath, args, {cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe']})
  const orphaned = (): boolean => child.kill('SIGKILL')
  process.once('exit', orphaned)
  child.once('exit', () => process.off('exit', orphaned))
  return {url: await servedUrl(child), stop: () => stop(child), kill: () => end(child, 'SIGKILL')}
}

async function servedUrl({stdout, stderr}: ChildProcess): Promise<string> {
  if (stdout === null || stderr === null) throw new Error('started without pipes')
  let complaint = ''
  stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  for await (const line of createInterface({input: stdout})) {
    const said = parseJson(line)
    const url = isJsonObject(said) && member(said, 'fact') === 'serving' ? member(said, 'url') : undefined
    if (typeof url === 'string') {
      stdout.resume() // what it says later is read by nobody, and must not fill the pipe
      return url
    }
    complaint += `${line}\n`
  }
  throw new Error(`Tidemark ended before it served:\n${complaint}`)
}

async function stop(child: ChildProcess): Promise<void> {
  const hangs = AbortSignal.timeout(CLOSING_MS)
  const forced = (): boolean => child.kill('SIGKILL')
  hangs.addEventListener('abort', forced)
  await end(child, 'SIGTERM')
  hangs.removeEventListener('abort', forced)
  if (hangs.aborted) throw new Error('Tidemark did not end by itself')
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
