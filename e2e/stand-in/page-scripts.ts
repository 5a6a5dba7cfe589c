/* Two scripts that run in each document before its own: one in a world of its own, one in the page's. Sent as text. */

/** Names that both worlds and this process agree on; made anew for each window, so that no page can guess them. */
export interface PageNames {
  /** The isolated world's way to this process. */
  readonly toMain: string
  /** This process's way to the isolated world. */
  readonly fromMain: string
  /** What the two worlds call to each other on the document, at which they can both listen. */
  readonly between: string
}

/** The preload as a script that runs in a world apart from the page's. */
export function isolatedScript(names: PageNames, preload: string): string {
  return `(${inIsolatedWorld})(${JSON.stringify(names)}, function (exports, require, module) {${preload}\n})`
}

export function pageScript({between}: PageNames): string {
  return `(${inPage})(${JSON.stringify(between)})`
}

/** What came over a `contextBridge`: a value, a promise of one, or a function of the other side. */
interface Crossing {
  readonly kind: 'value' | 'promise' | 'function' | 'error'
  readonly value?: unknown
  readonly id?: number
}

type Call = (...args: unknown[]) => unknown
type Preload = (exports: object, require: (name: string) => unknown, module: object) => void
type Listener = (event: object, ...args: unknown[]) => void

function inIsolatedWorld(names: PageNames, preload: Preload): void {
  if (window.top !== window) return // a preload runs in the window's own page only
  const world = globalThis as unknown as Record<string, Call>
  const replies = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners = new Map<string, Set<Listener>>()
  const exposed = new Map<string, Readonly<Record<string, Call>>>()
  const returned: Call[] = []
  let lastId = 0
  const toMain = world[names.toMain]
  const lackingHere = (name: string, present: object): object =>
    new Proxy(present, {
      get: (target, key, receiver) => {
        if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, receiver)
        throw new Error(`the stand-in for Electron has no ${name}.${key}`)
      },
    })

  world[names.fromMain] = (text) => {
    const {reply, channel, args, error} = JSON.parse(String(text))
    if (channel !== undefined) {
      for (const listener of listeners.get(channel) ?? []) listener({sender: undefined}, ...args)
      return
    }
    const waiting = replies.get(reply)
    replies.delete(reply)
    if (error === undefined) waiting?.resolve(args[0])
    else waiting?.reject(new Error(error))
  }
  const ipcRenderer = lackingHere('ipcRenderer', {
    invoke: (channel: string, ...args: readonly unknown[]) => {
      const id = ++lastId
      const waiting = Promise.withResolvers()
      replies.set(id, waiting)
      toMain?.(JSON.stringify({id, channel, args}))
      return waiting.promise
    },
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    },
    off: (channel: string, listener: Listener) => void listeners.get(channel)?.delete(listener),
  })

  const tell = (what: string, detail: unknown): void => {
    document.dispatchEvent(new CustomEvent(`${names.between}-${what}`, {detail: JSON.stringify(detail)}))
  }
  const hear = (what: string, run: (detail: never) => void): void => {
    document.addEventListener(`${names.between}-${what}`, (event) => {
      run(JSON.parse((event as CustomEvent<string>).detail) as never) // our own words, from the page's script below
    })
  }
  const cross = (value: unknown, id: number): Crossing => {
    if (typeof value === 'function') return {kind: 'function', id: returned.push(value as Call) - 1}
    if (!(value instanceof Promise)) return {kind: 'value', value}
    value.then(
      (settled) => tell('settled', {id, value: settled}),
      (cause) => tell('settled', {id, error: cause instanceof Error ? cause.message : String(cause)}),
    )
    return {kind: 'promise'}
  }
  const run = (id: number, call: Call | undefined, args: readonly Crossing[]): void => {
    const here = args.map(({kind, value, id: theirs}) =>
      kind === 'function' ? (...given: unknown[]) => tell('callback', {id: theirs, args: given}) : value,
    )
    try {
      tell('returned', cross(call?.(...here), id))
    } catch (cause) {
      tell('returned', {kind: 'error', value: cause instanceof Error ? cause.message : String(cause)})
    }
  }
  hear('call', ({id, key, name, args}: {id: number; key: string; name: string; args: readonly Crossing[]}) =>
    run(id, exposed.get(key)?.[name], args),
  )
  hear('call-returned', ({id, of, args}: {id: number; of: number; args: readonly Crossing[]}) =>
    run(id, returned[of], args),
  )
  hear('hello', () => {
    for (const [key, api] of exposed) tell('exposed', {key, names: Object.keys(api)})
  })
  const contextBridge = lackingHere('contextBridge', {
    exposeInMainWorld: (key: string, api: Readonly<Record<string, Call>>) => {
      for (const [name, member] of Object.entries(api))
        if (typeof member !== 'function')
          throw new Error(`the stand-in for Electron exposes functions only: ${key}.${name}`)
      exposed.set(key, api)
      tell('exposed', {key, names: Object.keys(api)})
    },
  })
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer')
      return lackingHere('electron', {ipcRenderer, contextBridge})
    throw new Error(`module not found: ${name}`)
  }
  const module = {exports: {}}
  try {
    preload(module.exports, require, module)
  } catch (cause) {
    toMain?.(JSON.stringify({preloadError: cause instanceof Error ? cause.message : String(cause)}))
  }
}

function inPage(between: string): void {
  if (window.top !== window) return
  const promises = new Map<number, PromiseWithResolvers<unknown>>()
  const callbacks: Call[] = []
  let lastId = 0
  let returned: Crossing = {kind: 'value'}
  const tell = (what: string, detail: object): void => {
    document.dispatchEvent(new CustomEvent(`${between}-${what}`, {detail: JSON.stringify(detail)}))
  }
  const hear = (what: string, run: (detail: never) => void): void => {
    document.addEventListener(`${between}-${what}`, (event) => {
      run(JSON.parse((event as CustomEvent<string>).detail) as never) // our own words, from the other world's script
    })
  }
  hear('returned', (crossing: Crossing) => {
    returned = crossing
  })
  hear('callback', ({id, args}: {id: number; args: readonly unknown[]}) => callbacks[id]?.(...args))
  hear('settled', ({id, value, error}: {id: number; value?: unknown; error?: string}) => {
    const waiting = promises.get(id)
    promises.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  })
  const call = (what: 'call' | 'call-returned', target: object, args: readonly unknown[]): unknown => {
    const id = ++lastId
    const crossing = args.map((value) =>
      typeof value === 'function' ? {kind: 'function', id: callbacks.push(value as Call) - 1} : {kind: 'value', value},
    )
    const promise = Promise.withResolvers()
    promises.set(id, promise)
    tell(what, {id, ...target, args: crossing})
    const {kind, value, id: of} = returned // the other world answered before `tell` came back
    if (kind === 'promise') return promise.promise
    promises.delete(id)
    if (kind === 'error') throw new Error(String(value))
    return kind === 'function' ? (...later: unknown[]) => call('call-returned', {of}, later) : value
  }
  hear('exposed', ({key, names}: {key: string; names: readonly string[]}) => {
    if (Object.hasOwn(window, key)) return
    const api = Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call('call', {key, name}, args)]))
    Object.defineProperty(window, key, {value: Object.freeze(api), enumerable: true})
  })
  tell('hello', {})
}
