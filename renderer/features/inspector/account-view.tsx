import {type FormEvent, type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {GapRow} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {EXPLAIN_REPAIR} from '../../../shared/words/explain-gap.ts'
import {useUnsaved} from '../../state/leave.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {nearTime} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {WhileReached} from '../../ui/while-reached.tsx'

export interface AccountViewProps {
  readonly gap: GapRow
}

/** What would account for the gap, and what the user says of it: told as their word. Its place is keyed by the gap. */
export function AccountView({gap}: AccountViewProps): ReactElement {
  const {account} = gap
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  return (
    <Section title="Accounting for it">
      <p>{EXPLAIN_REPAIR}</p>
      {account === undefined ? null : (
        <p className="inspector-note">
          The user said at {nearTime(account.at, now)}: “{account.note}”. Tidemark knows no more of it.
        </p>
      )}
      <WhileReached>
        <AccountForm gap={gap} />
      </WhileReached>
    </Section>
  )
}

function AccountForm({gap: {source, frame, account}}: AccountViewProps): ReactElement {
  const {request} = useActions()
  const [note, setNote] = useState('')
  const [error, setError] = useState<RequestError | undefined>(undefined)
  useUnsaved(note.trim() !== '')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await request('gaps.account', {source, frame, note: note.trim()})
    setError(answer.ok ? undefined : answer.error)
    if (answer.ok) setNote('')
  }
  return (
    <form className="account" onSubmit={(event) => void submit(event)}>
      <label>
        {account === undefined ? 'How was it made good?' : 'Say it anew'}
        <textarea
          className="field"
          maxLength={500}
          rows={2}
          value={note}
          placeholder="read again in the room; nothing of it mattered"
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={note.trim() === ''}>
        {account === undefined ? 'Account for it' : 'Replace what was said'}
      </button>
      <p className="muted small">
        Kept in the ledger with its time, as your word. It moves no position, and the board no longer calls for this
        gap.
      </p>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </form>
  )
}
