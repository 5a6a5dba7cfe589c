import {type FormEvent, type ReactElement, useState} from 'react'
import type {HistoryView as Answer, RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {type Cursor, pairText, parseCursor} from '../../../shared/cursor/cursor.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {explainHistoryEnd, explainHistoryRefusal} from '../../../shared/words/explain-stream.ts'
import {historySource} from '../../state/selectors.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {cursorOfPairs} from '../../ui/format.ts'
import './history.css'
import {EMPTY_HISTORY, type HistoryDraft, historyProblem, readHistoryDraft} from './history-draft.ts'
import {Messages} from './messages.tsx'

/** What the server of a numbered stream sends after a cursor of the user's own, apart from everything that is kept. */
export function History(): ReactElement | null {
  const view = useApp(historySource)
  return view === undefined ? null : <Asking key={view.id} view={view} />
}

type Asked = {readonly from: Cursor | undefined} & (
  | {readonly kind: 'running'}
  | {readonly kind: 'answered'; readonly answer: Answer}
  | {readonly kind: 'failed'; readonly error: RequestError}
)

/** As many as one look takes in. */
const LIMIT = 100

function Asking({view}: {readonly view: SourceView}): ReactElement {
  const {request} = useActions()
  const [draft, setDraft] = useState(EMPTY_HISTORY)
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const ask = async (from: Cursor | undefined) => {
    setAsked({kind: 'running', from})
    const cursor = from === undefined ? {} : {cursor: from}
    const answer = await request('history.from', {source: view.id, ...cursor, limit: LIMIT})
    setAsked(answer.ok ? {kind: 'answered', from, answer: answer.value} : {kind: 'failed', from, error: answer.error})
  }
  const goOn = (from: Cursor) => {
    setDraft({generation: String(from.generation), sequence: String(from.sequence)})
    void ask(from)
  }
  return (
    <div className="history">
      <From draft={draft} onChange={setDraft} busy={asked?.kind === 'running'} onAsk={(from) => void ask(from)} />
      <Apart view={view} />
      {asked === undefined ? null : <Outcome asked={asked} onGoOn={goOn} />}
    </div>
  )
}

interface FromProps {
  readonly draft: HistoryDraft
  readonly busy: boolean
  readonly onChange: (draft: HistoryDraft) => void
  readonly onAsk: (from: Cursor | undefined) => void
}

function From({draft, busy, onChange, onAsk}: FromProps): ReactElement {
  const cursor = readHistoryDraft(draft)
  const problem = historyProblem(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (cursor !== undefined) onAsk(cursor)
  }
  return (
    <form className="history-from" onSubmit={submit}>
      <label>
        From generation
        <input
          className="field mono"
          spellCheck={false}
          maxLength={1000}
          value={draft.generation}
          onChange={(event) => onChange({...draft, generation: event.target.value})}
        />
      </label>
      <label>
        sequence
        <input
          className="field mono"
          inputMode="numeric"
          maxLength={20}
          value={draft.sequence}
          onChange={(event) => onChange({...draft, sequence: event.target.value})}
        />
      </label>
      <button type="submit" className="button button-primary" disabled={busy || cursor === undefined}>
        {busy ? 'Asking the server' : 'Ask what comes after it'}
      </button>
      <button type="button" className="button" disabled={busy} onClick={() => onAsk(undefined)}>
        From the beginning
      </button>
      {problem === undefined ? null : <p className="tone-pending history-problem">{problem}</p>}
    </form>
  )
}

/** That this leaves everything as it is. */
function Apart({view}: {readonly view: SourceView}): ReactElement {
  const held = cursorOfPairs(view.position)
  return (
    <p className="muted small">
      The server is asked over a connection of its own, for what is strictly greater. Nothing of it is kept, and the
      acknowledged cursor of this source is neither used nor moved: it stands at{' '}
      {held === undefined ? 'no number yet' : <b className="mono">{pairText(held)}</b>}.
    </p>
  )
}

interface OutcomeProps {
  readonly asked: Asked
  readonly onGoOn: (from: Cursor) => void
}

function Outcome({asked, onGoOn}: OutcomeProps): ReactElement {
  const {from} = asked
  if (asked.kind === 'running') return <p className="muted history-answer">Asking the server.</p>
  if (asked.kind === 'failed')
    return (
      <div className="history-answer">
        <Explained explanation={explainRequestError(asked.error)} urgent />
      </div>
    )
  const {answer} = asked
  if (answer.kind === 'refused')
    return (
      <div className="history-answer">
        <Explained explanation={explainHistoryRefusal(answer.because, from)} urgent />
      </div>
    )
  const more = answer.end === 'limit' || answer.end === 'late'
  const last = parseCursor(answer.messages.findLast(({cursor}) => cursor !== undefined)?.cursor)
  return (
    <div className="history-answer">
      <p role="status">{explainHistoryEnd(answer, from)}</p>
      {answer.messages.length === 0 ? null : <Messages messages={answer.messages} />}
      {more && last !== undefined ? (
        <button type="button" className="button history-more" onClick={() => onGoOn(last)}>
          Go on from {pairText(last)}
        </button>
      ) : null}
    </div>
  )
}
