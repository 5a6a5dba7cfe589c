import type {KeyboardEvent, ReactElement} from 'react'
import {Callbacks} from './features/callbacks/callbacks.tsx'
import {Gaps} from './features/gaps/gaps.tsx'
import {History} from './features/history/history.tsx'
import {Timeline} from './features/timeline/timeline.tsx'
import {gapCount, historySource, holeCount, numberingCount, unsettledCallbacks} from './state/selectors.ts'
import {useApp, useAppContext} from './state/use-app.ts'
import type {Tab} from './state/view-slice.ts'
import {count, counted} from './ui/format.ts'
import './upper-pane.css'

const TABS: readonly Tab[] = ['timeline', 'gaps', 'callbacks']
const WITH_HISTORY: readonly Tab[] = [...TABS, 'history']

const VIEWS: {readonly [T in Tab]: () => ReactElement | null} = {
  timeline: Timeline,
  gaps: Gaps,
  callbacks: Callbacks,
  history: History,
}

export function UpperPane(): ReactElement {
  const asks = useApp((state) => historySource(state) !== undefined)
  const tabs = asks ? WITH_HISTORY : TABS
  const chosen = useApp((state) => state.tab)
  // Of a source without one, the history is not shown; the choice stays for the next that has one.
  const tab = tabs.includes(chosen) ? chosen : 'timeline'
  const View = VIEWS[tab]
  const labels = useLabels()
  const {setTab} = useAppContext().store.getState()
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]
    if (by === 0 || next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <section className="upper" aria-label={labels[tab]}>
      <div className="tabs" role="tablist" aria-label="Views of the streams">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="upper-view"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => setTab(name)}
            onKeyDown={move}
          >
            {labels[name]}
          </button>
        ))}
      </div>
      <div className="upper-view" id="upper-view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <View />
      </div>
    </section>
  )
}

function useLabels(): {readonly [T in Tab]: string} {
  const gaps = useApp(gapCount)
  const holes = useApp(holeCount)
  const callbacks = useApp(unsettledCallbacks)
  const seen = holes === 0 ? '' : ` · ${counted(holes, 'hole')}`
  const numberings = useApp(numberingCount)
  const decided = numberings === 0 ? '' : ` · ${counted(numberings, 'numbering')}`
  return {
    timeline: 'Timeline',
    gaps: `Gaps ${count(gaps)}${seen}${decided}`,
    callbacks: `Callbacks ${count(callbacks)} open`,
    history: 'History',
  }
}
