import type {ReactElement} from 'react'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {explainEnding} from '../../../shared/words/explain.ts'
import {explainHeld} from '../../../shared/words/explain-held.ts'
import {wholeCursor} from '../../../shared/words/name-cursor.ts'
import {nameSessionState} from '../../../shared/words/name-daemon.ts'
import {
  isAttached,
  nameConnection,
  nameNotice,
  nameRejections,
  nameSourceKind,
} from '../../../shared/words/name-state.ts'
import {STANDING_BY} from '../../../shared/words/name-waiting.ts'
import type {Attention} from '../../state/attention.ts'
import {shownSource} from '../../state/selectors.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {age, countdown, counted, cursorOfPairs, duration, shortPosition} from '../../ui/format.ts'

export interface BoardItemProps {
  readonly view: SourceView
  readonly tone: Attention['tone']
}

export function BoardItem({view, tone}: BoardItemProps): ReactElement {
  const {store} = useAppContext()
  const shown = useApp((state) => shownSource(state) === view.id)
  const choose = () => {
    const {selectSource, setAddingSource} = store.getState()
    selectSource(view.id)
    setAddingSource(false)
  }
  return (
    <li>
      <button type="button" className="board-item" aria-current={shown ? 'true' : undefined} onClick={choose}>
        <Edge tone={tone} />
        <span className="board-line">
          <span className="board-name">{view.name}</span>
          <span className="muted small">{nameSourceKind(view.demo ? 'demo' : view.settings.kind)}</span>
        </span>
        <ConnectionLine view={view} />
        <SessionLine view={view} />
        <span className="board-line board-line-wraps">
          <span className="mono" title={wholePosition(view)}>
            {shortPosition(view.position, view.coordinates)}
          </span>
          <LastByte at={view.lastByteAt} />
        </span>
        <Losses view={view} />
        <Reason view={view} tone={tone} />
      </button>
    </li>
  )
}

/** Colour and shape of the left edge: whole where calm, broken where waiting, notched where lost, blocks where stopped. */
function Edge({tone}: {readonly tone: Attention['tone']}): ReactElement {
  return <span className={`board-edge board-edge-${tone} tone-${tone}`} aria-hidden="true" />
}

/** The two signals, and what the source does about them. */
function ConnectionLine({view}: {readonly view: SourceView}): ReactElement {
  const now = useApp((state) => (view.connection.state === 'waiting' ? state.now : 0))
  const {stream, heartbeat, doing} = nameConnection(view.connection, view.readsOn)
  const {at, delayMs} = view.connection
  const action = doing === STANDING_BY && delayMs !== undefined ? `retry in ${countdown(at + delayMs - now)}` : doing
  return (
    <span className="muted small">
      {heartbeat === undefined ? stream : `${stream} × ${heartbeat}`}
      {action === undefined ? '' : ` · ${action}`}
    </span>
  )
}

/** The whole name of a generation is too long for the board. */
function wholePosition({position}: SourceView): string | undefined {
  const cursor = cursorOfPairs(position)
  return cursor === undefined ? undefined : wholeCursor(cursor)
}

/** What the watched session does, and how many watch it: of the daemon's last list. While nothing is attached it may be long over. */
function SessionLine({view}: {readonly view: SourceView}): ReactElement | null {
  const {session} = view
  if (session?.state === undefined || !isAttached(view)) return null
  const {word, meaning} = nameSessionState(session.state)
  const clients = session.attachedClients
  return (
    <span className="muted small" title={meaning}>
      {word}
      {clients === undefined ? '' : ` · ${counted(clients, 'client')} attached`}
    </span>
  )
}

function LastByte({at}: {readonly at: number | undefined}): ReactElement {
  const now = useApp((state) => state.now)
  return (
    <span className="muted small" title="Age of the last byte received">
      {at === undefined ? 'no byte yet' : `byte ${age(now - at)} ago`}
    </span>
  )
}

function Losses({view}: {readonly view: SourceView}): ReactElement | null {
  const now = useApp((state) => (view.openAttempt === undefined ? 0 : state.now))
  const {counts, openAttempt} = view
  const parts: ReactElement[] = []
  if (counts.gaps > 0)
    parts.push(
      <span key="gaps" className="tone-gap" title="Losses the server has declared, in all">
        {counted(counts.gaps, 'gap')} declared
      </span>,
    )
  if (counts.holes > 0)
    parts.push(
      <span
        key="holes"
        className="tone-pending"
        title="Numbers never seen, as we observed: to be explained, not yet a loss"
      >
        {counted(counts.holes, 'hole')} seen
      </span>,
    )
  if (openAttempt !== undefined)
    parts.push(
      <span key="pending" className="tone-pending">
        1 pending {duration(now - openAttempt.startedAt)}
      </span>,
    )
  if (counts.rejected > 0) parts.push(<Rejections key="rejected" rejected={counts.rejected} open={view.rejectedOpen} />)
  return parts.length === 0 ? null : <span className="board-losses small">{parts}</span>
}

/** In colour only while something of it is open. */
function Rejections({rejected, open}: {readonly rejected: number; readonly open: number}): ReactElement {
  const {word, meaning} = nameRejections(rejected, open)
  return (
    <span className={open > 0 ? 'tone-rejected' : 'muted'} title={meaning}>
      {word}
    </span>
  )
}

/** Why it does not stand as it should, in one line; the whole is in the inspector. */
function Reason({view, tone}: BoardItemProps): ReactElement | null {
  const {because, state} = view.connection
  const notice = view.notices[0]
  if (state === 'held') return <span className="small board-reason tone-stopped">{explainHeld(because).title}</span>
  if (because !== undefined && state !== 'live' && because.kind !== 'asked')
    return <span className={`small board-reason tone-${tone}`}>{explainEnding(because).title}</span>
  if (notice === undefined) return null
  return <span className="small board-reason tone-waiting">{nameNotice(notice.kind).word}</span>
}
