import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import type {Page} from '@playwright/test'
import {isJsonObject, member, parseJson} from '../shared/base/json.ts'
import {requestOverSocket} from './host-socket.ts'
import type {RunningApp} from './running-app.ts'

const ROOT = join(import.meta.dirname, '..')

/** An app that closes takes at most a callback's grace of 2 s; one that takes this long, in ms, hangs. */
const CLOSING_MS = 15_000

/** Starts host mode as a user does, on a free port, and waits until it serves. */
export async function launchHost(profile: string, flags: readonly string[], page: Page): Promise<RunningApp> {
  const args = ['electron/cli/main.ts', 'serve', '--profile', profile, '--port', '0', '--json', '--no-open', ...flags]
  const child = spawn(process.execPath, args, {cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe']})
  const orphaned = (): boolean => child.kill('SIGKILL')
  process.once('exit', orphaned)
  child.once('exit', () => process.off('exit', orphaned))
  const url = await servedUrl(child)
  return {
    url,
    page,
    request: (channel, input) => requestOverSocket(url, channel, input),
    stop: () => stop(child),
    kill: () => end(child, 'SIGKILL'),
  }
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
