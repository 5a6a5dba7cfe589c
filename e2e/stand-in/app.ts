import {EventEmitter} from 'node:events'
import {mkdirSync, readFileSync, statSync} from 'node:fs'
import {homedir, tmpdir} from 'node:os'
import {join} from 'node:path'
import {lacking} from './lacking.ts'
import {emitPreventable} from './preventable.ts'
import {takeSingleInstance} from './single-instance.ts'

export interface App {
  /** What an app sees. */
  readonly api: EventEmitter
  readonly switches: () => readonly string[]
  readonly userData: () => string
  /** Emits `ready`, unless the app quit before. */
  readonly becomeReady: () => void
  readonly isQuitting: () => boolean
  /** Called when the last window was closed. */
  readonly allWindowsClosed: () => void
}

export interface AppDeps {
  /** The app's folder, with its package.json. */
  readonly folder: string
  /** Asks each window to close; true where none is left. */
  readonly closeWindows: () => boolean
  /** Ends the browser, where there is one. */
  readonly closeBrowser: () => Promise<void>
}

export function createApp({folder, closeWindows, closeBrowser}: AppDeps): App {
  const {name, productName = name, version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const events = new EventEmitter()
  const switches = new Map<string, string>()
  const ready = Promise.withResolvers<void>()
  const appData = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  const paths = new Map([
    ['appData', appData],
    ['userData', join(appData, productName)],
    ['home', homedir()],
    ['temp', tmpdir()],
  ])
  let handover: Promise<void> | undefined
  const state = {ready: false, quitting: false, exiting: false}

  const exit = async (code: number): Promise<void> => {
    if (state.exiting) return
    state.exiting = true
    events.emit('quit', {}, code)
    await Promise.allSettled([handover, closeBrowser()])
    process.exit(code)
  }
  const quit = (): void => {
    if (!emitPreventable(events, 'before-quit')) return
    state.quitting = true
    if (!closeWindows())
      state.quitting = false // a window would not close
    else if (emitPreventable(events, 'will-quit')) void exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)

  const api = lacking(
    'app',
    Object.assign(events, {
      isPackaged: false,
      whenReady: () => ready.promise,
      isReady: () => state.ready,
      quit,
      exit: (code = 0) => void exit(code),
      getVersion: (): string => version,
      getName: (): string => productName,
      getAppPath: () => folder,
      getPath: (of: string) => {
        const path = paths.get(of)
        if (path === undefined) throw new Error(`the stand-in for Electron has no path ${of}`)
        return path
      },
      setPath: (of: string, path: string) => {
        if (!statSync(path).isDirectory()) throw new Error(`${path} is no folder`)
        paths.set(of, path)
      },
      commandLine: lacking('app.commandLine', {
        appendSwitch: (of: string, value = '') => void switches.set(of, value),
        getSwitchValue: (of: string) => switches.get(of) ?? '',
        hasSwitch: (of: string) => switches.has(of),
      }),
      requestSingleInstanceLock: (additionalData: unknown = null) => {
        const mine = {argv: process.argv, cwd: process.cwd(), additionalData}
        handover = takeSingleInstance(api.getPath('userData'), mine, (theirs) =>
          events.emit('second-instance', {}, theirs.argv, theirs.cwd, theirs.additionalData),
        )
        return handover === undefined
      },
    }),
  )
  return {
    api,
    switches: () => [...switches].map(([of, value]) => (value === '' ? `--${of}` : `--${of}=${value}`)),
    userData: () => {
      const path = api.getPath('userData')
      mkdirSync(path, {recursive: true})
      return path
    },
    becomeReady: () => {
      state.ready = true
      ready.resolve()
      api.emit('ready', {}) // over the object: whoever tests may have put an `emit` of its own there
    },
    isQuitting: () => state.quitting || state.exiting,
    allWindowsClosed: () => {
      if (state.quitting) return
      // An app that does not listen is quit by Electron.
      if (!events.emit('window-all-closed')) quit()
    },
  }
}
