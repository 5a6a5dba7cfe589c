import {type ReactElement, useState} from 'react'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {differ, useUnsaved} from '../../state/leave.ts'
import {useApp} from '../../state/use-app.ts'
import {useFirstField} from '../../ui/use-first-field.ts'
import {FormHead} from './form-head.tsx'
import {NameField} from './name-field.tsx'
import {AgentTokenEffects, OwnIdentityEffects} from './side-effects.tsx'
import {draftOf, EMPTY_DRAFT, readDraft, type SwitchDraft} from './switch-draft.ts'
import {SwitchTrial} from './switch-trial.tsx'
import {TestAndSave} from './test-and-save.tsx'

type Change = (part: Partial<SwitchDraft>) => void

interface PartProps {
  readonly draft: SwitchDraft
  readonly change: Change
}

export interface SwitchFormProps {
  /** The source whose settings are changed; absent: one is added. */
  readonly of?: SourceView
  readonly onBack: () => void
}

export function SwitchForm({of, onBack}: SwitchFormProps): ReactElement {
  const settings = of?.settings.kind === 'switch' ? of.settings : undefined
  const start = of === undefined || settings === undefined ? EMPTY_DRAFT : draftOf({name: of.name, settings})
  const [draft, setDraft] = useState(start)
  const change: Change = (part) => setDraft((held) => ({...held, ...part}))
  const form = useFirstField<HTMLFormElement>()
  useUnsaved(differ(draft, start))
  return (
    <form className="switch-form" ref={form} onSubmit={(event) => event.preventDefault()}>
      <FormHead title={of === undefined ? 'Watch a Switch agent' : `Change “${of.name}”`} onBack={onBack} />
      <Fields draft={draft} change={change} {...(of === undefined ? {} : {of})} />
      <WatchAs draft={draft} change={change} />
      <StartFrom draft={draft} change={change} />
      <TestAndSave
        {...(of === undefined ? {} : {of})}
        draft={draft}
        reading={readDraft(draft, settings)}
        asking="Asking the bridge"
        note="The test opens the stream for a moment, with the same side effects, and stores nothing."
        told={(test) => <SwitchTrial test={test} agentId={draft.agentId} />}
      />
    </form>
  )
}

function Fields({draft, change, of}: PartProps & {readonly of?: SourceView}): ReactElement {
  const storage = useApp((state) => state.info?.tokenStorage)
  return (
    <div className="switch-fields">
      <NameField
        value={draft.name}
        placeholder={draft.agentId === '' ? 'the agent id, if left empty' : draft.agentId}
        onChange={(name) => change({name})}
      />
      <label>
        Bridge URL
        <input
          className="field mono"
          type="url"
          spellCheck={false}
          value={draft.url}
          placeholder="https://bridge.example.org"
          onChange={(event) => change({url: event.target.value})}
        />
      </label>
      <label>
        Agent id
        <input
          className="field mono"
          maxLength={200}
          spellCheck={false}
          value={draft.agentId}
          disabled={of !== undefined && of.counts.frames > 0}
          onChange={(event) => change({agentId: event.target.value})}
        />
      </label>
      <label>
        Token
        <input
          className="field mono"
          type="password"
          autoComplete="off"
          value={draft.token}
          placeholder={of === undefined ? undefined : 'stays as it is, if left empty'}
          aria-describedby="token-note"
          onChange={(event) => change({token: event.target.value})}
        />
      </label>
      <p className="muted small switch-note" id="token-note">
        The agent’s API key. Never logged, never shown again.{storage === undefined ? '' : ` It is kept ${storage}.`}
      </p>
    </div>
  )
}

function WatchAs({draft, change}: PartProps): ReactElement {
  return (
    <fieldset className="switch-choice">
      <legend>Whose token is it?</legend>
      <label>
        <input
          type="radio"
          name="watch-as"
          checked={draft.watchAs === 'own'}
          onChange={() => change({watchAs: 'own'})}
        />
        Tidemark’s own: an agent registered for watching (least intrusive)
      </label>
      <label>
        <input
          type="radio"
          name="watch-as"
          checked={draft.watchAs === 'agent'}
          onChange={() => change({watchAs: 'agent'})}
        />
        The watched agent’s: with side effects
      </label>
      {draft.watchAs === 'own' ? <OwnIdentityEffects /> : <AgentTokenEffects />}
      {draft.watchAs === 'agent' ? (
        <label className="switch-understood">
          <input
            type="checkbox"
            checked={draft.understood}
            onChange={(event) => change({understood: event.target.checked})}
          />
          I understand what this does to the agent, and I may do it
        </label>
      ) : null}
    </fieldset>
  )
}

function StartFrom({draft, change}: PartProps): ReactElement {
  return (
    <fieldset className="switch-choice">
      <legend>Where does it begin?</legend>
      <label>
        <input
          type="radio"
          name="start-from"
          checked={draft.startFrom === 'retained'}
          onChange={() => change({startFrom: 'retained'})}
        />
        With everything the server still holds (usually some minutes, at most 2000 events)
      </label>
      <label>
        <input
          type="radio"
          name="start-from"
          checked={draft.startFrom === 'head'}
          onChange={() => change({startFrom: 'head'})}
        />
        From now on
      </label>
      <p className="muted small">
        “From now on” forgets without a trace what comes between two starts of Tidemark, as long as no event has told a
        position.
      </p>
    </fieldset>
  )
}
