import type {ReactElement} from 'react'
import type {Explanation} from '../../shared/words/explanation.ts'
import './explained.css'

export interface ExplainedProps {
  readonly explanation: Explanation
  readonly tone?: 'stopped' | 'waiting' | 'plain'
  /** Read out at once, where it answers something the user just did. */
  readonly urgent?: boolean
}

/** A failure in words, as an inline block: what happened, what was said, what Tidemark does, what the user can do. */
export function Explained({explanation, tone = 'stopped', urgent = false}: ExplainedProps): ReactElement {
  const {title, said, detail, whatToDo} = explanation
  return (
    <div className={`explained explained-${tone}`} role={urgent ? 'alert' : undefined}>
      <p className="explained-title">{title}</p>
      {said === undefined ? null : <p className="mono explained-said">{said}</p>}
      <p>
        {detail} {whatToDo}
      </p>
    </div>
  )
}
