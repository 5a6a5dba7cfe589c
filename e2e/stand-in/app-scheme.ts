import type {Devtools, Params} from './devtools.ts'

/** As an app gives it to `protocol.handle`. */
export type SchemeHandler = (request: Request) => Response | Promise<Response>

/** As an app registers it. */
export interface CustomScheme {
  readonly scheme: string
  readonly privileges?: Readonly<Record<string, boolean>>
}

/** The schemes of an app, which Chromium by itself knows nothing of. */
export interface AppSchemes {
  /** Called before the app is ready, as Electron demands. */
  readonly register: (scheme: CustomScheme) => void
  readonly handle: (scheme: string, handler: SchemeHandler) => void
  /** `app://tidemark/x` as the browser is told to load it; other addresses as they are. */
  readonly toBrowser: (url: string) => string
  /** And back: as the app knows it. */
  readonly toApp: (url: string) => string
  /** Answers a paused request, where it is for one of the schemes. */
  readonly answer: (paused: Params, sessionId: string, devtools: Devtools) => Promise<boolean>
}

/** No name under it exists, so that nothing else could ever answer. */
const SUFFIX = '.scheme.invalid'

/**
 * Chromium takes no new schemes, so `app://tidemark/` is loaded as `https://tidemark.app.scheme.invalid/`: a secure origin of
 * its own, as a registered scheme's is. What the page asks of it is answered by the app's own handler.
 */
export function createAppSchemes(): AppSchemes {
  const registered = new Map<string, {readonly mayFetch: boolean}>()
  const handlers = new Map<string, SchemeHandler>()
  const toApp = (url: string): string => {
    const {protocol, hostname, pathname, search, hash} = new URL(url)
    if (protocol !== 'https:' || !hostname.endsWith(SUFFIX)) return url
    const [, host, scheme] = /^(.*)\.([a-z]+)$/.exec(hostname.slice(0, -SUFFIX.length)) ?? []
    return scheme !== undefined && registered.has(scheme) ? `${scheme}://${host}${pathname}${search}${hash}` : url
  }
  return {
    register: ({scheme, privileges = {}}) => {
      registered.set(scheme, {mayFetch: mayFetch(scheme, privileges)})
    },
    handle: (scheme, handler) => {
      if (!registered.has(scheme)) throw new Error(`the scheme ${scheme} was not registered before the app was ready`)
      handlers.set(scheme, handler)
    },
    toBrowser: (url) => {
      const [, scheme, host, rest] = /^([a-z]+):\/\/([^/]*)(.*)$/.exec(url) ?? []
      return scheme !== undefined && registered.has(scheme) ? `https://${host}.${scheme}${SUFFIX}${rest}` : url
    },
    toApp,
    answer: async (paused, sessionId, devtools) => {
      const {requestId, request} = paused as unknown as PausedRequest // as Chromium's protocol has it
      const url = toApp(request.url)
      const handler = url === request.url ? undefined : handlers.get(new URL(url).protocol.slice(0, -1))
      if (handler === undefined) return false
      if (paused['resourceType'] === 'Fetch' && registered.get(new URL(url).protocol.slice(0, -1))?.mayFetch !== true) {
        await devtools.send('Fetch.failRequest', {requestId, errorReason: 'AccessDenied'}, sessionId)
        return true
      }
      const response = await handler(new Request(url, {method: request.method, headers: request.headers}))
      await devtools.send('Fetch.fulfillRequest', {requestId, ...(await asFulfilled(response))}, sessionId)
      return true
    },
  }
}

/** Electron lets a page `fetch` from a scheme only where that was asked for. What this one cannot be without, and has no more of, it says. */
function mayFetch(
  scheme: string,
  {standard, secure, supportFetchAPI = false, ...others}: CustomScheme['privileges'] & object,
): boolean {
  if (standard !== true || secure !== true)
    throw new Error(`the stand-in for Electron has no scheme ${scheme} that is not standard and secure`)
  for (const name of Object.keys(others))
    throw new Error(`the stand-in for Electron has no privilege ${name} of a scheme`)
  return supportFetchAPI
}

interface PausedRequest {
  readonly requestId: string
  readonly request: {readonly url: string; readonly method: string; readonly headers: Record<string, string>}
}

async function asFulfilled(response: Response): Promise<Params> {
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({name, value})),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}
