import type {ReactElement} from 'react'
import {explainPageEnd} from '../shared/words/explain-page-end.ts'
import './notifications.css'
import {useApp, useAppContext} from './state/use-app.ts'

/** That the page before this one ended by itself, until it is put away. */
export function PageEnd(): ReactElement | null {
  const {store} = useAppContext()
  const reason = useApp((state) => state.endedBefore)
  if (reason === undefined) return null
  const {title, detail, whatToDo} = explainPageEnd(reason)
  return (
    <div className="notification" role="status">
      <p className="notification-title">{title}</p>
      <p>
        {detail} {whatToDo}
      </p>
      <button
        type="button"
        className="close-button"
        aria-label={`Put away: ${title}`}
        onClick={() => store.getState().setEndedBefore(undefined)}
      >
        ×
      </button>
    </div>
  )
}
