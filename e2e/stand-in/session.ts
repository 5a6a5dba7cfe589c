import {lacking} from './lacking.ts'

type RequestHandler = (contents: object | null, permission: string, answer: (granted: boolean) => void) => void
type CheckHandler = (contents: object | null, permission: string) => boolean

/** Permissions as Electron names them, beside Chromium's names for the same. */
const PERMISSIONS = [
  ['notifications', 'notifications'],
  ['geolocation', 'geolocation'],
  ['media', 'microphone'],
  ['media', 'camera'],
  ['midi', 'midi'],
  ['clipboard-read', 'clipboard-read'],
] as const

export interface Session {
  /** What an app sees. */
  readonly api: object
  /** What Chromium is told: the names it grants, and those it denies. */
  readonly permissions: () => {readonly granted: readonly string[]; readonly denied: readonly string[]}
}

/**
 * Electron grants whatever no handler speaks about; a request and a check are asked apart. Chromium knows one answer for both:
 * here a permission is denied only where both deny it.
 *
 * @param changed - called when a handler was set
 */
export function createSession(changed: () => void): Session {
  let request: RequestHandler | null = null
  let check: CheckHandler | null = null
  const grants = (permission: string): boolean => {
    let requested = true
    request?.(null, permission, (granted) => {
      requested = granted
    })
    return requested || (check?.(null, permission) ?? true)
  }
  return {
    api: lacking('Session', {
      setPermissionRequestHandler: (handler: RequestHandler | null) => {
        request = handler
        changed()
      },
      setPermissionCheckHandler: (handler: CheckHandler | null) => {
        check = handler
        changed()
      },
    }),
    permissions: () => ({
      granted: PERMISSIONS.filter(([name]) => grants(name)).map(([, name]) => name),
      denied: PERMISSIONS.filter(([name]) => !grants(name)).map(([, name]) => name),
    }),
  }
}
