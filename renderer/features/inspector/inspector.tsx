import type {ReactElement} from 'react'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {leave} from '../../state/leave.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {FrameView} from './frame-view.tsx'
import {GapView} from './gap-view.tsx'
import './inspector.css'

/** Everything that is known of the chosen frame. */
export function Inspector(): ReactElement {
  const {store} = useAppContext()
  const detail = useApp((state) => state.detail)
  const shown = 'shown' in detail ? detail.shown : undefined
  return (
    <div className="inspector">
      <button type="button" className="close-button" aria-label="Close the event" onClick={() => leave(store, 'event')}>
        ×
      </button>
      {detail.kind === 'failed' ? <Explained explanation={explainRequestError(detail.error)} /> : null}
      {shown === undefined ? (
        detail.kind === 'failed' ? null : (
          <p className="muted">Asking the engine for this event.</p>
        )
      ) : shown.gap === undefined ? (
        <FrameView detail={shown} />
      ) : (
        <GapView detail={shown} gap={shown.gap} />
      )}
    </div>
  )
}
