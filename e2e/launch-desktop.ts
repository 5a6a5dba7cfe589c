import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {_electron, type ElectronApplication} from '@playwright/test'
import type {Transport} from '../shared/contract/client.ts'
import type {RunningApp} from './running-app.ts'

/** The desktop app, as Playwright leads it. */
export interface DesktopApp extends RunningApp {
  readonly electron: ElectronApplication
  /** Starts it once more on the same profile, as a second click on its icon does, and waits for that start's end. */
  readonly startAgain: (flags: readonly string[]) => Promise<void>
  /** Its exit code, when it has ended; null where a signal ended it. */
  readonly exitCode: Promise<number | null>
}

export interface DesktopOptions {
  /** The folder of the dist that stands in for Electron's own; absent for the real one. */
  readonly dist?: string
  /** The folder of the built app. */
  readonly folder?: string
}

const ROOT = join(import.meta.dirname, '..')

/** As for host mode, in ms: quitting lets a callback finish for 2 s, and gives up on what hangs after 10. */
const CLOSING_MS = 20_000

/** Starts the built desktop app and waits for its window. */
export async function launchDesktop(
  profile: string,
  flags: readonly string[],
  {dist, folder = ROOT}: DesktopOptions,
): Promise<DesktopApp> {
  chooseDist(dist)
  const args = [folder, `--profile=${profile}`, ...flags]
  const electron = await _electron.launch({args, cwd: ROOT, locale: 'en-GB', timezoneId: 'UTC'})
  const child = electron.process()
  const exitCode = once(child, 'exit').then(([code]) => code as number | null) // as Node says
  const page = await electron.firstWindow()
  await page.waitForURL(/tidemark/)
  return {
    electron,
    page,
    url: page.url(),
    exitCode,
    request: (channel, input) => page.evaluate(requestOverBridge, {channel, input}),
    startAgain: async (again) => {
      const second = await runDesktop(profile, again, {folder})
      if (second.code !== 0) throw new Error(`a second start ended with ${second.code}: ${second.said}`)
    },
    stop: () => stop(electron, child),
    kill: async () => {
      child.kill('SIGKILL')
      await exitCode
    },
  }
}

/** The bridge is there wherever our page is. */
function requestOverBridge({channel, input}: {readonly channel: string; readonly input: unknown}): Promise<unknown> {
  const {tidemark} = window as unknown as {readonly tidemark: Transport}
  return tidemark.request(channel, input)
}

/** Runs the built app in a process that nobody leads, to its end. The code is null where it had to be ended. */
export async function runDesktop(
  profile: string,
  flags: readonly string[],
  {dist, folder = ROOT}: DesktopOptions,
): Promise<{readonly code: number | null; readonly said: string}> {
  chooseDist(dist)
  const cli = join(ROOT, 'node_modules', 'electron', 'cli.js')
  const args = [cli, '--no-sandbox', folder, `--profile=${profile}`, ...flags]
  const child = spawn(process.execPath, args, {cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], timeout: CLOSING_MS})
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = await once(child, 'close')
  // Asked to end because it did not end by itself, it may do so in good order: that is no end of its own.
  return {code: child.killed ? null : (code as number | null), said}
}

/** Electron's own package looks for it there, in this process and in those it starts. */
function chooseDist(dist: string | undefined): void {
  if (dist !== undefined) process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dist
}

async function stop(electron: ElectronApplication, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const hangs = AbortSignal.timeout(CLOSING_MS)
  const forced = (): boolean => child.kill('SIGKILL')
  hangs.addEventListener('abort', forced)
  await electron.close()
  hangs.removeEventListener('abort', forced)
  if (hangs.aborted) throw new Error('Tidemark did not quit by itself')
}
