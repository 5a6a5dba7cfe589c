import {type ChildProcess, spawn} from 'node:child_process'
import {readlinkSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {Readable, Writable} from 'node:stream'
import {setTimeout as wait} from 'node:timers/promises'
import {connectDevtools, type Devtools} from './devtools.ts'

export interface Browser extends Devtools {
  /** Resolves when its process has ended. */
  readonly close: () => Promise<void>
}

/** As `FLAGS` of the tests in a browser, and: no page before a window asks for one. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Of a browser that is killed with its app, in ms: it notices by itself, and then has to let go of its folder. */
const LETTING_GO_MS = 20_000

/**
 * Starts Chromium. It is led by a pipe, so that it ends when this process does, however that happens; the port beside it is
 * for whoever tests.
 *
 * @param userData - the folder it keeps its own data in
 * @param switches - further flags
 */
export async function startBrowser(userData: string, switches: readonly string[]): Promise<Browser> {
  await untilFree(userData)
  const args = [
    ...FLAGS,
    ...switches,
    `--user-data-dir=${userData}`,
    '--remote-debugging-pipe',
    '--remote-debugging-port=0',
  ]
  const child = spawn(process.env['TIDEMARK_BROWSER'] ?? 'chromium', args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, , complaints, toBrowser, fromBrowser] = child.stdio
  if (!(complaints instanceof Readable && toBrowser instanceof Writable && fromBrowser instanceof Readable))
    throw new Error('Chromium was started without pipes')
  // Whoever tests waits for this line, as the real one prints it.
  createInterface({input: complaints}).on('line', (line) => {
    if (line.startsWith('DevTools listening on ')) process.stderr.write(`${line}\n`)
  })
  const devtools = connectDevtools(toBrowser, fromBrowser)
  await devtools.send('Browser.getVersion')
  return {...devtools, close: () => closeBrowser(child, devtools)}
}

async function closeBrowser(child: ChildProcess, devtools: Devtools): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await devtools.send('Browser.close').catch(() => {}) // it may be gone before it answers
  await ended
}

/** The browser of an app that was killed a moment ago may still be about to end, and would take the new one for a tab of its own. */
async function untilFree(userData: string): Promise<void> {
  for (let waited = 0; waited < LETTING_GO_MS; waited += 50) {
    const owner = ownerOf(userData)
    if (owner === undefined || !isAlive(owner)) return
    await wait(50)
  }
}

/** Chromium's own lock: a link to `host-pid`. */
function ownerOf(userData: string): number | undefined {
  try {
    return Number(/\d+$/.exec(readlinkSync(join(userData, 'SingletonLock')))?.[0])
  } catch {
    return undefined // nobody's
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
