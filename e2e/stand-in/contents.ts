import {randomUUID} from 'node:crypto'
import {EventEmitter} from 'node:events'
import {setTimeout as wait} from 'node:timers/promises'
import type {AppSchemes} from './app-scheme.ts'
import type {Devtools, DevtoolsEvent, Params} from './devtools.ts'
import type {Frame, IpcMain} from './ipc-main.ts'
import {lacking} from './lacking.ts'
import {isolatedScript, type PageNames, pageScript} from './page-scripts.ts'
import {readPreload} from './preload.ts'
import {emitPreventable} from './preventable.ts'
import type {Session} from './session.ts'

/** Of which an app's windows say what a page may do. Defaults as Electron's. */
export interface WebPreferences {
  readonly preload?: string
  readonly contextIsolation: boolean
  readonly sandbox: boolean
  readonly nodeIntegration: boolean
  readonly webviewTag: boolean
}

export interface ContentsDeps {
  readonly devtools: Devtools
  readonly schemes: AppSchemes
  readonly ipc: IpcMain
  readonly session: Session
}

type OpenHandler = (details: {readonly url: string}) => {readonly action: 'allow' | 'deny'}

/** One page of the browser, led over a session of its own. */
export interface Contents {
  /** What an app sees. */
  readonly api: EventEmitter
  /** Readies the page that the browser opened for it, and lets it run. */
  readonly attach: (page: AttachedPage) => Promise<void>
  readonly receive: (event: DevtoolsEvent) => void
  /** May the page have a window of its own? */
  readonly mayOpen: (url: string) => boolean
  readonly load: (url: string) => Promise<void>
  readonly destroyed: () => void
}

/** Chromium's names for a page and for our session with it. */
export interface AttachedPage {
  readonly target: string
  readonly sessionId: string
}

interface FrameState {
  readonly url: string
  readonly parent: string | undefined
}

const WORLD = 'preload'
const PAGES_WORD_MS = 50
/** The exit code of a process that a signal ended, as Electron tells it. */
const CRASHED = 5
/** What the app's scheme serves; and documents, so that a page that wants to go elsewhere can be kept. */
const PAUSED = [{urlPattern: 'https://*.scheme.invalid/*'}, {urlPattern: '*', resourceType: 'Document'}]

function preloadScripts(preferences: WebPreferences, names: PageNames, api: EventEmitter): readonly Params[] {
  const {preload, sandbox, contextIsolation, nodeIntegration} = preferences
  // What such a page would find, so that a test that looks for it does.
  const node = nodeIntegration && !sandbox ? [{source: 'globalThis.require = () => ({}); globalThis.process = {}'}] : []
  if (preload === undefined) return node
  try {
    if (!contextIsolation) throw new Error('contextBridge API can only be used when contextIsolation is enabled')
    const source = isolatedScript(names, readPreload(preload))
    return [...node, {source, worldName: WORLD}, {source: pageScript(names)}]
  } catch (cause) {
    refusePreload(preload, cause, api)
    return node
  }
}

/** As Electron does it: it says so, and shows the page without the preload. */
function refusePreload(preload: string, cause: unknown, api: EventEmitter): void {
  console.error(`Unable to load preload script: ${preload}\n${cause}`)
  api.emit('preload-error', {}, preload, cause)
}

