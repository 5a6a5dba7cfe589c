import {type ReactElement, useState} from 'react'
import type {ConnectionTest, NewSource, RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useActions} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {WhileReached} from '../../ui/while-reached.tsx'
import type {DraftReading} from './draft-reading.ts'
import {useShowSource} from './show-source.ts'

/** A trial of exactly this draft: a change of any field makes it void. */
interface Trial {
  readonly draft: object
  readonly outcome:
    | {readonly kind: 'running'}
    | {readonly kind: 'answered'; readonly test: ConnectionTest}
    | {readonly kind: 'failed'; readonly error: RequestError}
}

export interface TestAndSaveProps {
  /** The source whose settings these are to become; absent: a new one. */
  readonly of?: SourceView
  /** The form as typed: another object whenever a field changed. */
  readonly draft: object
  readonly reading: DraftReading
  /** Who is asked, while the answer is not there. */
  readonly asking: string
  /** What a test does to the other side. */
  readonly note: string
  readonly told: (test: ConnectionTest) => ReactElement | null
}

export function TestAndSave({of, draft, reading, asking, note, told}: TestAndSaveProps): ReactElement {
  const {request} = useActions()
  const show = useShowSource()
  const [lastTrial, setTrial] = useState<Trial | undefined>(undefined)
  const [saveError, setSaveError] = useState<RequestError | undefined>(undefined)
  const [saving, setSaving] = useState(false)
  const title = of === undefined ? 'Save and watch' : 'Save'
  const trial = lastTrial?.draft === draft ? lastTrial.outcome : undefined
  const reached = trial?.kind === 'answered' && isReached(trial.test)

  const tryOut = async (source: NewSource) => {
    setTrial({draft, outcome: {kind: 'running'}})
    const answer = await request('sources.test', of === undefined ? source : {...source, of: of.id})
    setTrial({
      draft,
      outcome: answer.ok ? {kind: 'answered', test: answer.value} : {kind: 'failed', error: answer.error},
    })
  }
  const save = async (source: NewSource) => {
    setSaving(true)
    const id = of?.id
    const saved =
      id === undefined ? await request('sources.add', source) : await request('sources.change', {...source, source: id})
    setSaving(false)
    setSaveError(saved.ok ? undefined : saved.error)
    if (saved.ok) show(id ?? ('source' in saved.value ? saved.value.source : ''))
  }
  if (reading.kind === 'notReady')
    return <p className="muted switch-missing">Still needed: {reading.missing.join(', ')}.</p>
  return (
    <WhileReached>
      <div className="switch-test">
        <div className="switch-buttons">
          <button
            type="button"
            className={reached ? 'button' : 'button button-primary'}
            disabled={trial?.kind === 'running'}
            onClick={() => void tryOut(reading.source)}
          >
            {trial?.kind === 'running' ? asking : 'Test connection'}
          </button>
          <button
            type="button"
            className={reached ? 'button button-primary' : 'button'}
            disabled={!reached || saving}
            onClick={() => void save(reading.source)}
          >
            {title}
          </button>
          {reached ? null : (
            <button type="button" className="switch-anyway" disabled={saving} onClick={() => void save(reading.source)}>
              Save without a working test
            </button>
          )}
        </div>
        {reached ? null : (
          <p className="muted small">“{title}” comes once a test of exactly these fields has reached it.</p>
        )}
        {trial === undefined ? <p className="muted small">{note}</p> : null}
        {trial?.kind === 'failed' ? <Explained explanation={explainRequestError(trial.error)} urgent /> : null}
        {trial?.kind === 'answered' ? told(trial.test) : null}
        {saveError === undefined ? null : <Explained explanation={explainRequestError(saveError)} urgent />}
      </div>
    </WhileReached>
  )
}

function isReached(test: ConnectionTest): boolean {
  return (
    test.kind === 'reached' ||
    (test.kind === 'session' && test.resident) ||
    (test.kind === 'numbered' && test.view.kind === 'read')
  )
}
