import {Notification} from 'electron'
import type {Notification as Told} from '../engine/handlers/notify.ts'

/** Shows a notification of the system. Resolves when the system says that it is shown; rejects where there is none, or it fails. */
export async function showNotification({title, body}: Told, until: AbortSignal): Promise<string> {
  if (!Notification.isSupported()) throw new Error('this system shows no notifications')
  const shown = new Notification({title, body})
  return new Promise((resolve, reject) => {
    // Also holds it: Electron forgets one that nothing in this process refers to, with its events.
    const giveUp = (): void => {
      shown.close()
      reject(new Error('the system did not say that it shows it'))
    }
    until.addEventListener('abort', giveUp, {once: true})
    shown.once('show', () => {
      until.removeEventListener('abort', giveUp)
      resolve('shown by the system')
    })
    shown.once('failed', (_event, why) => reject(new Error(why)))
    shown.show()
  })
}
