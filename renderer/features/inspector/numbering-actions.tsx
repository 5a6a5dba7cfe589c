import {type ReactElement, useState} from 'react'
import type {Channel, Input, RequestError} from '../../../shared/contract/contract.ts'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {pairText} from '../../../shared/cursor/cursor.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {cursorOfPairs} from '../../ui/format.ts'

export interface KeepAfterAllProps {
  readonly source: string
  readonly frame: number
}

/** The numbering was taken, and its first frame failed: beside what can be done with a frame, there is still the other numbering. */
export function KeepAfterAll({source, frame}: KeepAfterAllProps): ReactElement {
  const {request} = useActions()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const keep = async () => {
    setBusy(true)
    const answer = await request('sources.keepNumbering', {source, frame})
    setBusy(false)
    setError(answer.ok ? undefined : answer.error)
  }
  return (
    <>
      <p>
        This event is the first of the new numbering that you take. While it is neither handled nor skipped,{' '}
        <b>nothing is taken</b>, and the cursor stays in the old one.
      </p>
      <p>
        <b>Keep the old numbering</b> after all: this event is called stale and runs no more, and the server is asked
        again from the old cursor.
      </p>
      <button type="button" className="button" disabled={busy} onClick={() => void keep()}>
        Keep it and ask again
      </button>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </>
  )
}

/** Where a numbering began anew: the frame is the first of the new one, and which of the two goes on is for the user to say. */
export function NumberingActions({frame}: {readonly frame: FrameRow}): ReactElement {
  const {request} = useActions()
  const view = useApp((state) => state.sources.get(frame.source))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const decide = async <C extends Channel>(channel: C, input: Input<C>) => {
    setBusy(true)
    const answer = await request(channel, input)
    setBusy(false)
    setError(answer.ok ? undefined : answer.error)
  }
  const held = cursorOfPairs(view?.position ?? [])
  const ours = held === undefined ? 'our cursor' : pairText(held)
  const because = view?.connection.because
  const first = because?.kind === 'numberingReset' ? because.first : undefined
  return (
    <section className="held" aria-label="The source is held here">
      <p className="held-title tone-rejected">Held here. Nothing is read until you decide.</p>
      <p>
        Our cursor is <b className="mono">{ours}</b>. This connection began with{' '}
        <b className="mono">{first === undefined ? 'another cursor' : pairText(first)}</b>, which lies below it: the
        store that our numbers were in was lost, or is another one.
      </p>
      <p>
        <b>Keep the old numbering</b> where the store can be brought back: this message is called stale, and the server
        is asked again from {ours}. If it still numbers anew, the source is held again.
      </p>
      <button
        type="button"
        className="button button-primary"
        disabled={busy}
        onClick={() => void decide('sources.keepNumbering', {source: frame.source, frame: frame.id})}
      >
        Keep it and ask again
      </button>
      <p>
        <b>Take the new numbering</b> where it is gone for good: this message is handled, the cursor goes back to it,
        and what follows is counted from there. What the lost store held after {ours} stays unseen.
      </p>
      <button
        type="button"
        className="button button-danger"
        disabled={busy}
        onClick={() => void decide('sources.takeNumbering', {source: frame.source, frame: frame.id})}
      >
        Take the new numbering
      </button>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}
