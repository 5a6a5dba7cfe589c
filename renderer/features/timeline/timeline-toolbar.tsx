import type {ReactElement} from 'react'
import {duration} from '../../ui/format.ts'
import {following, spanOf, type TimelineView, withSpan, zoomBy} from './timeline-view.ts'
import type {ChangeView} from './use-timeline-view.ts'

export interface TimelineToolbarProps {
  readonly title: string
  readonly which: string | undefined
  readonly status: string | undefined
  readonly view: TimelineView
  readonly change: ChangeView
  readonly tableShown: boolean
  readonly onTable: () => void
}

const SPANS_MS = [10_000, 60_000, 600_000, 3_600_000, 86_400_000]

export function TimelineToolbar(props: TimelineToolbarProps): ReactElement {
  const {title, which, status} = props
  return (
    <div className="timeline-toolbar small" role="toolbar" aria-label="Timeline">
      <span className="timeline-head">
        <strong className="timeline-title" title={title}>
          {title}
        </strong>
        {which !== undefined && (
          <span className="muted timeline-status" title={which}>
            {which}
          </span>
        )}
        {status !== undefined && <span className="muted timeline-status">{status}</span>}
      </span>
      <TimelineControls {...props} />
    </div>
  )
}

/** In one piece: where there is no room beside the name, they stand below it. */
function TimelineControls({view, change, tableShown, onTable}: TimelineToolbarProps): ReactElement {
  const span = spanOf(view)
  return (
    <span className="timeline-controls">
      {view.kind === 'scrubbed' && (
        <button type="button" className="timeline-button timeline-live" onClick={() => change(following)}>
          Back to live
        </button>
      )}
      <span className="muted timeline-axis">time axis</span>
      {SPANS_MS.map((ms) => (
        <button
          key={ms}
          type="button"
          className="timeline-button"
          aria-pressed={Math.abs(span - ms) < 1}
          onClick={() => change((held) => withSpan(held, ms))}
        >
          {duration(ms)}
        </button>
      ))}
      <span className="mono timeline-span" title="what the window spans">
        {SPANS_MS.some((ms) => Math.abs(span - ms) < 1) ? '' : duration(span)}
      </span>
      <button
        type="button"
        className="timeline-button"
        aria-label="Zoom out"
        onClick={() => change((v) => zoomBy(v, 1 / 2))}
      >
        −
      </button>
      <button
        type="button"
        className="timeline-button"
        aria-label="Zoom in"
        onClick={() => change((v) => zoomBy(v, 2))}
      >
        +
      </button>
      <button type="button" className="timeline-button" aria-pressed={tableShown} onClick={onTable}>
        table
      </button>
    </span>
  )
}
