import {type ReactElement, useEffect, useMemo, useState} from 'react'
import type {AttemptRow} from '../../../shared/contract/rows.ts'
import {MAY_RUN_TWICE, runText} from '../../../shared/words/name-handler.ts'
import {nameAttempt, nameOutcome} from '../../../shared/words/name-state.ts'
import type {UnsettledFrame} from '../../state/actions.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {duration, laneSequence, nearTime} from '../../ui/format.ts'
import {lookOfOutcome, Mark} from '../../ui/mark.tsx'
import {Table} from '../../ui/table.tsx'
import './callbacks.css'
import {type CallbackLine, callbackLines} from './callback-lines.ts'

/** Callbacks that are open, failed or were skipped, newest first: what they run for, how long, and with what error. */
export function Callbacks(): ReactElement {
  const {store} = useAppContext()
  const lines = useLines()
  const sources = useApp((state) => state.sources)
  const scope = useApp((state) => state.scope)
  const selected = useApp((state) => state.selectedFrame)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  if (lines === undefined)
    return <p className="muted callbacks-note">Asking the engine for callbacks that are not settled.</p>
  if (lines.length === 0)
    return <p className="muted callbacks-note">No callback is open, and none was rejected or skipped.</p>
  return (
    <div className="callbacks">
      <Table
        caption="Callbacks that are open, rejected or skipped, newest first"
        rows={lines}
        rowKey={({frame}) => frame.id}
        isCurrent={({frame}) => frame.id === selected}
        onSelect={({frame}) => store.getState().selectFrame(frame.source, frame.id, frame.receivedAt)}
        columns={[
          {title: 'Time', cell: ({frame}) => <span className="mono whole">{nearTime(frame.receivedAt, minute)}</span>},
          ...(scope === undefined
            ? [{title: 'Source', cell: ({frame}: CallbackLine) => sources.get(frame.source)?.name ?? 'removed source'}]
            : []),
          {title: 'Event', cell: ({frame}) => <span className="mono">{frame.event === '' ? '–' : frame.event}</span>},
          {
            title: 'Sequence',
            cell: ({frame}) => <span className="mono breaks">{laneSequence(frame.lane, frame.sequence)}</span>,
          },
          {title: 'Outcome', cell: (line) => <Outcome line={line} />},
          {
            title: 'Attempt',
            right: true,
            cell: (line) => <span className="mono">{line.last?.n ?? line.frame.attempt}</span>,
          },
          {title: 'Last attempt', cell: ({last}) => <LastAttempt last={last} />},
        ]}
      />
    </div>
  )
}

function useLines(): readonly CallbackLine[] | undefined {
  const {store, actions} = useAppContext()
  const [asked, setAsked] = useState<readonly UnsettledFrame[] | undefined>(undefined)
  const scope = useApp((state) => state.scope)
  const epoch = useApp((state) => state.recentEpoch)
  const frames = useApp((state) => state.recentVersion)
  const attempts = useApp((state) => state.attemptsVersion)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked for depends on the scope, and is old where changes were lost
  useEffect(() => {
    let over = false
    void actions.loadUnsettled().then((rows) => {
      if (!over) setAsked(rows)
    })
    return () => {
      over = true
    }
  }, [actions, scope, epoch])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the logs are changed in place, and their versions say so
  return useMemo(
    () => (asked === undefined ? undefined : callbackLines(asked, store.getState())),
    [asked, store, frames, attempts, scope],
  )
}

function Outcome({line: {frame, later}}: {readonly line: CallbackLine}): ReactElement {
  const look = lookOfOutcome(frame.outcome)
  const {word, meaning} = nameOutcome(frame.outcome)
  const open = later === undefined || later.outcome === 'pending' || later.outcome === 'rejected'
  return (
    <>
      <span className={`${open ? `tone-${look.tone}` : 'muted'} callbacks-outcome`} title={meaning}>
        <Mark {...look} /> {word}
      </span>
      {later === undefined ? null : (
        <span className="muted callbacks-later">
          {nameOutcome(later.outcome).word} later, as attempt {later.attempt}
        </span>
      )}
    </>
  )
}

function LastAttempt({last}: {readonly last: AttemptRow | undefined}): ReactElement {
  const now = useApp((state) => (last?.state === 'pending' ? state.now : 0))
  if (last === undefined) return <span className="muted">not begun, or not known</span>
  const length =
    last.state === 'pending'
      ? ` for ${duration(now - last.startedAt)}`
      : last.endedAt === undefined
        ? ''
        : ` after ${duration(last.endedAt - last.startedAt)}`
  const failed = last.runs?.find(({state}) => state !== 'resolved')
  const said = failed === undefined ? undefined : runText(failed)
  return (
    <>
      {nameAttempt(last.state).word}
      {length}
      {said === undefined ? null : ` · ${said}`}
      {last.state === 'pending' && last.n > 1 ? (
        <span className="tone-pending callbacks-error">{MAY_RUN_TWICE}</span>
      ) : null}
      {last.error === undefined ? null : <span className="mono muted callbacks-error">{last.error}</span>}
    </>
  )
}
