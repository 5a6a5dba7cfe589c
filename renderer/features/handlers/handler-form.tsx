import {type FormEvent, type ReactElement, useState} from 'react'
import type {ChosenOutcome, Handler} from '../../../shared/handlers/handler.ts'
import {differ, useUnsaved} from '../../state/leave.ts'
import {useApp} from '../../state/use-app.ts'
import {useFirstField} from '../../ui/use-first-field.ts'
import {type HandlerDraft, isNarrowed, readDraft, secretsOf} from './handler-draft.ts'
import {TryHandler} from './try-handler.tsx'

export interface HandlerFormProps {
  readonly source: string
  readonly start: HandlerDraft
  /** As it is in force; absent for a new one. */
  readonly kept: Handler | undefined
  /** @param secrets - none: as it is kept */
  readonly onSave: (handler: Handler, secrets: ReturnType<typeof secretsOf>) => void
  readonly onCancel: () => void
}

type Change = (part: Partial<HandlerDraft>) => void

interface PartProps {
  readonly draft: HandlerDraft
  readonly change: Change
}

export function HandlerForm({source, start, kept, onSave, onCancel}: HandlerFormProps): ReactElement {
  const [draft, setDraft] = useState(start)
  const change: Change = (part) => setDraft((held) => ({...held, ...part}))
  const read = readDraft(draft, keepsSecret(kept, draft))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (read.kind === 'ready') onSave(read.handler, secretsOf(draft))
  }
  const form = useFirstField<HTMLFormElement>()
  useUnsaved(differ(draft, start))
  return (
    <form
      ref={form}
      className="handler-form"
      aria-label={kept === undefined ? 'A new handler' : `Change ${kept.name}`}
      onSubmit={submit}
    >
      <Line label="Name" value={draft.name} change={(name) => change({name})} />
      <fieldset className="handler-kinds">
        <legend>What it does</legend>
        <Kind draft={draft} change={change} kind="command" words="Runs a command" />
        <Kind draft={draft} change={change} kind="webhook" words="Sends a webhook" />
        <Kind draft={draft} change={change} kind="notification" words="Shows a notification" />
      </fieldset>
      {draft.kind === 'command' ? <CommandFields draft={draft} change={change} kept={kept} /> : null}
      {draft.kind === 'webhook' ? <WebhookFields draft={draft} change={change} kept={kept} /> : null}
      {draft.kind === 'notification' ? (
        <p className="muted small">
          By the desktop, or in every open page. Where neither is there it fails, and the source is held after the last
          attempt: a notification that nobody could see has not happened.
        </p>
      ) : null}
      <RuleFields draft={draft} change={change} wasNarrowed={isNarrowed(start)} />
      <LimitFields draft={draft} change={change} />
      {read.kind === 'unfit' ? <p className="muted">{read.problem}</p> : null}
      <div className="handler-buttons">
        <button type="submit" className="button button-primary" disabled={read.kind === 'unfit'}>
          {kept === undefined ? 'Add it' : 'Save'}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
      {read.kind === 'ready' ? <TryHandler source={source} handler={read.handler} secret={draft.secret} /> : null}
    </form>
  )
}

/** A webhook that is kept has a key; a command says whether it has a secret. */
function keepsSecret(kept: Handler | undefined, draft: HandlerDraft): boolean {
  if (kept === undefined || kept.action.kind !== draft.kind) return false
  return kept.action.kind === 'command' ? kept.action.hasSecret : kept.action.kind === 'webhook'
}

interface LineProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly mono?: boolean
  readonly kind?: 'text' | 'password'
  readonly hint?: string
}

