import {type ReactElement, useMemo} from 'react'
import {listedOutcome} from '../../../shared/contract/listed-outcome.ts'
import {GENERATION} from '../../../shared/cursor/cursor-position.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {nameLane} from '../../../shared/words/name-cursor.ts'
import {nameListed, searchWord} from '../../../shared/words/name-listed.ts'
import {ROWS_WAITING} from '../../../shared/words/name-waiting.ts'
import {withKey} from '../../state/parse-query.ts'
import {storedFrames} from '../../state/selectors.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {count, counted} from '../../ui/format.ts'

export function EventsBar(): ReactElement {
  const {actions} = useAppContext()
  const following = useApp((state) => state.live && !state.listFrozen)
  const waiting = useApp((state) => state.listWaiting)
  const broken = useApp((state) => state.listBroken)
  const follow = () => actions.setLive(true)
  return (
    <div className="events-bar">
      <button
        type="button"
        className={following ? 'button button-on' : 'button'}
        aria-pressed={following}
        onClick={follow}
      >
        Follow
      </button>
      {waiting > 0 || broken ? (
        <button type="button" className="button button-primary" title={ROWS_WAITING.meaning} onClick={follow}>
          {waiting > 0 ? `${count(waiting)} ${ROWS_WAITING.word}` : 'To the newest'}
        </button>
      ) : null}
      <ListSize />
      <Filters />
      <span className="events-bar-space" />
      <span className="muted small events-keys">j k move · space pause · g gaps · . moment</span>
    </div>
  )
}

/** How many rows the list holds, of how many, and what of it is not here. */
function ListSize(): ReactElement {
  const {actions} = useAppContext()
  const version = useApp((state) => state.listVersion)
  const rows = useApp((state) => state.list.rows)
  const total = useApp(storedFrames)
  const narrowed = useApp(
    ({filter}) =>
      filter.outcomes !== undefined ||
      filter.lane !== undefined ||
      filter.texts !== undefined ||
      filter.from !== undefined ||
      filter.to !== undefined,
  )
  const frozen = useApp((state) => state.listFrozen)
  const waiting = useApp((state) => state.listWaiting)
  const leftOut = useApp((state) => state.listLeftOut)
  const status = useApp((state) => state.listStatus)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is changed in place, and its version says so
  const shown = useMemo(() => rows.length, [rows, version])
  return (
    <span className="muted events-size">
      {narrowed
        ? `${counted(shown, 'match', 'matches')} listed`
        : `${count(shown)} of ${count(Math.max(total, shown))}`}
      {frozen && waiting === 0 ? ` · 0 ${ROWS_WAITING.word}` : ''}
      {status.kind === 'loading' ? ' · asking for more' : ''}
      {status.kind === 'failed' ? (
        <span className="tone-rejected"> · {explainRequestError(status.error).title}</span>
      ) : null}
      {leftOut > 0 ? (
        <button type="button" className="events-left-out tone-pending" onClick={() => void actions.reloadList()}>
          {count(leftOut)} came too fast to list: list again
        </button>
      ) : null}
    </span>
  )
}

function Filters(): ReactElement {
  const {store} = useAppContext()
  const lane = useApp((state) => state.filter.lane)
  const outcomes = useApp((state) => state.filter.outcomes)
  const sources = useApp((state) => state.sources)
  const scope = useApp((state) => state.scope)
  const lanes = useMemo(
    () =>
      lanesOf(
        [...sources.values()].filter(({id}) => scope === undefined || id === scope),
        lane,
      ),
    [sources, scope, lane],
  )
  const narrow = (key: 'lane' | 'outcome', value: string) => {
    const {query, setQuery} = store.getState()
    setQuery(withKey(query, key, value === '' ? undefined : value))
  }
  return (
    <span className="events-filters">
      <select aria-label="Lane" value={lane ?? ''} onChange={(event) => narrow('lane', event.target.value)}>
        <option value="">all lanes</option>
        {lanes.map((name) => (
          <option key={name} value={name}>
            {nameLane(name)}
          </option>
        ))}
      </select>
      <select
        aria-label="Outcome"
        value={outcomes?.map(searchWord).join(',') ?? ''}
        onChange={(event) => narrow('outcome', event.target.value)}
      >
        <option value="">all outcomes</option>
        {outcomes !== undefined && outcomes.length > 1 ? (
          <option value={outcomes.map(searchWord).join(',')}>
            {outcomes.map((listed) => nameListed(listed).word).join(', ')}
          </option>
        ) : null}
        {listedOutcome.options.map((listed) => (
          <option key={listed} value={searchWord(listed)}>
            {nameListed(listed).word}
          </option>
        ))}
      </select>
    </span>
  )
}

/**
 * No frame stands on the lane of the numbers of generations; a name with a quotation mark cannot be typed in a search.
 */
function lanesOf(
  views: ReadonlyArray<{readonly position: ReadonlyArray<readonly [string, number]>}>,
  current: string | undefined,
): readonly string[] {
  const names = new Set(
    views
      .flatMap(({position}) => position.map(([key]) => key))
      .filter((key) => !key.includes('"') && key !== GENERATION),
  )
  if (current !== undefined) names.add(current)
  return [...names]
}
