import {type ReactElement, useEffect} from 'react'
import {Note} from './note.tsx'
import './notifications.css'
import {PageEnd} from './page-end.tsx'
import type {NotificationRow} from './state/notifications-slice.ts'
import {useActions, useApp, useAppContext} from './state/use-app.ts'

/** What handlers wanted the user told, and what befell the page, until it is put away. */
export function Notifications(): ReactElement | null {
  const notifications = useApp((state) => state.notifications)
  const ended = useApp((state) => state.endedBefore !== undefined)
  if (notifications.length === 0 && !ended) return null
  return (
    <section className="notifications" aria-label="Notifications" aria-live="polite">
      <PageEnd />
      {notifications.map((notification) => (
        <Notification key={notification.id} notification={notification} />
      ))}
    </section>
  )
}

function Notification({notification}: {readonly notification: NotificationRow}): ReactElement {
  const {store} = useAppContext()
  const {request} = useActions()
  const {id, title, body} = notification
  // Only once it is on screen: until then the handler has not shown anything.
  useEffect(() => void request('notifications.shown', {id}), [request, id])
  return (
    <Note title={title} onPutAway={() => store.getState().dismissNotification(id)}>
      {body}
    </Note>
  )
}
