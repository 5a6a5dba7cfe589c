import type {Clock} from '../clock.ts'
import type {Notification, Notify} from './notify.ts'

/** As it goes out to the pages. */
export interface PageNotification extends Notification {
  readonly id: string
}

export interface PageNotifier {
  readonly notify: Notify
  /** A page says that it shows it. False where nobody waits for that. */
  readonly shown: (id: string) => boolean
}

/**
 * Shows notifications in the pages that are open. That one was sent says nothing: it is shown when a page says so.
 *
 * @param send - returns to how many listeners it goes
 */
export function createPageNotifier(
  {uuid}: Pick<Clock, 'uuid'>,
  send: (notification: PageNotification) => number,
): PageNotifier {
  const waiting = new Map<string, () => void>()
  return {
    async notify(notification, until) {
      const id = uuid()
      const {promise, resolve, reject} = Promise.withResolvers<void>()
      waiting.set(id, resolve)
      const late = (): void => reject(new Error('no page said that it shows it'))
      until.addEventListener('abort', late, {once: true})
      try {
        if (until.aborted) late()
        else if (send({...notification, id}) === 0)
          throw new Error('there is nobody to show it to: no page is open, and the desktop shows none')
        await promise
        return 'shown in a page'
      } finally {
        waiting.delete(id)
        until.removeEventListener('abort', late)
        promise.catch(() => {}) // told already, where it matters
      }
    },
    shown(id) {
      const resolve = waiting.get(id)
      resolve?.()
      return resolve !== undefined
    },
  }
}
