import type {ReactElement} from 'react'
import type {ConnectionRow, SourceView} from '../../../shared/contract/rows.ts'
import type {StopReason} from '../../../shared/source/source-machine.ts'
import {explainEnding} from '../../../shared/words/explain.ts'
import {explainHeld} from '../../../shared/words/explain-held.ts'
import {nameConnection, nameNotice} from '../../../shared/words/name-state.ts'
import {sourceOfSession} from '../../state/selectors.ts'
import type {AppState} from '../../state/store.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {countdown, counted, duration, nearTime} from '../../ui/format.ts'
import {Facts, Section} from '../../ui/panel.tsx'

/** The connection as two signals, why it is not open, and what was noticed. */
export function ConnectionView({view}: {readonly view: SourceView}): ReactElement {
  const {store} = useAppContext()
  const now = useApp((state) => state.now)
  const {connection, openAttempt, lastByteAt} = view
  const {stream, heartbeat, doing} = nameConnection(connection, view.readsOn)
  const {because, frame} = connection
  return (
    <Section title="Connection">
      <Facts
        facts={[
          {
            name: 'Stream',
            value: `${stream}${doing === undefined ? '' : `, ${doing}`} since ${nearTime(connection.at, now)}${connection.state === 'held' ? ', as far as this start of Tidemark knows' : ''}`,
          },
          {name: 'Heartbeat', value: heartbeat ?? 'none is due'},
          {
            name: 'Last byte',
            value: lastByteAt === undefined ? 'none since Tidemark started' : `${duration(now - lastByteAt)} ago`,
          },
          {name: 'Queue', value: `${counted(view.waiting, 'frame')} not acknowledged yet`},
          ...(connection.state === 'waiting' ? [{name: 'Next try', value: retryText(connection, now)}] : []),
          ...(openAttempt === undefined
            ? []
            : [
                {
                  name: 'Callback',
                  value: `pending for ${duration(now - openAttempt.startedAt)}, attempt ${openAttempt.n}`,
                },
              ]),
        ]}
      />
      {connection.state === 'held' ? (
        <Explained explanation={explainHeld(because, view.readsOn)} />
      ) : because === undefined || connection.state === 'live' ? null : (
        <Explained explanation={explainEnding(because)} tone={toneOf(connection)} />
      )}
      {frame === undefined || connection.state !== 'held' ? null : (
        <button
          type="button"
          className="button button-primary source-held"
          onClick={() => store.getState().selectFrame(view.id, frame, connection.at)}
        >
          Show the event it is held at
        </button>
      )}
      {because?.kind === 'sessionReplaced' ? <Successor by={because.by} /> : null}
      {view.notices.map(({kind, detail}) => (
        <div key={kind} className="source-notice">
          <p className="tone-pending">{nameNotice(kind).word}</p>
          <p>{nameNotice(kind).meaning}</p>
          {detail === '' ? null : <p className="mono muted">{detail}</p>}
        </div>
      ))}
    </Section>
  )
}

/** The session that took the place of this one, where it is watched. */
function Successor({by}: {readonly by: string}): ReactElement | null {
  const {store} = useAppContext()
  const find = (state: AppState) => sourceOfSession(state, {sessionId: by}) ?? sourceOfSession(state, {sessionFile: by})
  const name = useApp((state) => find(state)?.name)
  if (name === undefined) return null
  const show = () => {
    const found = find(store.getState())
    if (found !== undefined) store.getState().selectSource(found.id)
  }
  return (
    <button type="button" className="button source-held" onClick={show}>
      Show “{name}”
    </button>
  )
}

function retryText({at, delayMs, attempt}: ConnectionRow, now: number): string {
  if (delayMs === undefined) return 'not known when'
  return `in ${countdown(at + delayMs - now)}${attempt === undefined ? '' : `, after ${counted(attempt, 'failed try', 'failed tries')}`}`
}

const PLAIN: ReadonlySet<string> = new Set<StopReason['kind']>(['asked', 'notStarted', 'closedWithApp'])

function toneOf({state, because}: ConnectionRow): 'stopped' | 'waiting' | 'plain' {
  if (because !== undefined && PLAIN.has(because.kind)) return 'plain'
  return state === 'waiting' || state === 'connecting' ? 'waiting' : 'stopped'
}
