import type {ReactElement} from 'react'
import './app.css'
import {OLD_ADDRESS} from '../shared/words/explain-page-end.ts'
import {AddSource} from './features/add-source/add-source.tsx'
import {Board} from './features/board/board.tsx'
import {Events} from './features/events/events.tsx'
import {Handlers} from './features/handlers/handlers.tsx'
import {Inspector} from './features/inspector/inspector.tsx'
import {SourceDetail} from './features/source-detail/source-detail.tsx'
import {KeysOverlay} from './keys-overlay.tsx'
import {LeaveRow} from './leave-row.tsx'
import {Notifications} from './notifications.tsx'
import {useApp} from './state/use-app.ts'
import {StatusBar} from './status-bar.tsx'
import {TopBar} from './top-bar.tsx'
import {Explained} from './ui/explained.tsx'
import {UpperPane} from './upper-pane.tsx'
import {useKeys} from './use-keys.ts'

export function App(): ReactElement {
  useKeys()
  const adding = useApp((state) => state.addingSource)
  const changing = useApp((state) => state.changing !== undefined)
  const empty = useApp((state) => state.sourcesKnown && state.sources.size === 0)
  const chosen = useApp((state) => state.selectedSource !== undefined)
  const frameChosen = useApp((state) => state.selectedFrame !== undefined)
  const turnedAway = useApp((state) => state.link.kind === 'refused' && !state.sourcesKnown)
  const keysShown = useApp((state) => state.keysShown)
  return (
    <div className="app" data-chosen={chosen && !adding && !empty} data-adding={adding || empty}>
      <TopBar />
      <Board />
      <main className="centre" aria-label={changing ? 'Change a source' : adding || empty ? 'Add a source' : 'Streams'}>
        {turnedAway ? (
          <TurnedAway />
        ) : adding || empty ? (
          <AddSource />
        ) : (
          <>
            <UpperPane />
            <Events />
          </>
        )}
      </main>
      {adding || empty || turnedAway ? null : (
        <aside className="side" aria-label="Inspector">
          {frameChosen ? <Inspector /> : chosen ? <SourceDetail handlers={<Handlers />} /> : <NothingChosen />}
        </aside>
      )}
      <StatusBar />
      <Notifications />
      <LeaveRow />
      {keysShown ? <KeysOverlay /> : null}
    </div>
  )
}

/** Nothing was ever told to this page, so nothing is said of any source. */
function TurnedAway(): ReactElement {
  return (
    <div className="turned-away">
      <Explained explanation={OLD_ADDRESS} />
    </div>
  )
}

function NothingChosen(): ReactElement {
  return (
    <p className="muted nothing-chosen">
      Choose a source, an event or a gap: what is known of it stands here, with the bytes as they came.
    </p>
  )
}
