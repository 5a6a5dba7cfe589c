import {type ChildProcess, spawn} from 'node:child_process'
import {renameSync, rmSync, writeFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {messageOf} from '../../../shared/base/message-of.ts'
import {bootId, startTimeOf} from './process-group.ts'
import type {LeftRun} from './reap-left-over.ts'
import {sayWord, type WatchdogWord} from './watchdog-words.ts'

/** Sees to it that no command outlives this process, however it ends. */
export interface Guard {
  /** Before a command is started. Rejects where nothing would end it with this process: it is not to be started then. */
  readonly announce: (mark: string) => Promise<void>
  readonly started: (mark: string, pid: number) => void
  /** What bears its mark and still runs is ended, too, a moment later. */
  readonly ended: (mark: string) => void
  readonly close: () => void
}

export interface GuardOptions {
  /** `watchdog` as source, or where a build put it. */
  readonly watchdogUrl: URL
  /** Says what runs, for a next start that finds us gone and our watchdog too. */
  readonly file: string
}

export function createGuard({watchdogUrl, file}: GuardOptions): Guard {
  const running = new Map<string, LeftRun>()
  let watchdog: Watchdog | undefined
  let closed = false

  const record = (): void => {
    if (running.size === 0) return rmSync(file, {force: true})
    // Whole or not at all: half a file would name nothing that runs.
    writeFileSync(`${file}.new`, JSON.stringify({boot: bootId(), runs: [...running.values()]}), {mode: 0o600})
    renameSync(`${file}.new`, file)
  }
  /** The watchdog knows, whatever the disk says; the file is for when it is killed as well. */
  const recordIfPossible = (): void => {
    try {
      record()
    } catch {
      return
    }
  }
  const say = (word: WatchdogWord): void => void watchdog?.child.stdin?.write(sayWord(word))
  /** One that begins knows everything from its first moment: there is no time in which it could be asked in vain. */
  const startWatchdog = (): Watchdog => {
    const words = [...running.values()].map(({mark, pid}) =>
      sayWord(pid === undefined ? {kind: 'announced', mark} : {kind: 'started', mark, pid}),
    )
    const started = spawnWatchdog(watchdogUrl, words)
    void started.gone.then((wasUp) => {
      if (watchdog !== started) return
      // Another one takes its place as long as something runs. One that cannot even begin is not tried for ever.
      watchdog = wasUp && !closed && running.size > 0 ? startWatchdog() : undefined
    })
    return started
  }
  return {
    async announce(mark) {
      running.set(mark, {mark})
      record()
      if (watchdog === undefined) watchdog = startWatchdog()
      else say({kind: 'announced', mark})
      await watchdog.up
    },
    started(mark, pid) {
      say({kind: 'started', mark, pid})
      const startTime = startTimeOf(pid)
      running.set(mark, {mark, pid, ...(startTime === undefined ? {} : {startTime})})
      recordIfPossible()
    },
    ended(mark) {
      running.delete(mark)
      recordIfPossible()
      say({kind: 'ended', mark})
    },
    close() {
      closed = true
      watchdog?.child.stdin?.end()
    },
  }
}

interface Watchdog {
  readonly child: ChildProcess
  /** Resolves when it watches; rejects where it ended before. */
  readonly up: Promise<void>
  /** Whether it ever watched. */
  readonly gone: Promise<boolean>
}

/** In a session of its own: a signal to our group, or from our terminal, is not for it. */
function spawnWatchdog(url: URL, words: readonly string[]): Watchdog {
  const child = spawn(process.execPath, [fileURLToPath(url), ...words], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: watchdogEnvironment(),
    windowsHide: true,
  })
  let wasUp = false
  const up = new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => {
      wasUp = true
      resolve()
    })
    child.once('error', (cause) => reject(new Error(messageOf(cause))))
    child.once('exit', (code, signal) => reject(new Error(`it ended at once, with ${signal ?? `exit code ${code}`}`)))
  })
  const gone = new Promise<boolean>((resolve) => {
    child.once('exit', () => resolve(wasUp))
    child.once('error', () => resolve(wasUp))
  })
  // Absent where there was no room for a pipe. One that is broken says nothing that its end does not.
  for (const pipe of [child.stdin, child.stdout]) pipe?.on('error', () => {})
  void up.then(
    () => keepsNothing(child),
    () => {}, // it is gone
  )
  return {child, up, gone}
}

/** Whoever waits for it to watch is kept by that; afterwards it keeps nobody. */
function keepsNothing(child: ChildProcess): void {
  child.unref()
  for (const pipe of [child.stdin, child.stdout]) (pipe as Socket | null)?.unref() // a pipe of a child is a socket
}

/** This process may be Electron, whose binary then runs as Node; what the user tells Node is not for it. */
function watchdogEnvironment(): NodeJS.ProcessEnv {
  const {NODE_OPTIONS: _, ...environment} = process.env
  return {...environment, ELECTRON_RUN_AS_NODE: '1'}
}
