import {lacking} from './lacking.ts'

/** A frame of a page, as an app asks about it. */
export interface Frame {
  readonly url: string
  readonly parent: Frame | null
}

type Handler = (event: object, ...args: readonly unknown[]) => unknown

/** One `ipcRenderer.invoke`, as it came from a page. */
export interface Invocation {
  readonly channel: string
  readonly args: readonly unknown[]
  readonly frame: Frame | null
  readonly sender: object
}

export interface IpcMain {
  /** What an app sees. */
  readonly api: object
  /** Rejects in the words that reach the page. */
  readonly invoke: (invocation: Invocation) => Promise<unknown>
}

export function createIpcMain(): IpcMain {
  const handlers = new Map<string, Handler>()
  return {
    api: lacking('ipcMain', {
      handle: (channel: string, handler: Handler) => {
        if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
        handlers.set(channel, handler)
      },
      removeHandler: (channel: string) => void handlers.delete(channel),
    }),
    invoke: async ({channel, args, frame, sender}) => {
      const handler = handlers.get(channel)
      const failed = (cause: unknown): Error => new Error(`Error invoking remote method '${channel}': ${cause}`)
      if (handler === undefined) throw failed(`Error: No handler registered for '${channel}'`)
      try {
        return await handler(lacking('IpcMainInvokeEvent', {senderFrame: frame, sender}), ...args)
      } catch (cause) {
        throw failed(cause)
      }
    },
  }
}
