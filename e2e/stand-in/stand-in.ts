import {createApp} from './app.ts'
import {type CustomScheme, createAppSchemes, type SchemeHandler} from './app-scheme.ts'
import {type Browser, startBrowser} from './browser.ts'
import type {Devtools} from './devtools.ts'
import {createIpcMain} from './ipc-main.ts'
import {lacking} from './lacking.ts'
import {createSession} from './session.ts'
import {DISPLAY} from './window.ts'
import {createWindows} from './windows.ts'

/** Under which the module `electron` finds it. */
export const STAND_IN = Symbol.for('tidemark.stand-in-for-electron')

/** The parts of Electron that an app imports. */
interface Electron {
  readonly app: object
  readonly BrowserWindow: object
  readonly webContents: object
  readonly ipcMain: object
  readonly protocol: object
  readonly dialog: object
  readonly safeStorage: object
  readonly screen: object
  readonly session: object
}

export interface StandIn {
  readonly electron: Electron
  /** Starts the browser and tells the app that it may open windows. Called when the app's main module was loaded. */
  readonly run: () => Promise<void>
}

/** @param folder - the app's */
export function createStandIn(folder: string): StandIn {
  let browser: Browser | undefined
  const started = Promise.withResolvers<Browser>()
  const devtools: Devtools = {
    send: async (...message) => (await started.promise).send(...message),
    listen: (onEvent) => void started.promise.then(({listen}) => listen(onEvent)),
  }
  const schemes = createAppSchemes()
  const ipc = createIpcMain()
  const tellPermissions = async (): Promise<void> => {
    const {granted, denied} = session.permissions()
    const tell = (names: readonly string[], setting: string) =>
      names.map((name) => devtools.send('Browser.setPermission', {permission: {name}, setting}))
    await Promise.all([...tell(granted, 'granted'), ...tell(denied, 'denied')])
  }
  const session = createSession(() => {
    void tellPermissions().catch((cause: unknown) => {
      if (!app.isQuitting()) throw cause // a browser that ends with its app asks for nothing more
    })
  })
  const windows = createWindows({devtools, schemes, ipc, session}, () => app.allWindowsClosed())
  const app = createApp({folder, closeWindows: windows.closeAll, closeBrowser: async () => browser?.close()})
  return {
    electron: {
      app: app.api,
      BrowserWindow: windows.BrowserWindow,
      webContents: windows.webContents,
      ipcMain: ipc.api,
      ...smallParts(),
      session: lacking('session', {defaultSession: session.api}),
      protocol: lacking('protocol', {
        registerSchemesAsPrivileged: (given: readonly CustomScheme[]) => {
          for (const scheme of given) schemes.register(scheme)
        },
        handle: (scheme: string, handler: SchemeHandler) => schemes.handle(scheme, handler),
      }),
    },
    run: async () => {
      if (app.isQuitting()) return
      browser = await startBrowser(app.userData(), app.switches())
      started.resolve(browser)
      await browser.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{type: 'page', exclude: false}, {exclude: true}],
      })
      await tellPermissions()
      app.becomeReady()
    },
  }
}

function smallParts() {
  return {
    // Nobody could close one, so what it says is written to standard error, as Electron does before it is ready.
    dialog: lacking('dialog', {
      showErrorBox: (title: string, content: string) => void process.stderr.write(`${title}\n${content}\n`),
      showMessageBox: async ({message, detail}: {readonly message: string; readonly detail: string}) => {
        process.stderr.write(`${message}\n${detail}\n`)
        return {response: 0}
      },
    }),
    // As where no keyring is.
    safeStorage: lacking('safeStorage', {
      isEncryptionAvailable: () => false,
      getSelectedStorageBackend: () => 'basic_text',
    }),
    screen: lacking('screen', {
      getAllDisplays: () => [lacking('Display', {id: 1, bounds: DISPLAY, workArea: DISPLAY, scaleFactor: 1})],
    }),
  }
}
