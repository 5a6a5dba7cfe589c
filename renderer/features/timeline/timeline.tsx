import type {ReactElement} from 'react'
import {oneOfAll} from '../../../shared/words/one-of-all.ts'
import {shownSource} from '../../state/selectors.ts'
import {useApp, useBoardRows} from '../../state/use-app.ts'
import {SourceTimeline} from './source-timeline.tsx'
import './timeline.css'

/** One source over time: the one that is shown, else the one that needs attention most, which is said. */
export function Timeline(): ReactElement {
  const sources = useApp((state) => state.sources)
  const shown = useApp(shownSource)
  const narrowed = useApp((state) => state.scope !== undefined)
  const rows = useBoardRows()
  const chosen = shown === undefined ? undefined : sources.get(shown)
  const source = chosen ?? rows[0]?.view
  return source === undefined ? (
    <p className="timeline-empty muted">No source yet. What a source does over time is drawn here.</p>
  ) : (
    <SourceTimeline source={source} which={narrowed ? undefined : oneOfAll(sources.size, chosen !== undefined)} />
  )
}
