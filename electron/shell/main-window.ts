import type {BrowserWindow} from 'electron'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import {APP_URL} from './app-url.ts'
import {sendChanges} from './ipc.ts'
import {addressAfterEnd, createRecovery} from './recover-page.ts'
import {createWindow} from './window.ts'
import {readPlace, savePlace} from './window-place.ts'

/** The one window. It may be closed while the app goes on. */
export interface MainWindow {
  /** Opens it, or brings it forward. Resolves when there is something in it. */
  readonly show: () => Promise<void>
  readonly send: (batch: ChangeBatch) => void
}

/**
 * @param preload - absolute path of the built preload
 * @param placeFile - where it is kept where the window was
 * @param giveUp - tells that the page ends again and again; resolves once it is to be loaded once more
 */
export function createMainWindow(
  preload: string,
  placeFile: string,
  now: () => number,
  giveUp: (reason: string) => Promise<void>,
): MainWindow {
  let window: BrowserWindow | undefined
  const recover = createRecovery({now, giveUp, reload: (reason) => void loadAgain(window, reason)})
  return {
    show: async () => {
      if (window !== undefined) return bringForward(window)
      const opened = createWindow(preload, readPlace(placeFile))
      window = opened
      opened.on('close', () =>
        savePlace(placeFile, {bounds: opened.getNormalBounds(), maximized: opened.isMaximized()}),
      )
      opened.on('closed', () => {
        window = undefined
      })
      opened.webContents.on('render-process-gone', (_event, {reason}) => recover(reason))
      await opened.loadURL(APP_URL).catch((cause: unknown) => {
        if (!opened.isDestroyed()) throw cause // a window that is closed while it loads has nothing to say
      })
    },
    send: (batch) => {
      if (window !== undefined) sendChanges(window, batch)
    },
  }
}

async function loadAgain(window: BrowserWindow | undefined, reason: string): Promise<void> {
  if (window === undefined) return
  const address = addressAfterEnd(window.webContents.getURL(), reason)
  // It may end while it loads, which is told by another event, or be closed.
  await window.loadURL(address).catch(() => {})
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
