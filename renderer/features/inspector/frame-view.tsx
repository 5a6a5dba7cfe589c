import type {ReactElement} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {explainNumbering, OFFERED} from '../../../shared/words/explain-numbering.ts'
import {explainProblem} from '../../../shared/words/explain-problem.ts'
import {nameCause, nameOutcome} from '../../../shared/words/name-state.ts'
import type {AppState} from '../../state/store.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {dateTime, nearTime, wholeLaneSequence} from '../../ui/format.ts'
import {lookOfFrame, Mark} from '../../ui/mark.tsx'
import {Facts} from '../../ui/panel.tsx'
import {AttemptsView} from './attempts-view.tsx'
import {DecisionView, decisionOf, HoleView} from './cursor-view.tsx'
import {HeldActions} from './held-actions.tsx'
import {bytesShown, RawBytes} from './raw-bytes.tsx'
import {StepsView} from './steps-view.tsx'

export function FrameView({detail}: {readonly detail: FrameDetail}): ReactElement {
  const {frame, problem, skipReason} = detail
  const sourceName = useApp((state) => state.sources.get(frame.source)?.name ?? 'removed source')
  const now = useApp((state) => (state.detail.kind === 'none' ? 0 : Math.floor(state.now / 60_000) * 60_000))
  const seen = useApp((state) => redeliveryOf(state, frame.id))
  const offered = useApp((state) => isOffered(state, frame))
  const {later} = detail
  const {word, meaning} = nameOutcome(frame.outcome)
  const look = lookOfFrame(frame)
  const adoption = frame.kind === 'snapshot' ? decisionOf(detail) : undefined
  const facts = [
    {name: 'Sequence', value: <span className="mono">{wholeLaneSequence(frame.lane, frame.sequence)}</span>},
    {name: 'Kind', value: frame.kind === 'unknown' ? 'unknown: it has no readable type' : frame.kind},
    ...(frame.settledAt === undefined
      ? []
      : [{name: 'Settled', value: <span className="mono">{nearTime(frame.settledAt, now)}</span>}]),
    {name: 'Moved', value: frame.cause === undefined ? 'nothing' : nameCause(frame.cause).meaning},
    ...(frame.redelivers === undefined ? [] : [{name: 'Delivery', value: <Redelivers frame={frame.redelivers} />}]),
    ...(seen === undefined ? [] : [{name: 'Later', value: <DeliveredAgain row={seen} />}]),
    ...(seen !== undefined || later === undefined
      ? []
      : [
          {
            name: 'Later',
            value: `delivered again and ${nameOutcome(later.outcome).word}, as attempt ${later.attempt}`,
          },
        ]),
    ...(skipReason === undefined ? [] : [{name: 'Skipped because', value: `“${skipReason}”`}]),
  ]
  return (
    <>
      <h2 className={`inspector-title tone-${look.tone}`}>
        <Mark {...look} />
        <span>
          {adoption === undefined
            ? `${frame.event === '' ? 'frame without a name' : frame.event}, ${word}`
            : `Snapshot, ${adoption.word}`}
        </span>
      </h2>
      <p className="muted small" title={dateTime(frame.receivedAt)}>
        {sourceName} · {nearTime(frame.receivedAt, now)}
      </p>
      {frame.summary === '' ? null : <p className="inspector-summary">{frame.summary}</p>}
      <p className="inspector-meaning">
        {decided(frame, now) ?? (offered ? OFFERED : undefined) ?? adoption?.meaning ?? meaning}
      </p>
      {problem === undefined ? null : (
        <Explained explanation={explainProblem(problem, bytesShown(detail))} tone="waiting" />
      )}
      <HeldActions frame={frame} />
      <Facts facts={facts} />
      <DecisionView detail={detail} />
      {detail.hole === undefined ? null : <HoleView hole={detail.hole} />}
      {adoption === undefined ? <AttemptsView detail={detail} /> : null}
      <StepsView steps={detail.steps} />
      <RawBytes key={detail.frame.id} detail={detail} />
    </>
  )
}

/** Where a numbering began anew with it: what the user said to that, and when. */
function decided({numbering, settledAt, receivedAt}: FrameRow, now: number): string | undefined {
  return numbering === undefined
    ? undefined
    : explainNumbering(numbering, `At ${nearTime(settledAt ?? receivedAt, now)}`)
}

/** The source is held because a numbering began anew with it. */
function isOffered({sources}: AppState, {source, id}: FrameRow): boolean {
  const connection = sources.get(source)?.connection
  return connection?.frame === id && connection.state === 'held' && connection.because?.kind === 'numberingReset'
}

function Redelivers({frame}: {readonly frame: number}): ReactElement {
  const row = useApp((state) => state.list.rows.find(({id}) => id === frame))
  return (
    <>
      the same frame came before{row === undefined ? '' : `, at ${nearTime(row.receivedAt, row.receivedAt)}`}, and was
      not handled then
    </>
  )
}

/** The later delivery of the same frame, as far as this screen holds it. */
function redeliveryOf({recent, list}: AppState, frame: number): FrameRow | undefined {
  return (
    recent.rows.find(({redelivers}) => redelivers === frame) ?? list.rows.find(({redelivers}) => redelivers === frame)
  )
}

function DeliveredAgain({row}: {readonly row: FrameRow}): ReactElement {
  const {store} = useAppContext()
  return (
    <>
      delivered again and {nameOutcome(row.outcome).word}, as attempt {row.attempt}.{' '}
      <button
        type="button"
        className="inspector-link"
        onClick={() => store.getState().selectFrame(row.source, row.id, row.receivedAt)}
      >
        Show it
      </button>
    </>
  )
}
