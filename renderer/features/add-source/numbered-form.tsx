import {type ReactElement, useState} from 'react'
import type {ConnectionTest} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {ID_FORMS} from '../../../shared/cursor/cursor-id.ts'
import type {CursorPlace} from '../../../shared/source/numbered.ts'
import {explainStreamTrial, explainTrialEnding} from '../../../shared/words/explain-stream.ts'
import {offerCursorPlace} from '../../../shared/words/name-cursor-place.ts'
import {differ, useUnsaved} from '../../state/leave.ts'
import {Explained} from '../../ui/explained.tsx'
import {useFirstField} from '../../ui/use-first-field.ts'
import {CodeField} from './code-field.tsx'
import {FormHead} from './form-head.tsx'
import {NameField} from './name-field.tsx'
import {
  askedBy,
  chooseCursorIn,
  EMPTY_NUMBERED,
  exampleMessage,
  type NumberedDraft,
  numberedDraftOf,
  placeIn,
  readNumberedDraft,
  usualName,
} from './numbered-draft.ts'
import {TestAndSave} from './test-and-save.tsx'

interface PartProps {
  readonly draft: NumberedDraft
  readonly change: (part: Partial<NumberedDraft>) => void
}

export interface NumberedFormProps {
  /** The source whose settings are changed; absent: one is added. */
  readonly of?: SourceView
  readonly onBack: () => void
}

/** A stream of the documented model: where it is, where a cursor stands in it, and how it is asked to go on. */
export function NumberedForm({of, onBack}: NumberedFormProps): ReactElement {
  const start = of?.settings.kind === 'numbered' ? numberedDraftOf(of.name, of.settings) : EMPTY_NUMBERED
  const [draft, setDraft] = useState(start)
  const change: PartProps['change'] = (part) => setDraft((held) => ({...held, ...part}))
  const form = useFirstField<HTMLFormElement>()
  useUnsaved(differ(draft, start))
  return (
    <form className="switch-form" ref={form} onSubmit={(event) => event.preventDefault()}>
      <FormHead title={of === undefined ? 'Watch a numbered stream' : `Change “${of.name}”`} onBack={onBack} />
      <p className="muted">
        Its cursors are {'{generation, sequence}'}: both count, a generation begins with a snapshot, and the server
        sends what is strictly greater than the cursor it is asked from. Nothing is claimed or acknowledged there.
      </p>
      <Where draft={draft} change={change} isFixed={of !== undefined && of.counts.frames > 0} />
      <Message draft={draft} change={change} />
      <Resume draft={draft} change={change} />
      <TestAndSave
        {...(of === undefined ? {} : {of})}
        draft={draft}
        reading={readNumberedDraft(draft)}
        asking={draft.over === 'file' ? 'Reading the file' : 'Asking the server'}
        note="The test reads the first 20 messages from the beginning, over a connection of its own, and stores nothing."
        told={(test) => <StreamTrial test={test} cursorAt={placeIn(draft)} />}
      />
    </form>
  )
}

const WAYS = [
  ['socket', 'Lines of JSON over a socket: a TCP port, or a local one by its path'],
  ['file', 'Lines of JSON in a file, read from its beginning and then as it grows'],
  ['sse', 'Server-sent events over HTTP, JSON in their data'],
] as const satisfies ReadonlyArray<readonly [NumberedDraft['over'], string]>

/** Once something came of it, another place is another stream. */
function Where({draft, change, isFixed}: PartProps & {readonly isFixed: boolean}): ReactElement {
  return (
    <>
      <fieldset className="switch-choice" disabled={isFixed}>
        <legend>How does it come?</legend>
        {isFixed ? (
          <p className="muted small">
            A stream has no other name than where it comes from: at another place it is another source.
          </p>
        ) : null}
        {WAYS.map(([over, words]) => (
          <label key={over}>
            <input type="radio" name="over" checked={draft.over === over} onChange={() => change({over})} />
            {words}
          </label>
        ))}
      </fieldset>
      <div className="switch-fields numbered-fields">
        <Address draft={draft} change={change} isFixed={isFixed} />
        <NameField
          value={draft.name}
          placeholder={usualName(draft) === '' ? 'by where it comes from, if left empty' : usualName(draft)}
          onChange={(name) => change({name})}
        />
      </div>
    </>
  )
}

const ADDRESSES = {
  socket: {title: 'Address', field: 'address', placeholder: '127.0.0.1:7000 or /run/feed.sock', longest: 1_000},
  file: {title: 'Path of the file', field: 'path', placeholder: '/var/log/feed.jsonl', longest: 1_000},
  sse: {title: 'URL of the stream', field: 'url', placeholder: 'https://feed.example.org/events', longest: 2_000},
} as const

