import {BrowserWindow, type Session} from 'electron'
import {APP_URL} from './app-scheme.ts'

/**
 * Opens the window on the built page, which can load nothing else, open nothing and ask for nothing.
 *
 * @param preload - absolute path of the built preload
 */
export async function openWindow(preload: string): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    title: 'Tidemark',
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 600,
    // Shown when it has something to show, instead of a white flash first.
    show: false,
    webPreferences: {preload, contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false},
  })
  window.once('ready-to-show', () => window.show())
  window.webContents.setWindowOpenHandler(() => ({action: 'deny'}))
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  window.webContents.on('will-attach-webview', (event) => event.preventDefault())
  denyPermissions(window.webContents.session)
  await window.loadURL(APP_URL)
  return window
}

function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
}
