import type {ReactElement} from 'react'
import type {SessionFacts} from '../../../shared/contract/rows.ts'
import {explainReplay} from '../../../shared/words/explain-hole.ts'
import {nameLane} from '../../../shared/words/name-cursor.ts'
import {nameSessionState, tellReplacedSupervisor} from '../../../shared/words/name-daemon.ts'
import {useApp} from '../../state/use-app.ts'
import {counted, nearTime} from '../../ui/format.ts'
import {Facts, Section} from '../../ui/panel.tsx'

export interface SessionViewProps {
  readonly session: SessionFacts
  /** Without a stream, all of this was true when it was last heard. */
  readonly attached: boolean
}

/** What is known of a watched session beside its cursor: the daemon's word, and what its messages add up to. */
export function SessionView({session, attached}: SessionViewProps): ReactElement {
  const {replay, streaming, supervisor} = session
  return (
    <>
      <Section title={attached ? 'Session' : 'Session, as last heard'}>
        <Facts facts={sessionFacts(session)} />
        {supervisor?.after === undefined ? null : <Replaced after={supervisor.after} by={supervisor.metAt} />}
      </Section>
      {replay === undefined ? null : <Replay replay={replay} />}
      {streaming === undefined || (streaming.text === '' && streaming.thinking === '') ? null : (
        <Streaming {...streaming} attached={attached} />
      )}
    </>
  )
}

const NOT_SAID = <span className="muted">not said</span>

function sessionFacts({state, model, cwd, attachedClients, activeSessionId, supervisor}: SessionFacts) {
  return [
    {
      name: 'State',
      value:
        state === undefined ? (
          NOT_SAID
        ) : (
          <span title={nameSessionState(state).meaning}>{nameSessionState(state).word}</span>
        ),
    },
    {name: 'Model', value: model ?? NOT_SAID},
    {name: 'Folder', value: cwd === undefined ? NOT_SAID : <span className="mono">{cwd}</span>},
    {
      name: 'Clients',
      value:
        attachedClients === undefined ? (
          NOT_SAID
        ) : (
          <span title="As the daemon counted them at its last list: Tidemark is one of them where it was attached then">
            {counted(attachedClients, 'client')} attached
          </span>
        ),
    },
    {
      name: 'Activation',
      value: activeSessionId === undefined ? NOT_SAID : <span className="mono">{activeSessionId}</span>,
    },
    {
      name: 'Supervisor',
      value: supervisor === undefined ? NOT_SAID : <span className="mono">{supervisor.generation}</span>,
    },
  ]
}

function Replaced({after, by}: {readonly after: number; readonly by: number}): ReactElement {
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  return <p className="session-replay muted">{tellReplacedSupervisor(nearTime(after, now), nearTime(by, now))}</p>
}

function Replay({replay}: {readonly replay: NonNullable<SessionFacts['replay']>}): ReactElement {
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  return (
    <Section title={`Replay at the last attach, ${nearTime(replay.at, now)}`}>
      <Facts
        facts={[
          {name: 'Said', value: `“${replay.said}”`},
          {name: 'Held here', value: <Cursor cursor={replay.own} none="nothing held" />},
          {name: 'Its last', value: <Cursor cursor={replay.server} none="not named" />},
        ]}
      />
      <p className={replay.missing > 0 ? 'session-replay tone-pending' : 'session-replay muted'}>
        {explainReplay(replay)}
      </p>
    </Section>
  )
}

interface CursorProps {
  readonly cursor: {readonly lane: string; readonly sequence: number} | undefined
  readonly none: string
}

function Cursor({cursor, none}: CursorProps): ReactElement {
  if (cursor === undefined) return <span className="muted">{none}</span>
  return (
    <span className="mono">
      {nameLane(cursor.lane)} · {cursor.sequence}
    </span>
  )
}

type StreamingProps = NonNullable<SessionFacts['streaming']> & Pick<SessionViewProps, 'attached'>

/** The end of the message that is being streamed, as its parts add up; nothing of it is settled before it ends. */
function Streaming({text, thinking, attached}: StreamingProps): ReactElement {
  return (
    <Section title={attached ? 'Being streamed now' : 'Being streamed when it was last heard'}>
      {thinking === '' ? null : <p className="session-text muted">{endOf(thinking)}</p>}
      {text === '' ? null : <p className="session-text">{endOf(text)}</p>}
    </Section>
  )
}

const SHOWN_TEXT = 800

function endOf(text: string): string {
  return text.length > SHOWN_TEXT ? `…${text.slice(-SHOWN_TEXT)}` : text
}
