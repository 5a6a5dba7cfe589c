import {execFile} from 'node:child_process'
import type {Notification} from '../engine/handlers/notify.ts'
import {hasDisplay} from './has-display.ts'

/** Shows a notification by the desktop's own `notify-send`. Rejects where there is none, or it says no. */
export function notifySend({title, body}: Notification, until: AbortSignal): Promise<string> {
  if (process.platform !== 'linux' || !hasDisplay(process.platform, process.env))
    return Promise.reject(new Error('there is no desktop to show it on'))
  const args = ['--app-name=Tidemark', '--', title, body]
  return new Promise((resolve, reject) => {
    execFile('notify-send', args, {signal: until}, (cause) => {
      if (cause === null) resolve('shown by notify-send')
      else reject(cause)
    })
  })
}
