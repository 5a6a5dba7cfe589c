import type {ReactElement} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import type {AttemptRow} from '../../../shared/contract/rows.ts'
import {MAY_RUN_TWICE} from '../../../shared/words/name-handler.ts'
import {nameAttempt} from '../../../shared/words/name-state.ts'
import {useApp} from '../../state/use-app.ts'
import {clockTime, duration} from '../../ui/format.ts'
import {HandlerRuns} from '../../ui/handler-runs.tsx'
import {lookOfAttempt, Mark} from '../../ui/mark.tsx'
import {Section} from '../../ui/panel.tsx'

/** Each run of the callback, with its length and its error. */
export function AttemptsView({detail}: {readonly detail: FrameDetail}): ReactElement | null {
  const {attempts, frame} = detail
  if (attempts.length === 0) {
    if (frame.outcome !== 'handled') return null
    return (
      <Section title="Callback">
        <p className="muted">No callback ran for it: what is durable is handled.</p>
      </Section>
    )
  }
  const again = attempts.some(({n}) => n > 1)
  return (
    <Section title={`Attempts of ${attempts[0]?.callback ?? 'the callback'}`}>
      <ol className="attempts">
        {attempts.map((attempt) => (
          <Attempt key={attempt.n} attempt={attempt} />
        ))}
      </ol>
      {again ? (
        <p className="small tone-pending">It ran more than once: its effect may have happened more than once.</p>
      ) : null}
    </Section>
  )
}

function Attempt({attempt}: {readonly attempt: AttemptRow}): ReactElement {
  const now = useApp((state) => (attempt.endedAt === undefined ? state.now : 0))
  const {word, meaning} = nameAttempt(attempt.state)
  const look = lookOfAttempt(attempt.state)
  const length =
    attempt.endedAt !== undefined
      ? `after ${duration(attempt.endedAt - attempt.startedAt)}`
      : attempt.state === 'pending'
        ? `for ${duration(now - attempt.startedAt)}`
        : 'at an unknown time'
  return (
    <li>
      <span className="mono">{attempt.n}</span>
      <span className="mono muted">{clockTime(attempt.startedAt)}</span>
      <span className={`attempt-state tone-${look.tone}`} title={meaning}>
        <Mark {...look} />
        {word} {length}
      </span>
      {attempt.state === 'pending' && attempt.n > 1 ? (
        <span className="attempt-error tone-pending">{MAY_RUN_TWICE}</span>
      ) : null}
      {attempt.error === undefined ? null : <span className="mono attempt-error">{attempt.error}</span>}
      {attempt.runs === undefined || attempt.runs.length === 0 ? null : <HandlerRuns runs={attempt.runs} />}
    </li>
  )
}
