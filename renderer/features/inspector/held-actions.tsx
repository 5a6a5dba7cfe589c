import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {sayHeldHere} from '../../../shared/words/explain-held.ts'
import {useUnsaved} from '../../state/leave.ts'
import {wireOfSource} from '../../state/selectors.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {WhileReached} from '../../ui/while-reached.tsx'
import {KeepAfterAll, NumberingActions} from './numbering-actions.tsx'

export interface HeldActionsProps {
  readonly frame: FrameRow
}

/** Where a source is held at this frame: the two ways out, and what each of them does. */
export function HeldActions(props: HeldActionsProps): ReactElement | null {
  const {source, id} = props.frame
  const because = useApp((state) => {
    const connection = state.sources.get(source)?.connection
    return connection?.state === 'held' && connection.frame === id ? (connection.because?.kind ?? 'unknown') : undefined
  })
  const paused = useApp((state) => state.sources.get(source)?.paused === true)
  if (because === undefined) return null
  return (
    <WhileReached>
      {paused ? (
        <Paused source={source} />
      ) : because === 'numberingReset' ? (
        <NumberingActions {...props} />
      ) : (
        <Ways {...props} />
      )}
    </WhileReached>
  )
}

/** Either way out would let it go on, and a paused source is not to. */
function Paused({source}: {readonly source: string}): ReactElement {
  const {request} = useActions()
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const resume = async () => {
    const answer = await request('sources.resume', {source})
    setError(answer.ok ? undefined : answer.error)
  }
  return (
    <section className="held" aria-label="The source is held here">
      <p className="held-title tone-rejected">Held here, and paused by you.</p>
      <p>Resume it first: it stays held, and then you decide about this frame.</p>
      <button type="button" className="button button-primary" onClick={() => void resume()}>
        Resume the source
      </button>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}

function Ways({frame: {source, id: frame, kind, outcome}}: HeldActionsProps): ReactElement {
  const malformed = kind === 'malformed' || outcome === 'malformed' // it moves nothing, also where it is skipped
  const {request} = useActions()
  const wire = useApp((state) => wireOfSource(state, source))
  const takes = useApp((state) => state.sources.get(source)?.takingNumbering === true)
  const [reason, setReason] = useState('')
  useUnsaved(reason.trim() !== '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const run = async (asked: ReturnType<typeof request<'sources.retry' | 'sources.skip'>>) => {
    setBusy(true)
    const answer = await asked
    setBusy(false)
    setError(answer.ok ? undefined : answer.error)
  }
  const retry = () => run(request('sources.retry', {source}))
  const skip = () => run(request('sources.skip', {source, frame, reason: reason.trim()}))
  return (
    <section className="held" aria-label="The source is held here">
      <p className="held-title tone-rejected">{sayHeldHere(wire)}</p>
      {takes ? <KeepAfterAll source={source} frame={frame} /> : null}
      <p>
        <b>Retry</b>{' '}
        {malformed
          ? 'asks the bridge for it again from the old position. If it comes as it came before, the source is held again.'
          : 'runs the callback once more, and goes on if it resolves. If an earlier run already had its effect, that effect may happen twice.'}
      </p>
      <button type="button" className="button button-primary" disabled={busy} onClick={() => void retry()}>
        Retry
      </button>
      <p>
        <b>Skip</b>{' '}
        {malformed
          ? 'passes over it where it comes again. It moves nothing: what it meant to say stays unknown.'
          : 'takes this event for done although it was not handled: the position moves as it says, and the stream goes on after it.'}{' '}
        Your reason stays in the history.
      </p>
      <label className="held-reason">
        Reason for the skip
        <textarea
          className="field"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <button
        type="button"
        className="button button-danger"
        disabled={busy || reason.trim() === ''}
        onClick={() => void skip()}
      >
        Skip this event
      </button>
      {reason.trim() === '' ? <p className="muted small">A skip needs its reason first.</p> : null}
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}
