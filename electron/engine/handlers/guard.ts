import {type ChildProcess, spawn} from 'node:child_process'
import {rmSync, writeFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {bootId, startTimeOf} from './process-group.ts'
import type {LeftRun} from './reap-left-over.ts'
import {sayWord, type WatchdogWord} from './watchdog-words.ts'

/** Sees to it that no command outlives this process, however it ends. */
export interface Guard {
  /** Before a command is started. */
  readonly announce: (mark: string) => void
  readonly started: (mark: string, pid: number) => void
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
  let watchdog: ChildProcess | undefined
  let closed = false

  const record = (): void => {
    if (running.size === 0) rmSync(file, {force: true})
    else writeFileSync(file, JSON.stringify({boot: bootId(), runs: [...running.values()]}), {mode: 0o600})
  }
  const say = (word: WatchdogWord): void => {
    if (watchdog === undefined) watchdog = startWatchdog()
    else watchdog.stdin?.write(sayWord(word))
  }
  /** One that begins knows everything from its first moment: there is no time in which it could be asked in vain. Should it die, another one takes its place as long as something runs. */
  const startWatchdog = (): ChildProcess => {
    const words = [...running.values()].map(({mark, pid}) =>
      sayWord(pid === undefined ? {kind: 'announced', mark} : {kind: 'started', mark, pid}),
    )
    const child = spawnWatchdog(watchdogUrl, words)
    const gone = (): void => {
      if (watchdog !== child) return
      watchdog = closed || running.size === 0 ? undefined : startWatchdog()
    }
    child.once('exit', gone)
    child.once('error', () => (watchdog = undefined)) // it could not be started; the next command tries again
    return child
  }
  return {
    announce(mark) {
      running.set(mark, {mark})
      record()
      say({kind: 'announced', mark})
    },
    started(mark, pid) {
      say({kind: 'started', mark, pid})
      const startTime = startTimeOf(pid)
      running.set(mark, {mark, pid, ...(startTime === undefined ? {} : {startTime})})
      record()
    },
    ended(mark) {
      running.delete(mark)
      record()
      say({kind: 'ended', mark})
    },
    close() {
      closed = true
      watchdog?.stdin?.end()
    },
  }
}

/** In a session of its own: a signal to our group, or from our terminal, is not for it. */
function spawnWatchdog(url: URL, words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(url), ...words], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {...process.env, ELECTRON_RUN_AS_NODE: '1'}, // this may be Electron's binary
    windowsHide: true,
  })
  child.stdin.on('error', () => {}) // it is gone; its exit tells
  child.unref()
  if ('unref' in child.stdin) (child.stdin as Socket).unref() // a pipe of a child is a socket
  return child
}
