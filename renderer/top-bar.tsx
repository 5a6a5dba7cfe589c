import {type ReactElement, useEffect, useRef, useState} from 'react'
import {explainSearch} from '../shared/words/explain-search.ts'
import {nameFollowing} from '../shared/words/name-following.ts'
import {leave} from './state/leave.ts'
import {moveSelection} from './state/move-selection.ts'
import {parseQuery} from './state/parse-query.ts'
import {followingOf} from './state/selectors.ts'
import {useApp, useAppContext, useBoardRows} from './state/use-app.ts'
import {clockOf, clockTime, nearTime} from './ui/format.ts'
import './top-bar.css'

export function TopBar(): ReactElement {
  const {store} = useAppContext()
  const attention = useBoardRows().filter((row) => row.attention.rank > 0).length
  const adding = useApp((state) => state.addingSource)
  const known = useApp((state) => state.sourcesKnown)
  const {setAddingSource, setKeysShown} = store.getState()
  return (
    <header className="top-bar">
      <h1 className="brand">Tidemark</h1>
      <LiveButton />
      <MomentField />
      <SearchField />
      <span className="top-bar-space" />
      <span className="muted top-bar-attention" role="status">
        {known
          ? attention === 0
            ? 'none needs attention'
            : `${attention} need${attention === 1 ? 's' : ''} attention`
          : ''}
      </span>
      <button
        type="button"
        className={adding ? 'button button-on' : 'button'}
        aria-pressed={adding}
        onClick={() => (adding ? leave(store, 'addSource') : setAddingSource(true))}
      >
        + Source
      </button>
      <button type="button" className="button" aria-label="All keys" onClick={() => setKeysShown(true)}>
        ?
      </button>
    </header>
  )
}

/** Lit only while everything on screen goes along with what arrives. */
function LiveButton(): ReactElement {
  const {actions} = useAppContext()
  const following = useApp(followingOf)
  const live = useApp((state) => state.live)
  const {sign, word, meaning} = nameFollowing(following)
  return (
    <button
      type="button"
      className={following === 'all' ? 'button button-on' : 'button'}
      aria-pressed={following === 'all'}
      title={meaning}
      onClick={() => actions.setLive(!live || following === 'notTheList')}
    >
      <span aria-hidden="true">{sign} </span>
      {word}
    </button>
  )
}

/** The instant of the selection, with steps to the frames beside it. */
function MomentField(): ReactElement {
  const {store} = useAppContext()
  const moment = useApp((state) => state.moment)
  const now = useApp((state) => (state.moment === undefined ? 0 : state.now))
  return (
    <fieldset className="moment" aria-label="Moment of the selection">
      <button type="button" aria-label="To the next older frame" onClick={() => moveSelection(store, 'older')}>
        ◀
      </button>
      <span className="moment-time mono" title={moment === undefined ? undefined : nearTime(moment, now)}>
        {moment === undefined ? 'no moment chosen' : clockTime(moment)}
      </span>
      <button type="button" aria-label="To the next newer frame" onClick={() => moveSelection(store, 'newer')}>
        ▶
      </button>
    </fieldset>
  )
}

/** How long the field waits for the next letter before it searches, in ms. */
const TYPING_MS = 200

function SearchField(): ReactElement {
  const {store} = useAppContext()
  const query = useApp((state) => state.query)
  const [typed, setTyped] = useState(query)
  const [before, setBefore] = useState(query)
  const timer = useRef<number | undefined>(undefined)
  if (query !== before) {
    // Set elsewhere, by a filter of the list.
    setBefore(query)
    setTyped(query)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const remark = explainSearch(parseQuery(typed, clockOf(Date.now())))
  const search = (text: string) => {
    setTyped(text)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => store.getState().setQuery(text.trim()), TYPING_MS)
  }
  return (
    <search className="search">
      <input
        className="field"
        id="search"
        type="text"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        placeholder="room:room-a outcome:rejected after:16:00 text"
        aria-label="Search events"
        aria-invalid={remark?.wrong === true}
        aria-describedby={remark === undefined ? undefined : 'search-problem'}
        onChange={(event) => search(event.target.value)}
      />
      {remark === undefined ? null : (
        <span id="search-problem" className={`search-problem small ${remark.wrong ? 'tone-pending' : 'muted'}`}>
          {remark.words}
        </span>
      )}
    </search>
  )
}
