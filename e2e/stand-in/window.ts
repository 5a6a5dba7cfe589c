import {EventEmitter} from 'node:events'
import {type AttachedPage, type ContentsDeps, createContents, type WebPreferences} from './contents.ts'
import type {DevtoolsEvent, Params} from './devtools.ts'
import {lacking} from './lacking.ts'
import {emitPreventable} from './preventable.ts'

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface WindowOptions extends Partial<Bounds> {
  readonly title?: string
  readonly show?: boolean
  readonly minWidth?: number
  readonly minHeight?: number
  readonly backgroundColor?: string
  readonly webPreferences?: Partial<WebPreferences>
}

const OPTIONS = 'title show x y width height minWidth minHeight backgroundColor webPreferences'.split(' ')
const PREFERENCES = 'preload contextIsolation sandbox nodeIntegration webviewTag'.split(' ')
const DEFAULTS: WebPreferences = {contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false}

/** Chromium's tab strip, which a window of Electron has none of, in px. */
const TAB_STRIP = 87
/** The one display there is. */
export const DISPLAY: Bounds = {x: 0, y: 0, width: 1920, height: 1080}

export type WindowApi = ReturnType<typeof createApi>['api']

/** A window: a page of the browser, and what the app was told about its place. */
export interface OpenWindow {
  /** What an app sees. */
  readonly api: WindowApi
  readonly target: () => string | undefined
  readonly session: () => string | undefined
  readonly attach: (page: AttachedPage, early: readonly DevtoolsEvent[]) => Promise<void>
  readonly receive: (event: DevtoolsEvent) => void
  readonly mayOpen: () => boolean
  readonly gone: () => void
}

/** @param forget - called when the app closed it */
export function openWindow(options: WindowOptions, deps: ContentsDeps, forget: () => void): OpenWindow {
  refuseUnknown(options)
  let page: AttachedPage | undefined
  const closeTarget = (): void => {
    if (page !== undefined) void deps.devtools.send('Target.closeTarget', {targetId: page.target}).catch(() => {})
    forget()
  }
  const front = (): void => {
    if (page !== undefined) void deps.devtools.send('Page.bringToFront', {}, page.sessionId).catch(() => {})
  }
  const contents = createContents({...DEFAULTS, ...options.webPreferences}, () => created.api.close(), deps)
  const created = createApi(options, contents, {closeTarget, front})
  contents.api.once('first-paint', () => created.api.emit('ready-to-show'))
  return {
    api: created.api,
    target: () => page?.target,
    session: () => page?.sessionId,
    mayOpen: () => contents.mayOpen(''),
    receive: contents.receive,
    attach: async (attached, early) => {
      page = attached
      if (created.api.isDestroyed()) return closeTarget()
      for (const event of early) contents.receive(event)
      await contents.attach(attached)
    },
    gone: created.gone,
  }
}

/** What the browser is asked for. */
export function newTarget({x, y, width = 800, height = 600}: WindowOptions): Params {
  const place = x === undefined || y === undefined ? {} : {left: x, top: y}
  return {url: 'about:blank', newWindow: true, width, height: height + TAB_STRIP, ...place}
}

interface Doing {
  readonly closeTarget: () => void
  readonly front: () => void
}

function createApi(options: WindowOptions, contents: ReturnType<typeof createContents>, {closeTarget, front}: Doing) {
  const {x = 240, y = 90, width = 800, height = 600, show = true} = options
  let bounds: Bounds = {x, y, width, height}
  const is = {destroyed: false, visible: show, minimized: false, maximized: false, focused: show}
  const events = new EventEmitter()
  const become = (state: Partial<typeof is>, event: string): void => {
    Object.assign(is, state)
    events.emit(event)
  }
  const api = lacking(
    'BrowserWindow',
    Object.assign(events, {
      webContents: contents.api,
      isDestroyed: () => is.destroyed,
      isVisible: () => is.visible && !is.minimized,
      isMinimized: () => is.minimized,
      isMaximized: () => is.maximized,
      isFocused: () => is.focused,
      getBounds: (): Bounds => (is.maximized ? DISPLAY : bounds),
      getNormalBounds: (): Bounds => bounds,
      setBounds: (to: Partial<Bounds>) => {
        bounds = {...bounds, ...to}
        events.emit('resize')
      },
      show: () => become({visible: true, focused: true}, 'show'),
      hide: () => become({visible: false, focused: false}, 'hide'),
      minimize: () => become({minimized: true, focused: false}, 'minimize'),
      restore: () => become({minimized: false}, 'restore'),
      maximize: () => become({maximized: true, visible: true}, 'maximize'),
      blur: () => become({focused: false}, 'blur'),
      focus: () => {
        front()
        become({focused: true}, 'focus')
      },
      loadURL: (url: string) => contents.load(url),
      close: () => {
        if (emitPreventable(events, 'close') && !is.destroyed) closeTarget()
      },
      destroy: () => closeTarget(),
    }),
  )
  const gone = (): void => {
    is.destroyed = true
    contents.destroyed()
    events.emit('closed')
  }
  return {api, gone}
}

function refuseUnknown(options: WindowOptions): void {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw new Error(`the stand-in for Electron has no option ${name} of a BrowserWindow`)
  for (const name of Object.keys(options.webPreferences ?? {}))
    if (!PREFERENCES.includes(name)) throw new Error(`the stand-in for Electron has no web preference ${name}`)
}
