import {join} from 'node:path'
import {app, dialog, safeStorage} from 'electron'
import {isJsonObject, member} from '../../shared/base/json.ts'
import {USUAL_LIMITS} from '../../shared/history/retention.ts'
import {explainPageEnds} from '../../shared/words/explain-page-end.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import {createDemoPort} from '../demo/port.ts'
import {systemClock} from '../engine/clock.ts'
import {openProfile, type ProfileError} from '../engine/open-profile.ts'
import {outsideWorld} from '../engine/outside-world.ts'
import {makeProfileDirectory, profileDirectory, profileFiles} from '../engine/store/profile.ts'
import type {StoreError} from '../engine/store/store.ts'
import {registerAppScheme, serveAppScheme} from './app-scheme.ts'
import {readCommandLine} from './command-line.ts'
import {serveRequests} from './ipc.ts'
import {chooseTokens} from './keychain.ts'
import {createMainWindow} from './main-window.ts'
import {quitInOrder} from './quit-in-order.ts'
import {showNotification} from './show-notification.ts'

// The desktop app. Runs built, from dist/electron, beside its preload, its store worker and the page.
const built = import.meta.dirname
const {profile: named, demo} = readCommandLine(process.argv.slice(1))
const directory = profileDirectory(named)
const files = profileFiles(directory)
const clock = systemClock()

// Chromium's own data lies in the profile too, and with it the lock of a single instance: one window a profile.
makeProfileDirectory(files.browser)
app.setPath('userData', files.browser)
registerAppScheme()
if (app.requestSingleInstanceLock({demo})) {
  const running = app.whenReady().then(run)
  app.on('second-instance', (_event, _args, _folder, second) => {
    void running.then((again) => again?.(isJsonObject(second) && member(second, 'demo') === true))
  })
} else app.quit()

/** Resolves with what a second start does; without where there is nothing to run. */
async function run(): Promise<((demo: boolean) => Promise<void>) | undefined> {
  const profile = await openOwnProfile()
  if (!profile.ok) {
    const {title, text} = wordsFor(profile.error)
    console.error(`${title}\n${text}`) // whoever started it from a terminal reads it there
    dialog.showErrorBox(title, text)
    app.exit(1)
    return undefined
  }
  quitInOrder(app, profile.value.close, clock)
  const {handlers, subscribe} = profile.value.engine
  serveAppScheme(join(built, '..', 'renderer'))
  serveRequests(handlers)
  const window = createMainWindow(join(built, 'preload.cjs'), files.window, clock.now, tellPageEnds)
  subscribe(window.send)
  app.on('activate', () => void window.show())
  app.on('window-all-closed', () => {
    // On a Mac an app goes on without a window, until it is quit.
    if (process.platform !== 'darwin') app.quit()
  })
  const show = async (startDemo: boolean): Promise<void> => {
    if (startDemo) await handlers['demo.start']({})
    await window.show()
  }
  await show(demo)
  return show
}

function openOwnProfile(): ReturnType<typeof openProfile> {
  return openProfile({
    directory,
    mode: 'electron',
    version: app.getVersion(),
    workerUrl: new URL('./store-worker.js', import.meta.url),
    watchdogUrl: new URL('./watchdog.js', import.meta.url),
    desktop: showNotification,
    clock,
    tokens: chooseTokens(files, safeStorage),
    ...outsideWorld(clock),
    demo: createDemoPort(clock, {snapshots: files.demoSnapshots, sockets: files.demoSockets}),
    keep: USUAL_LIMITS,
    onTrouble: tellTrouble,
  })
}

function tellTrouble(error: StoreError): void {
  const {title, text} = wordsFor(error)
  // Not the box of the start, which stops everything until it is closed.
  void dialog.showMessageBox({type: 'error', title: 'Tidemark', message: title, detail: text})
}

async function tellPageEnds(reason: string): Promise<void> {
  const {title, detail, whatToDo} = explainPageEnds(reason)
  await dialog.showMessageBox({type: 'error', title: 'Tidemark', message: title, detail: `${detail}\n${whatToDo}`})
}

function wordsFor(error: ProfileError): {readonly title: string; readonly text: string} {
  if (error.kind === 'owned') {
    const who =
      error.owner === undefined ? 'Another process' : `Process ${error.owner.pid}, in ${error.owner.mode} mode,`
    return {
      title: 'Tidemark already watches with this profile',
      text: `${who} owns it. Two would move one cursor, so this one ends.`,
    }
  }
  const {title, detail, whatToDo, said} = explainStoreError(error)
  return {title, text: [detail, whatToDo, said].filter((line) => line !== undefined).join('\n')}
}
