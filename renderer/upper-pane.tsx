import type {KeyboardEvent, ReactElement} from 'react'
import {Callbacks} from './features/callbacks/callbacks.tsx'
import {Gaps} from './features/gaps/gaps.tsx'
import {Timeline} from './features/timeline/timeline.tsx'
import {gapCount, holeCount, unsettledCallbacks} from './state/selectors.ts'
import {useApp, useAppContext} from './state/use-app.ts'
import type {Tab} from './state/view-slice.ts'
import {count, counted} from './ui/format.ts'
import './upper-pane.css'

const TABS: readonly Tab[] = ['timeline', 'gaps', 'callbacks']

export function UpperPane(): ReactElement {
  const tab = useApp((state) => state.tab)
  const labels = useLabels()
  const {setTab} = useAppContext().store.getState()
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]
    if (by === 0 || next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <section className="upper" aria-label={labels[tab]}>
      <div className="tabs" role="tablist" aria-label="Views of the streams">
        {TABS.map((name) => (
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
        {tab === 'timeline' ? <Timeline /> : tab === 'gaps' ? <Gaps /> : <Callbacks />}
      </div>
    </section>
  )
}

function useLabels(): {readonly [T in Tab]: string} {
  const gaps = useApp(gapCount)
  const holes = useApp(holeCount)
  const callbacks = useApp(unsettledCallbacks)
  const seen = holes === 0 ? '' : ` · ${counted(holes, 'hole')}`
  return {timeline: 'Timeline', gaps: `Gaps ${count(gaps)}${seen}`, callbacks: `Callbacks ${count(callbacks)} open`}
}
