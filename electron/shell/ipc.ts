import {type BrowserWindow, ipcMain} from 'electron'
import type {ChangeBatch, Handlers} from '../../shared/contract/contract.ts'
import {serve} from '../engine/serve.ts'
import {isAppFrame} from './app-url.ts'
import {CHANGES, REQUEST} from './channels.ts'

/** Serves the page's requests. A sender that is not our page gets a rejection and reaches no handler. */
export function serveRequests(handlers: Handlers): void {
  ipcMain.handle(REQUEST, (event, channel: unknown, input: unknown) => {
    if (!isAppFrame(event.senderFrame)) throw new Error('only the page of Tidemark may ask')
    if (typeof channel !== 'string') throw new Error('a channel is named by a string')
    return serve(handlers, channel, input)
  })
}

/** Sends a batch to the window's page, if that is ours. */
export function sendChanges(window: BrowserWindow, batch: ChangeBatch): void {
  if (!window.isDestroyed() && isAppFrame(window.webContents.mainFrame)) window.webContents.send(CHANGES, batch)
}
