import {Notification} from 'electron'
import type {Notification as Told} from '../engine/handlers/notify.ts'

/** Shows a notification of the system. Resolves when the system says that it is shown; rejects where there is none, or it fails. */
export async function showNotification({title, body}: Told, until: AbortSignal): Promise<string> {
  if (!Notification.isSupported()) throw new Error('this system shows no notifications')
  return new Promise((resolve, reject) => {
    const shown = new Notification({title, body})
    shown.once('show', () => resolve('shown by the system'))
    shown.once('failed', (_event, why) => reject(new Error(why)))
    until.addEventListener('abort', () => reject(new Error('the system did not say that it shows it')), {once: true})
    shown.show()
  })
}