/** @param close - closes the window that shows it */
export function createContents(
  preferences: WebPreferences,
  close: () => void,
  {devtools, schemes, ipc, session}: ContentsDeps,
): Contents {
  const names = {toMain: `to-${randomUUID()}`, fromMain: `from-${randomUUID()}`, between: `between-${randomUUID()}`}
  const frames = new Map<string, FrameState>()
  const worlds = new Map<number, string>() // execution contexts of preloads, by the frame they belong to
  const wanted = new Set<string>() // addresses the page itself wants its window to go to
  const loaded = new Set<string>() // documents, by Chromium's name for their load
  const loads = new Map<string, PromiseWithResolvers<void>>()
  const page = Promise.withResolvers<AttachedPage>()
  const readied = Promise.withResolvers<void>()
  let target = '' // its main frame has the same name
  let openHandler: OpenHandler | undefined
  let gone = false
  let loading = 0 // loads that the app asked for
  const send = async (method: string, params?: Params): Promise<Params> =>
    devtools.send(method, params, (await page.promise).sessionId)
  const frameOf = (id: string | undefined): Frame | null => {
    const frame = id === undefined ? undefined : frames.get(id)
    if (frame === undefined) return null
    return lacking('WebFrameMain', {url: schemes.toApp(frame.url || 'about:blank'), parent: frameOf(frame.parent)})
  }
  const tellPreload = (world: number, message: object): void => {
    const expression = `globalThis[${JSON.stringify(names.fromMain)}]?.(${JSON.stringify(JSON.stringify(message))})`
    // It may be gone by now, with the page it belonged to.
    void send('Runtime.evaluate', {expression, contextId: world}).catch(() => {})
  }
  const api = lacking(
    'WebContents',
    Object.defineProperty(Object.assign(new EventEmitter(), contentsApi()), 'mainFrame', {get: () => frameOf(target)}),
  )

  function contentsApi() {
    return {
      session: session.api,
      getURL: () => frameOf(target)?.url ?? '',
      isDestroyed: () => gone,
      close: () => close(),
      getLastWebPreferences: () => preferences,
      setWindowOpenHandler: (handler: OpenHandler) => {
        openHandler = handler
      },
      send: (channel: string, ...args: readonly unknown[]) => {
        for (const [world, frame] of worlds) if (frame === target) tellPreload(world, {channel, args})
      },
    }
  }

  const answerInvoke = async (world: number, payload: string): Promise<void> => {
    const {id, channel, args, preloadError} = JSON.parse(payload)
    if (preloadError !== undefined) return refusePreload(preferences.preload ?? '', preloadError, api)
    const frame = frameOf(worlds.get(world))
    const message = await ipc.invoke({channel, args, frame, sender: api}).then(
      (value) => ({reply: id, args: [value]}),
      (cause: Error) => ({reply: id, error: cause.message}),
    )
    tellPreload(world, message)
  }

  const answerRequest = async (paused: Params): Promise<void> => {
    const {requestId, frameId, request} = paused as {requestId: string; frameId: string; request: {url: string}}
    const isDocument = paused['resourceType'] === 'Document'
    if (isDocument && frameId === target) {
      // Page and request speak over different pipes, so the page's word that it wants to go there may come a little later.
      if (loading === 0 && !wanted.has(request.url)) await wait(PAGES_WORD_MS)
      if (wanted.delete(request.url) && !mayNavigate(request.url))
        return void (await send('Fetch.failRequest', {requestId, errorReason: 'Aborted'}))
    }
    const {sessionId} = await page.promise
    if (!(await schemes.answer(paused, sessionId, devtools))) await send('Fetch.continueRequest', {requestId})
  }
  const untilLoaded = async (loaderId: string): Promise<void> => {
    if (loaded.has(loaderId)) return
    const load = Promise.withResolvers<void>()
    loads.set(loaderId, load)
    await load.promise.finally(() => loads.delete(loaderId))
  }
  const mayNavigate = (to: string): boolean => {
    const url = schemes.toApp(to)
    return emitPreventable(api, 'will-navigate', {url}, url)
  }

  const receivers: Readonly<Record<string, (params: never) => void>> = {
    'Page.frameAttached': ({frameId, parentFrameId}: {frameId: string; parentFrameId: string}) =>
      frames.set(frameId, {url: '', parent: parentFrameId}),
    'Page.frameDetached': ({frameId}: {frameId: string}) => frames.delete(frameId),
    'Page.frameNavigated': ({frame}: {frame: {id: string; url: string; parentId?: string}}) =>
      frames.set(frame.id, {url: frame.url, parent: frame.parentId}),
    'Page.navigatedWithinDocument': ({frameId, url}: {frameId: string; url: string}) =>
      frames.set(frameId, {url, parent: frames.get(frameId)?.parent}),
    'Page.frameRequestedNavigation': ({frameId, url}: {frameId: string; url: string}) => {
      if (frameId === target) wanted.add(url)
    },
    'Page.lifecycleEvent': ({name, loaderId}: {name: string; loaderId: string}) => {
      if (name === 'firstPaint') api.emit('first-paint')
      if (name !== 'load') return
      loaded.add(loaderId)
      loads.get(loaderId)?.resolve()
    },
    'Runtime.executionContextCreated': ({
      context,
    }: {
      context: {id: number; name: string; auxData: {frameId: string}}
    }) => {
      if (context.name === WORLD) worlds.set(context.id, context.auxData.frameId)
    },
    'Runtime.executionContextDestroyed': ({executionContextId}: {executionContextId: number}) =>
      worlds.delete(executionContextId),
    'Runtime.executionContextsCleared': () => worlds.clear(),
    'Inspector.targetCrashed': () => {
      worlds.clear()
      api.emit('render-process-gone', {}, {reason: 'crashed', exitCode: CRASHED})
    },
    'Runtime.bindingCalled': ({
      name,
      payload,
      executionContextId,
    }: {
      name: string
      payload: string
      executionContextId: number
    }) => {
      if (name === names.toMain) void answerInvoke(executionContextId, payload)
    },
    // A page that closes or goes on leaves its requests unanswered.
    'Fetch.requestPaused': (paused: Params) => void answerRequest(paused).catch(() => {}),
  }

  return {
    api,
    attach: async (attached) => {
      target = attached.target
      frames.set(target, {url: '', parent: undefined})
      page.resolve(attached)
      await Promise.all([
        send('Page.enable'),
        send('Inspector.enable'),
        send('Runtime.enable'),
        send('Page.setLifecycleEventsEnabled', {enabled: true}),
        send('Fetch.enable', {patterns: PAUSED}),
        send('Runtime.addBinding', {name: names.toMain, executionContextName: WORLD}),
        ...preloadScripts(preferences, names, api).map((script) =>
          send('Page.addScriptToEvaluateOnNewDocument', script),
        ),
        send('Runtime.runIfWaitingForDebugger'),
      ])
      readied.resolve()
    },
    mayOpen: (url) => (openHandler?.({url}) ?? {action: 'allow'}).action === 'allow',
    receive: ({method, params}) => receivers[method]?.(params as never), // each takes what Chromium sends under that name
    load: async (url) => {
      await readied.promise
      loading += 1
      const navigated = send('Page.navigate', {url: schemes.toBrowser(url)}).finally(() => (loading -= 1))
      const {errorText, loaderId} = await navigated
      if (errorText !== undefined) throw new Error(`${String(errorText)} loading '${url}'`)
      await untilLoaded(String(loaderId))
      api.emit('did-finish-load')
    },
    destroyed: () => {
      gone = true
      for (const load of loads.values()) load.reject(new Error('the window was closed'))
      api.emit('destroyed')
    },
  }
}
