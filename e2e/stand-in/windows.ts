import type {ContentsDeps} from './contents.ts'
import type {DevtoolsEvent} from './devtools.ts'
import {lacking} from './lacking.ts'
import {newTarget, type OpenWindow, openWindow, type WindowApi, type WindowOptions} from './window.ts'

export interface Windows {
  /** As an app makes them: `new BrowserWindow(options)`. */
  readonly BrowserWindow: object
  readonly webContents: object
  /** Asks each to close; true where all did. */
  readonly closeAll: () => boolean
}

/** @param allClosed - called when the last one was closed */
export function createWindows(deps: ContentsDeps, allClosed: () => void): Windows {
  const {send, listen} = deps.devtools
  const open = new Set<OpenWindow>()
  const sessions = new Map<string, PromiseWithResolvers<string>>() // with pages, by target
  const unheard = new Map<string, DevtoolsEvent[]>() // what a page said before its window listened
  const sessionWith = (target: string): PromiseWithResolvers<string> => {
    const known = sessions.get(target) ?? Promise.withResolvers<string>()
    sessions.set(target, known)
    return known
  }
  const withTarget = (target: unknown): OpenWindow | undefined => [...open].find((window) => window.target() === target)
  const attach = async (window: OpenWindow, page: Promise<string>): Promise<void> => {
    const target = await page
    const sessionId = await sessionWith(target).promise
    const early = unheard.get(sessionId) ?? []
    unheard.delete(sessionId)
    await window.attach({target, sessionId}, early)
  }
  const forget = (window: OpenWindow): void => {
    if (!open.delete(window)) return
    window.gone()
    if (open.size === 0) allClosed()
  }
  const show = (options: WindowOptions, page: Promise<string>): object => {
    const window: OpenWindow = openWindow(options, deps, () => forget(window))
    open.add(window)
    void attach(window, page).catch(() => forget(window)) // its page was closed before it was there
    return window.api
  }
  const popUp = async (target: string, sessionId: string, opener: unknown): Promise<void> => {
    if (withTarget(opener)?.mayOpen() === true) return void show({}, Promise.resolve(target))
    // It has to run to be closed, and may ask for nothing meanwhile.
    const steps = [
      send('Fetch.enable', {patterns: [{urlPattern: '*'}]}, sessionId),
      send('Target.closeTarget', {targetId: target}),
      send('Runtime.runIfWaitingForDebugger', {}, sessionId),
    ]
    await Promise.allSettled(steps)
  }

  listen((event) => {
    const {method, params, sessionId} = event
    if (sessionId !== undefined) {
      const window = [...open].find((one) => one.session() === sessionId)
      if (window !== undefined) window.receive(event)
      else unheard.get(sessionId)?.push(event)
    } else if (method === 'Target.attachedToTarget') {
      const {targetInfo, sessionId: session} = params as unknown as Attached // as Chromium's protocol has it
      unheard.set(session, [])
      sessionWith(targetInfo.targetId).resolve(session)
      if (targetInfo.openerId !== undefined) void popUp(targetInfo.targetId, session, targetInfo.openerId)
    } else if (method === 'Target.detachedFromTarget') {
      const closed = withTarget(params['targetId'])
      if (closed !== undefined) forget(closed)
    }
  })

  const apis = (): readonly WindowApi[] => [...open].map(({api}) => api)
  function BrowserWindow(options: WindowOptions = {}): object {
    return show(
      options,
      send('Target.createTarget', newTarget(options)).then(({targetId}) => String(targetId)),
    )
  }
  const statics = {
    getAllWindows: apis,
    getFocusedWindow: () => apis().find((api) => api.isFocused()) ?? null,
    fromWebContents: (contents: object) => apis().find((api) => api.webContents === contents) ?? null,
  }
  return {
    BrowserWindow: lacking('BrowserWindow', Object.assign(BrowserWindow, statics)),
    webContents: lacking('webContents', {
      fromDevToolsTargetId: (target: string) => withTarget(target)?.api.webContents,
      getAllWebContents: () => apis().map(({webContents}) => webContents),
    }),
    closeAll: () => {
      for (const {api} of open) api.close()
      return open.size === 0
    },
  }
}

interface Attached {
  readonly sessionId: string
  readonly targetInfo: {readonly targetId: string; readonly openerId?: string}
}