function Line({label, value, change, mono = false, kind = 'text', hint}: LineProps): ReactElement {
  return (
    <label>
      {label}
      <input
        className={mono ? 'field mono' : 'field'}
        type={kind}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={hint}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}

function Lines({label, value, change, hint}: LineProps): ReactElement {
  return (
    <label>
      {label}
      <textarea
        className="field mono"
        spellCheck={false}
        rows={2}
        value={value}
        placeholder={hint}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}

interface KindProps extends PartProps {
  readonly kind: HandlerDraft['kind']
  readonly words: string
}

function Kind({draft, change, kind, words}: KindProps): ReactElement {
  return (
    <label>
      <input type="radio" name="handler-kind" checked={draft.kind === kind} onChange={() => change({kind})} /> {words}
    </label>
  )
}

function CommandFields({draft, change, kept}: PartProps & {readonly kept: Handler | undefined}): ReactElement {
  return (
    <>
      <Lines
        label="Program and arguments, one a line"
        value={draft.argv}
        hint={'/usr/local/bin/on-event\n--verbose'}
        change={(argv) => change({argv})}
      />
      <p className="muted small">
        No shell reads it. It gets the event as JSON on standard input; exit code 0 says that it is handled. What it
        leaves running is ended with it.
      </p>
      <Line label="Folder it runs in" value={draft.cwd} hint="your home folder" mono change={(cwd) => change({cwd})} />
      <Lines
        label="Its environment, one NAME=value a line"
        value={draft.env}
        hint="kept in clear; of ours it gets PATH, HOME, LANG and the like"
        change={(env) => change({env})}
      />
      <Secret label="Secret, as TIDEMARK_SECRET" draft={draft} change={change} kept={kept} />
    </>
  )
}

function WebhookFields({draft, change, kept}: PartProps & {readonly kept: Handler | undefined}): ReactElement {
  return (
    <>
      <Line label="Address" value={draft.url} mono hint="https://example.org/hook" change={(url) => change({url})} />
      <Secret label="Key to sign with" draft={draft} change={change} kept={kept} />
      <p className="muted small">
        Each POST has HMAC-SHA256 of its body in <span className="mono">Tidemark-Signature</span>, and in{' '}
        <span className="mono">Idempotency-Key</span> what names the frame over all its attempts. Only a status of 200
        to 299 says that it is handled. Redirects are not followed. The address is kept in clear.
      </p>
    </>
  )
}

function Secret({
  label,
  draft,
  change,
  kept,
}: PartProps & {readonly label: string; readonly kept: Handler | undefined}): ReactElement {
  const storage = useApp((state) => state.info?.tokenStorage)
  const isKept = keepsSecret(kept, draft)
  const hint = isKept ? 'as it is kept' : ''
  return (
    <>
      <Line
        label={label}
        kind="password"
        value={draft.secret}
        hint={hint}
        change={(secret) => change({secret, forgetsSecret: false})}
      />
      {isKept && draft.kind === 'command' && draft.secret === '' ? (
        <label>
          <input
            type="checkbox"
            checked={draft.forgetsSecret}
            onChange={() => change({forgetsSecret: !draft.forgetsSecret})}
          />{' '}
          Delete the one that is kept
        </label>
      ) : null}
      {storage === undefined ? null : <p className="muted small">Kept {storage}.</p>}
    </>
  )
}

const OUTCOMES: ReadonlyArray<readonly [ChosenOutcome, string]> = [
  ['handled', 'an event'],
  ['replaced', 'a gap that replaces the position'],
  ['ownReplaced', 'a gap that replaces only s'],
  ['unmoved', 'a gap that moves nothing'],
  ['discarded', 'an unknown frame, before it is discarded'],
]

function RuleFields({draft, change, wasNarrowed}: PartProps & {readonly wasNarrowed: boolean}): ReactElement {
  const toggled = (outcome: ChosenOutcome) =>
    draft.outcomes.includes(outcome) ? draft.outcomes.filter((one) => one !== outcome) : [...draft.outcomes, outcome]
  return (
    <details className="handler-rule" open={wasNarrowed}>
      <summary>Which frames it runs for</summary>
      <Lines label="Rooms, one a line" value={draft.rooms} hint="any" change={(rooms) => change({rooms})} />
      <Lines label="Events, one a line" value={draft.events} hint="any" change={(events) => change({events})} />
      <label>
        Addressed to the agent, as the server sent it
        <select
          className="field"
          value={draft.addressed}
          onChange={({target: {value}}) => change({addressed: value === 'yes' || value === 'no' ? value : 'any'})}
        >
          <option value="any">either, or not said</option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      </label>
      <fieldset className="handler-kinds">
        <legend>What the frame comes to (none chosen: every event and every gap)</legend>
        {OUTCOMES.map(([outcome, words]) => (
          <label key={outcome}>
            <input
              type="checkbox"
              checked={draft.outcomes.includes(outcome)}
              onChange={() => change({outcomes: toggled(outcome)})}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

function LimitFields({draft, change}: PartProps): ReactElement {
  return (
    <div className="handler-limits">
      <Line label="Deadline, s" value={draft.deadline} change={(deadline) => change({deadline})} />
      <Line label="Attempts" value={draft.attempts} change={(attempts) => change({attempts})} />
      <Line label="First pause, s" value={draft.backoff} change={(backoff) => change({backoff})} />
    </div>
  )
}
