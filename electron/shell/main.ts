import {join} from 'node:path'
import {app, type BrowserWindow, dialog} from 'electron'
import {USUAL_LIMITS} from '../../shared/history/retention.ts'
import {explainStoreError} from '../../shared/words/explain-failure.ts'
import {createDemoPort} from '../demo/port.ts'
import {systemClock} from '../engine/clock.ts'
import {openProfile, type ProfileError} from '../engine/open-profile.ts'
import {fileTokens} from '../engine/store/file-tokens.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import type {StoreError} from '../engine/store/store.ts'
import {createHttpAgents} from '../engine/switch/http-request.ts'
import {httpTransport} from '../engine/switch/http-transport.ts'
import {probeHealth} from '../engine/switch/probe-health.ts'
import {registerAppScheme, serveAppScheme} from './app-scheme.ts'
import {sendChanges, serveRequests} from './ipc.ts'
import {openWindow} from './window.ts'

// The desktop app. Runs built, from dist/electron, beside its preload, its store worker and the page.
const built = import.meta.dirname

registerAppScheme()
if (app.requestSingleInstanceLock()) void app.whenReady().then(run)
else app.quit()

async function run(): Promise<void> {
  const profile = await openOwnProfile()
  if (!profile.ok) {
    const {title, text} = wordsFor(profile.error)
    dialog.showErrorBox(title, text)
    app.exit(1)
    return
  }
  quitOnlyAfter(profile.value.close)
  const {handlers, subscribe} = profile.value.engine
  serveAppScheme(join(built, '..', 'renderer'))
  serveRequests(handlers)
  const window = await openWindow(join(built, 'preload.cjs'))
  subscribe((batch) => sendChanges(window, batch))
  app.on('second-instance', () => bringForward(window))
  app.on('window-all-closed', () => app.quit())
}

function openOwnProfile(): ReturnType<typeof openProfile> {
  const clock = systemClock()
  const directory = profileDirectory(undefined)
  const agents = createHttpAgents()
  return openProfile({
    directory,
    mode: 'electron',
    version: app.getVersion(),
    workerUrl: new URL('./store-worker.js', import.meta.url),
    clock,
    tokens: fileTokens(profileFiles(directory).tokens),
    openTransport: (target) => httpTransport(target, {agents, clock}),
    probeHealth: (url, signal) => probeHealth(url, signal, clock),
    demo: createDemoPort(clock),
    keep: USUAL_LIMITS,
    onTrouble: tellTrouble,
  })
}

/** Every position is durable at any instant; closing in order also lets what runs end instead of being cut off. */
function quitOnlyAfter(close: () => Promise<void>): void {
  app.once('will-quit', (event) => {
    event.preventDefault()
    void close().finally(() => app.exit(0))
  })
}

function tellTrouble(error: StoreError): void {
  const {title, text} = wordsFor(error)
  dialog.showErrorBox(title, text)
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

function bringForward(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.focus()
}
