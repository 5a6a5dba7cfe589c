import {contextBridge, type IpcRendererEvent, ipcRenderer} from 'electron'
import {CHANGES, REQUEST} from './channels.ts'

contextBridge.exposeInMainWorld('tidemark', {request, subscribe})

function request(channel: unknown, input: unknown): Promise<unknown> {
  return ipcRenderer.invoke(REQUEST, channel, input)
}

function subscribe(listener: (batch: unknown) => void): () => void {
  // The event itself stays here: it carries the sender, which a page has no use for.
  const forward = (_event: IpcRendererEvent, batch: unknown) => listener(batch)
  ipcRenderer.on(CHANGES, forward)
  return () => void ipcRenderer.off(CHANGES, forward)
}