function Address({draft, change, isFixed}: PartProps & {readonly isFixed: boolean}): ReactElement {
  const {title, field, placeholder, longest} = ADDRESSES[draft.over]
  return (
    <CodeField
      title={title}
      value={draft[field]}
      placeholder={placeholder}
      maxLength={longest}
      disabled={isFixed}
      onChange={(value) => change({[field]: value})}
    />
  )
}

const PLACES: readonly NumberedDraft['cursorIn'][] = ['data', ...ID_FORMS]

function Message({draft, change}: PartProps): ReactElement {
  const inId = typeof placeIn(draft) !== 'string'
  return (
    <fieldset className="switch-choice">
      <legend>Where does a message say its number?</legend>
      <div className="switch-fields">
        {draft.over === 'sse' ? <CursorIn draft={draft} change={change} /> : null}
        {inId ? null : (
          <CodeField title="Cursor at" {...PLACE} value={draft.cursorAt} onChange={(cursorAt) => change({cursorAt})} />
        )}
        <CodeField title="Type at" {...PLACE} value={draft.typeAt} onChange={(typeAt) => change({typeAt})} />
      </div>
      <p className="muted small numbered-note">
        Names of members from the outside in, with dots between: <span className="mono">meta.cursor</span>. Empty: the
        message itself has {inId ? '' : 'generation and sequence, or '}no type. This form reads
      </p>
      <p className="mono numbered-example">{exampleMessage(draft)}</p>
    </fieldset>
  )
}

function CursorIn({draft, change}: PartProps): ReactElement {
  return (
    <label>
      Cursor in
      <select
        className="field"
        value={draft.cursorIn}
        onChange={(event) => {
          const chosen = PLACES.find((place) => place === event.target.value)
          if (chosen !== undefined) change(chooseCursorIn(draft, chosen))
        }}
      >
        {PLACES.map((place) => (
          <option key={place} value={place}>
            {offerCursorPlace(place)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Of members, from the outside in. */
const PLACE = {placeholder: 'the message itself', maxLength: 200} as const

function Resume({draft, change}: PartProps): ReactElement {
  const asked = askedBy(draft)
  return (
    <fieldset className="switch-choice">
      <legend>How is it asked to go on after a cursor?</legend>
      {asked === undefined ? (
        <p className="muted">
          Nobody is asked: of a file, what is not greater than the cursor is left out on this side.
        </p>
      ) : (
        <>
          <Templates draft={draft} change={change} />
          <dl className="numbered-asked">
            <div className="numbered-row">
              <dt>Behind {'{5, 12}'}</dt>
              <dd className="mono">{asked.after}</dd>
            </div>
            <div className="numbered-row">
              <dt>With no cursor yet</dt>
              <dd className="mono">{asked.fromTheBeginning}</dd>
            </div>
          </dl>
        </>
      )}
      <p className="numbered-future">Where our cursor is ahead of everything the server knows:</p>
      <label>
        <input type="radio" name="future" checked={draft.future === 'fail'} onChange={() => change({future: 'fail'})} />
        stop and say so: it may run without its own store
      </label>
      <label>
        <input type="radio" name="future" checked={draft.future === 'wait'} onChange={() => change({future: 'wait'})} />
        wait until it gets there
      </label>
    </fieldset>
  )
}

const TEMPLATES = {
  socket: [{title: 'First line sent', field: 'resume'}],
  sse: [
    {title: 'Parameters of the URL', field: 'query'},
    {title: 'Last-Event-ID', field: 'lastEventId'},
  ],
  file: [],
} as const

function Templates({draft, change}: PartProps): ReactElement {
  return (
    <>
      {TEMPLATES[draft.over].map(({title, field}) => (
        <CodeField
          key={field}
          className="numbered-template"
          title={title}
          value={draft[field]}
          placeholder="not sent"
          maxLength={2_000}
          onChange={(value) => change({[field]: value})}
        />
      ))}
      <p className="muted small">
        <span className="mono">{'{cursor} {generation} {sequence} {future}'}</span> stand for what is asked from; future
        is fail or wait, as below.
      </p>
    </>
  )
}

interface StreamTrialProps {
  readonly test: ConnectionTest
  readonly cursorAt: CursorPlace
}

/** What was read, and whether a cursor would come of it. */
function StreamTrial({test, cursorAt}: StreamTrialProps): ReactElement | null {
  if (test.kind !== 'numbered') return null
  const {view} = test
  if (view.kind === 'refused') return <Explained explanation={explainTrialEnding(view.because)} urgent />
  const {tone, words} = explainStreamTrial(view, cursorAt)
  return (
    <div className={tone === 'well' ? 'switch-reached' : 'switch-reached numbered-doubtful'} role="status">
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}
