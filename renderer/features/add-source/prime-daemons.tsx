import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {PrimeDaemon, PrimeSession} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {explainDaemon, nameSessionState} from '../../../shared/words/name-daemon.ts'
import {sourceOfSession} from '../../state/selectors.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {counted, nearTime} from '../../ui/format.ts'
import {Table} from '../../ui/table.tsx'
import {newPrimeSource, sessionTitle} from './prime-source.ts'
import {useShowSource} from './show-source.ts'

/** A daemon's sessions, each a click away from being watched. */
export function DaemonSessions({daemon}: {readonly daemon: PrimeDaemon}): ReactElement {
  const [subagents, setSubagents] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const hidden = daemon.sessions.filter(({subagent}) => subagent).length
  const rows = daemon.sessions.filter(({subagent}) => subagents || !subagent)
  return (
    <div className="daemon-sessions">
      {daemon.listedAt === undefined ? <p className="muted">Its sessions are not listed yet.</p> : null}
      {daemon.listedAt !== undefined && rows.length === 0 ? (
        <p className="muted">
          It holds no session that can be watched. Print, JSON and RPC runs belong to their client, and are not listed.
        </p>
      ) : null}
      {rows.length === 0 ? null : (
        <Table
          caption={`Sessions of the daemon at ${daemon.socket}`}
          rows={rows}
          rowKey={({activeSessionId}) => activeSessionId}
          columns={[
            {title: 'Session', cell: (session) => <SessionName session={session} />},
            {title: 'Model', cell: ({model}) => model ?? <span className="muted">not said</span>},
            {title: 'State', cell: ({state}) => <SessionState state={state} />},
            {
              title: 'Clients',
              right: true,
              cell: ({attachedClients}) => attachedClients ?? <span className="muted">not said</span>,
            },
            {
              title: 'Watch',
              right: true,
              cell: (session) => <Watch daemon={daemon} session={session} onError={setError} />,
            },
          ]}
        />
      )}
      {hidden === 0 ? null : (
        <label className="daemon-subagents">
          <input type="checkbox" checked={subagents} onChange={(event) => setSubagents(event.target.checked)} />
          Also {counted(hidden, 'subagent')}: once attached to, a subagent stays loaded until its worker ends
        </label>
      )}
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </div>
  )
}

function SessionName({session}: {readonly session: PrimeSession}): ReactElement {
  return (
    <>
      <span className="daemon-name">{sessionTitle(session)}</span>
      {session.subagent ? <span className="muted"> subagent</span> : null}
      <span className="mono muted daemon-folder">{session.cwd ?? 'folder not said'}</span>
    </>
  )
}

function SessionState({state}: Pick<PrimeSession, 'state'>): ReactElement {
  const {word, meaning} = nameSessionState(state)
  return (
    <span className={state === 'failed' ? 'tone-rejected' : undefined} title={meaning}>
      {word}
    </span>
  )
}

interface WatchProps {
  readonly daemon: PrimeDaemon
  readonly session: PrimeSession
  readonly onError: (error: RequestError | undefined) => void
}

function Watch({daemon, session, onError}: WatchProps): ReactElement {
  const {actions} = useAppContext()
  const show = useShowSource()
  const [busy, setBusy] = useState(false)
  const watched = useApp((state) => sourceOfSession(state, session)?.id)
  const watch = async () => {
    setBusy(true)
    const added = await actions.request('sources.add', newPrimeSource(daemon, session))
    setBusy(false)
    onError(added.ok ? undefined : added.error)
    if (added.ok) show(added.value.source)
  }
  const name = sessionTitle(session)
  if (watched !== undefined)
    return (
      <button
        type="button"
        className="button"
        aria-label={`Show ${name}, which is watched`}
        onClick={() => show(watched)}
      >
        Show
      </button>
    )
  return (
    <button
      type="button"
      className="button button-primary"
      aria-label={`Watch ${name}`}
      disabled={busy}
      onClick={() => void watch()}
    >
      Watch
    </button>
  )
}

/** The daemon in plain words, and its sessions where it was found. */
export function DaemonView({daemon}: {readonly daemon: PrimeDaemon}): ReactElement {
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const explanation = explainDaemon(daemon)
  const found = daemon.state === 'connected'
  const version = daemon.appVersion === undefined ? '' : `, version ${daemon.appVersion}`
  const listed = daemon.listedAt === undefined ? '' : `, listed ${nearTime(daemon.listedAt, now)}`
  return (
    <section className="daemon" aria-label={`Daemon at ${daemon.socket}`}>
      <p className="daemon-head">
        <span className="mono daemon-socket">{daemon.socket}</span>
        {found ? (
          <span className="muted small">
            found{version}
            {listed}
          </span>
        ) : null}
      </p>
      {found ? <DaemonSessions daemon={daemon} /> : <Explained explanation={explanation} tone={TONES[daemon.state]} />}
    </section>
  )
}

const TONES: {readonly [S in PrimeDaemon['state']]: 'stopped' | 'waiting' | 'plain'} = {
  looking: 'plain',
  absent: 'plain',
  stale: 'waiting',
  connected: 'plain',
  unsupported: 'stopped',
  failed: 'stopped',
}
