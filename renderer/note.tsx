import type {ReactElement, ReactNode} from 'react'

export interface NoteProps {
  readonly title: string
  readonly children: ReactNode
  readonly onPutAway: () => void
}

/** Something the user is told at the edge of the screen, until they put it away. */
export function Note({title, children, onPutAway}: NoteProps): ReactElement {
  return (
    <div className="notification">
      <p className="notification-title">{title}</p>
      <p>{children}</p>
      <button type="button" className="close-button" aria-label={`Put away: ${title}`} onClick={onPutAway}>
        ×
      </button>
    </div>
  )
}
