import {type ReactElement, useEffect, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {FrameRow, HandlerRunRow} from '../../../shared/contract/rows.ts'
import {type Handler, TRIED_OUTCOMES} from '../../../shared/handlers/handler.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {nearTime} from '../../ui/format.ts'
import {HandlerRunLine} from '../../ui/handler-runs.tsx'

export interface TryHandlerProps {
  readonly source: string
  readonly handler: Handler
  /** Typed and not kept yet. */
  readonly secret?: string
}

const FRAMES_OFFERED = 50

/** Runs one handler on a frame of the past that the user chooses. It runs for real; nothing moves and nothing is recorded. */
export function TryHandler({source, handler, secret = ''}: TryHandlerProps): ReactElement {
  const {request} = useActions()
  const frames = useFrames(source)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const [run, setRun] = useState<HandlerRunRow | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const frame = chosen ?? frames?.[0]?.id
  const start = async () => {
    if (frame === undefined) return
    setBusy(true)
    setRun(undefined)
    const answer = await request('handlers.test', {source, handler, frame, ...(secret === '' ? {} : {secret})})
    setBusy(false)
    setRun(answer.ok ? answer.value : undefined)
    setError(answer.ok ? undefined : answer.error)
  }
  if (frames !== undefined && frames.length === 0)
    return <p className="muted small">It can be tested once an event of this source is in the history.</p>
  return (
    <section className="handler-try" aria-label={`Test ${handler.name}`}>
      <label>
        Test it on
        <select className="field" value={frame ?? ''} onChange={({target: {value}}) => setChosen(Number(value))}>
          {(frames ?? []).map(({id, event, summary, receivedAt}) => (
            <option key={id} value={id}>
              {nearTime(receivedAt, minute)} {event} {summary}
            </option>
          ))}
        </select>
      </label>
      <p className="muted small">
        It really runs, and is told that it is a test. No position moves, and nothing is recorded.
      </p>
      <button type="button" className="button" disabled={busy || frame === undefined} onClick={() => void start()}>
        {busy ? 'It runs' : 'Run the test'}
      </button>
      {run === undefined ? null : (
        <div role="status">
          <HandlerRunLine run={run} />
        </div>
      )}
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}

/** The newest frames of a source that a handler could run for. */
function useFrames(source: string): readonly FrameRow[] | undefined {
  const {request} = useActions()
  const [frames, setFrames] = useState<readonly FrameRow[] | undefined>(undefined)
  useEffect(() => {
    let over = false
    const filter = {source, outcomes: TRIED_OUTCOMES}
    void request('frames.page', {filter, limit: FRAMES_OFFERED}).then((page) => {
      if (!over) setFrames(page.ok ? page.value.frames : [])
    })
    return () => {
      over = true
    }
  }, [request, source])
  return frames
}
