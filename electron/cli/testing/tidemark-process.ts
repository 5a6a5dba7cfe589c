import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {once} from 'node:events'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {onTestFinished} from 'vitest'
import {until} from '../../engine/testing/until.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** Half of a start is compiling; the cache knows by content what it holds. */
const env = {...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'tidemark-test-compiled')}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface TidemarkProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly out: () => string
  readonly ended: Promise<Ended>
}

/** The command line as a process of its own, gone when the test is over. */
export function tidemark(...args: readonly string[]): TidemarkProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {stdio: 'pipe', env})
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {}) // it ended without reading
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = once(child, 'close').then(([code]) => ({code: code as number | null, out, err}))
  return {child, out: () => out, ended}
}

/** Runs it to its end, with this on standard input. */
export async function runTidemark(args: readonly string[], input?: string | Uint8Array): Promise<Ended> {
  const {child, ended} = tidemark(...args)
  child.stdin.end(input)
  return ended
}

export interface Serving {
  readonly process: TidemarkProcess
  /** Of its first line. */
  readonly said: {readonly url: string; readonly port: number; readonly profile: string}
}

/** `serve`, on any free port and without a page: a screen needs none to talk to it. */
export async function serveTidemark(profile: string, ...args: readonly string[]): Promise<Serving> {
  const given = ['serve', '--profile', profile, '--json', '--no-open', '--port', '0', '--page-elsewhere', ...args]
  const process = tidemark(...given)
  await until(() => process.out().includes('\n') || process.child.exitCode !== null, 'a host that serves', process.out)
  const [line = ''] = process.out().split('\n')
  return {process, said: JSON.parse(line)}
}

export function jsonLines(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
