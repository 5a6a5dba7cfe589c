import {BrowserWindow, type Session, screen} from 'electron'
import {placeWindow, SMALLEST, type WindowPlace} from './window-place.ts'

/**
 * A window, still empty, whose page can go nowhere else, open nothing and ask for nothing.
 *
 * @param preload - absolute path of the built preload
 */
export function createWindow(preload: string, place: WindowPlace | undefined): BrowserWindow {
  const displays = screen.getAllDisplays().map(({workArea}) => workArea)
  const window = new BrowserWindow({
    title: 'Tidemark',
    ...placeWindow(place, displays),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    // Shown when it has something to show, instead of a white flash first.
    show: false,
    webPreferences: {preload, contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false},
  })
  window.once('ready-to-show', () => {
    if (place?.maximized === true) window.maximize()
    window.show()
  })
  window.webContents.setWindowOpenHandler(() => ({action: 'deny'}))
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  denyPermissions(window.webContents.session)
  return window
}

function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
}
