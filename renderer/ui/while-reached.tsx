import type {ReactElement, ReactNode} from 'react'
import {useApp} from '../state/use-app.ts'
import './while-reached.css'

/**
 * What needs the engine: off while it is not reached, and it says so. What was typed into it stays.
 */
export function WhileReached({children}: {readonly children: ReactNode}): ReactElement {
  const reached = useApp((state) => state.link.kind === 'ready')
  return (
    <fieldset className="while-reached" disabled={!reached}>
      {reached ? null : (
        <p className="tone-rejected small" role="status">
          The engine is not reached: nothing can be asked of it here until it is.
        </p>
      )}
      {children}
    </fieldset>
  )
}
