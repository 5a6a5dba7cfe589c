import {type ReactElement, useState} from 'react'
import type {ConnectionTest, NewSource, RequestError} from '../../../shared/contract/contract.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {explainTrialRefusal} from '../../../shared/words/explain-refusal.ts'
import {useActions} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {readDraft, type SwitchDraft} from './switch-draft.ts'

/** A trial of exactly this draft: a change of any field makes it void. */
interface Trial {
  readonly draft: SwitchDraft
  readonly outcome:
    | {readonly kind: 'running'}
    | {readonly kind: 'answered'; readonly test: ConnectionTest}
    | {readonly kind: 'failed'; readonly error: RequestError}
}

export interface TestAndSaveProps {
  readonly draft: SwitchDraft
  readonly onSaved: (source: string) => void
}

export function TestAndSave({draft, onSaved}: TestAndSaveProps): ReactElement {
  const {request} = useActions()
  const [lastTrial, setTrial] = useState<Trial | undefined>(undefined)
  const [saveError, setSaveError] = useState<RequestError | undefined>(undefined)
  const [saving, setSaving] = useState(false)
  const reading = readDraft(draft)
  const trial = lastTrial?.draft === draft ? lastTrial.outcome : undefined
  const reached = trial?.kind === 'answered' && trial.test.kind === 'reached'

  const tryOut = async (source: NewSource) => {
    setTrial({draft, outcome: {kind: 'running'}})
    const answer = await request('sources.test', source)
    setTrial({
      draft,
      outcome: answer.ok ? {kind: 'answered', test: answer.value} : {kind: 'failed', error: answer.error},
    })
  }
  const save = async (source: NewSource) => {
    setSaving(true)
    const added = await request('sources.add', source)
    setSaving(false)
    setSaveError(added.ok ? undefined : added.error)
    if (added.ok) onSaved(added.value.source)
  }
  if (reading.kind === 'notReady')
    return <p className="muted switch-missing">Still needed: {reading.missing.join(', ')}.</p>
  return (
    <div className="switch-test">
      <div className="switch-buttons">
        <button
          type="button"
          className={reached ? 'button' : 'button button-primary'}
          disabled={trial?.kind === 'running'}
          onClick={() => void tryOut(reading.source)}
        >
          {trial?.kind === 'running' ? 'Asking the bridge' : 'Test connection'}
        </button>
        <button
          type="button"
          className={reached ? 'button button-primary' : 'button'}
          disabled={!reached || saving}
          onClick={() => void save(reading.source)}
        >
          Save and watch
        </button>
        {reached ? null : (
          <button type="button" className="switch-anyway" disabled={saving} onClick={() => void save(reading.source)}>
            Save without a working test
          </button>
        )}
      </div>
      <TrialWords trial={trial} draft={draft} />
      {saveError === undefined ? null : <Explained explanation={explainRequestError(saveError)} urgent />}
    </div>
  )
}

interface TrialWordsProps {
  readonly trial: Trial['outcome'] | undefined
  readonly draft: SwitchDraft
}

function TrialWords({trial, draft}: TrialWordsProps): ReactElement | null {
  if (trial === undefined)
    return (
      <p className="muted small">
        The test opens the stream for a moment, with the same side effects, and stores nothing.
      </p>
    )
  if (trial.kind === 'running') return null
  if (trial.kind === 'failed') return <Explained explanation={explainRequestError(trial.error)} urgent />
  const {test} = trial
  if (test.kind === 'refused') return <Explained explanation={explainTrialRefusal(test.refusal)} urgent />
  return (
    <div className="switch-reached" role="status">
      <p>
        Reached. The stream answers as agent <b className="mono">{test.agentId ?? 'unknown'}</b>; server version{' '}
        {test.serverVersion ?? 'unknown'}, protocol {test.protocol ?? 'unknown'}.
      </p>
      {test.sameAgent === false ? (
        <p className="tone-pending">
          This token belongs to another agent than “{draft.agentId.trim()}”. The token alone decides whose stream it is:
          you would watch {test.agentId ?? 'the other one'}.
        </p>
      ) : null}
    </div>
  )
}
