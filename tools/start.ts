import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {createInterface} from 'node:readline/promises'
import {pathToFileURL} from 'node:url'
import {hasDisplay} from '../electron/host/has-display.ts'
import {rendererIsFresh, shellIsFresh} from './build-is-fresh.ts'
import {chooseShell, type ShellChoice} from './choose-shell.ts'
import {fetchRuntime, hasRuntime, rememberOffer, wasOffered} from './electron-runtime.ts'
import {ROOT} from './run-step.ts'

// Starts Tidemark, in a window of its own where that can be, else in host mode; builds first what is due.

const args = process.argv.slice(2)
/** A runtime that sends nothing for so long is not to be had, in ms. */
const PATIENCE_MS = 5_000

const chosen = choose()
const choice = chosen.kind === 'offer' ? await offerRuntime() : chosen
if (choice.kind === 'desktop') await runDesktop(choice.because)
else await runHost(choice.because)

function choose(): ShellChoice {
  return chooseShell({
    display: hasDisplay(process.platform, process.env),
    runtime: hasRuntime(ROOT, process.env),
    terminal: process.stdin.isTTY && process.stdout.isTTY,
    offered: wasOffered(ROOT),
    args,
  })
}

/** Asked once: whoever does not want it, or cannot have it, is not asked again. */
async function offerRuntime(): Promise<Exclude<ShellChoice, {kind: 'offer'}>> {
  const terminal = createInterface({input: process.stdin, output: process.stdout})
  const answer = await terminal.question(
    'A window of its own needs the Electron runtime, about 120 MB. Fetch it now? [Y/n] ',
  )
  terminal.close()
  rememberOffer(ROOT)
  if (/^n/i.test(answer.trim())) return {kind: 'host', because: 'The Electron runtime was not wanted'}
  const fetched = await fetchRuntime(ROOT, process.env, {onProgress: showProgress, patienceMs: PATIENCE_MS})
  process.stdout.write('\n')
  return fetched.ok
    ? {kind: 'desktop', because: 'The Electron runtime is here now'}
    : {kind: 'host', because: `The Electron runtime could not be fetched: ${fetched.error}`}
}

function showProgress(bytes: number, total: number | undefined): void {
  const mb = (count: number): string => (count / 1_000_000).toFixed(0)
  process.stdout.write(
    `\rFetching the Electron runtime: ${mb(bytes)} MB${total === undefined ? '' : ` of ${mb(total)} MB`} `,
  )
}

async function runDesktop(because: string): Promise<void> {
  if (!(rendererIsFresh(ROOT) && shellIsFresh(ROOT))) {
    sayBuilding()
    const {buildElectron, buildRenderer} = await import('./build-parts.ts')
    await buildRenderer()
    await buildElectron(join(ROOT, 'dist', 'electron'))
  }
  // Chromium's own sandbox does not work for root, and it would not start.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  console.log(
    `${because}, so Tidemark runs in a window of its own${isRoot ? ' (as root, without Chromium’s sandbox)' : ''}.`,
  )
  const cli = join(ROOT, 'node_modules', 'electron', 'cli.js')
  const child = spawn(process.execPath, [cli, ...(isRoot ? ['--no-sandbox'] : []), ROOT, ...args], {stdio: 'inherit'})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A terminal's Ctrl-C has reached the child already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

/** In this very process, so that a signal meets one process and not two. */
async function runHost(because: string): Promise<void> {
  if (!rendererIsFresh(ROOT)) {
    sayBuilding()
    const {buildRenderer} = await import('./build-parts.ts')
    await buildRenderer()
  }
  console.log(`${because}, so Tidemark runs in host mode: the same screens, in your browser.`)
  const commandLine = join(ROOT, 'electron/cli/main.ts')
  process.argv = [process.execPath, commandLine, 'serve', ...args]
  await import(pathToFileURL(commandLine).href)
}

function sayBuilding(): void {
  console.log('Building what is shown, which takes a few seconds and is done once.')
}
