import type {ReactElement} from 'react'
import {useApp, useBoardRows} from '../../state/use-app.ts'
import {SourceTimeline} from './source-timeline.tsx'
import './timeline.css'

/** One source over time: the selected one, else the one that needs attention most. */
export function Timeline(): ReactElement {
  const sources = useApp((state) => state.sources)
  const selected = useApp((state) => state.selectedSource)
  const rows = useBoardRows()
  const source = (selected === undefined ? undefined : sources.get(selected)) ?? rows[0]?.view
  return source === undefined ? (
    <p className="timeline-empty muted">No source yet. What a source does over time is drawn here.</p>
  ) : (
    <SourceTimeline source={source} />
  )
}
