import type {ReactElement} from 'react'
import {useApp, useAppContext, useBoardRows} from '../../state/use-app.ts'
import {clockTime} from '../../ui/format.ts'
import './board.css'
import {BoardItem} from './board-item.tsx'

/** All sources, what needs attention first. */
export function Board(): ReactElement {
  const {store} = useAppContext()
  const known = useApp((state) => state.sourcesKnown)
  const scope = useApp((state) => state.scope)
  const rows = useBoardRows()
  return (
    <nav className="board" aria-label="Sources">
      <div className="board-head">
        <h2>Sources</h2>
        <LastKnown />
        {scope === undefined ? null : (
          <button type="button" className="board-all" onClick={store.getState().showAll}>
            show all
          </button>
        )}
      </div>
      {known ? null : <p className="muted board-note">Not known yet: the engine has not answered.</p>}
      {known && rows.length === 0 ? <p className="muted board-note">None yet.</p> : null}
      <ul>
        {rows.map(({view, attention}) => (
          <BoardItem key={view.id} view={view} tone={attention.tone} />
        ))}
      </ul>
    </nav>
  )
}

/** While the engine is not reached, the board says so: what it shows may be over. */
function LastKnown(): ReactElement | null {
  const lost = useApp((state) => state.link.kind === 'lost' || state.link.kind === 'refused')
  const since = useApp((state) => state.lastHeard)
  if (!lost || since === undefined) return null
  return <span className="tone-rejected small">as of {clockTime(since)}</span>
}
