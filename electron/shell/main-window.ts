import type {BrowserWindow} from 'electron'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import {APP_URL} from './app-url.ts'
import {sendChanges} from './ipc.ts'
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
 */
export function createMainWindow(preload: string, placeFile: string): MainWindow {
  let window: BrowserWindow | undefined
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
      await opened.loadURL(APP_URL).catch((cause: unknown) => {
        if (!opened.isDestroyed()) throw cause // a window that is closed while it loads has nothing to say
      })
    },
    send: (batch) => {
      if (window !== undefined) sendChanges(window, batch)
    },
  }
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
