import {type FormEvent, type ReactElement, useState} from 'react'
import type {Channel, Input, RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useUnsaved} from '../../state/leave.ts'
import {useActions, useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {Section} from '../../ui/panel.tsx'

/** What came of the last change: shown beside the buttons, until the next one. */
type Answer =
  | {readonly kind: 'none'}
  | {readonly kind: 'done'; readonly words: string}
  | {readonly kind: 'failed'; readonly error: RequestError}

type Ask = <C extends Channel>(channel: C, input: Input<C>, words: string) => Promise<boolean>

export function SourceSettingsView({view}: {readonly view: SourceView}): ReactElement {
  const {request} = useActions()
  const [answer, setAnswer] = useState<Answer>({kind: 'none'})
  const ask: Ask = async (channel, input, words) => {
    const result = await request(channel, input)
    setAnswer(result.ok ? {kind: 'done', words} : {kind: 'failed', error: result.error})
    return result.ok
  }
  return (
    <Section title="Settings">
      <RunButtons view={view} ask={ask} />
      {isChangeable(view.settings) ? <Change source={view.id} /> : null}
      <Rename view={view} ask={ask} />
      {view.settings.kind === 'switch' ? <Token view={view} ask={ask} /> : null}
      <Remove view={view} ask={ask} />
      {answer.kind === 'done' ? <p role="status">{answer.words}</p> : null}
      {answer.kind === 'failed' ? <Explained explanation={explainRequestError(answer.error)} urgent /> : null}
    </Section>
  )
}

interface PartProps {
  readonly view: SourceView
  readonly ask: Ask
}

function RunButtons({view, ask}: PartProps): ReactElement {
  const {id, paused, connection} = view
  const source = {source: id}
  const off = paused || connection.state === 'stopped'
  const takenOver =
    (connection.because?.kind === 'evicted' && connection.because.terminal) ||
    ((connection.because?.kind === 'refused' || connection.because?.kind === 'beatRefused') &&
      connection.because.refusal.kind === 'takenOver')
  return (
    <div className="settings-row">
      {off ? (
        <button
          type="button"
          className="button button-primary"
          onClick={() => void ask('sources.resume', source, 'Opening.')}
        >
          Resume
        </button>
      ) : (
        <button type="button" className="button" onClick={() => void ask('sources.pause', source, 'Paused.')}>
          Pause this source
        </button>
      )}
      {connection.state === 'waiting' ? (
        <button type="button" className="button" onClick={() => void ask('sources.resume', source, 'Opening.')}>
          Try now
        </button>
      ) : null}
      {takenOver ? (
        <button
          type="button"
          className="button button-primary"
          onClick={() => void ask('sources.newConnection', source, 'Opening under a new connection id.')}
        >
          Continue with a new connection
        </button>
      ) : null}
    </div>
  )
}

/** Whose server the user named: a demo's is of this process, and a recording has none. */
function isChangeable({kind}: SourceView['settings']): boolean {
  return kind === 'switch' || kind === 'prime' || kind === 'numbered'
}

function Change({source}: {readonly source: string}): ReactElement {
  const {store} = useAppContext()
  return (
    <div className="settings-row">
      <button type="button" className="button" onClick={() => store.getState().changeSource(source)}>
        Change where and how it is watched
      </button>
    </div>
  )
}

function Rename({view, ask}: PartProps): ReactElement {
  const [name, setName] = useState(view.name)
  useUnsaved(name.trim() !== view.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void ask('sources.rename', {source: view.id, name: name.trim()}, 'Renamed.')
  }
  return (
    <form className="settings-form" onSubmit={submit}>
      <label htmlFor="settings-name">Name</label>
      <input
        id="settings-name"
        className="field"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="button" disabled={name.trim() === '' || name.trim() === view.name}>
        Rename
      </button>
    </form>
  )
}

function Token({view, ask}: PartProps): ReactElement {
  const [token, setToken] = useState('')
  useUnsaved(token !== '')
  const storage = useApp((state) => state.info?.tokenStorage)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const replaced = await ask('sources.setToken', {source: view.id, token}, 'Token replaced; the old one is gone.')
    if (replaced) setToken('')
  }
  return (
    <form className="settings-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor="settings-token">New token</label>
      <input
        id="settings-token"
        className="field"
        type="password"
        autoComplete="off"
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <button type="submit" className="button" disabled={token === ''}>
        Replace
      </button>
      {storage === undefined ? null : <p className="muted small settings-note">Kept {storage}.</p>}
    </form>
  )
}

/** It opens at the end of a long panel. */
function showWhole(question: HTMLElement | null): void {
  question?.scrollIntoView({block: 'nearest'})
}

/** The choice that changes nothing. */
function focusAtOnce(choice: HTMLElement | null): void {
  choice?.focus({preventScroll: true})
}

function Remove({view, ask}: PartProps): ReactElement {
  const [asking, setAsking] = useState(false)
  if (!asking)
    return (
      <button type="button" className="button" onClick={() => setAsking(true)}>
        Remove this source
      </button>
    )
  return (
    <div className="settings-confirm" ref={showWhole}>
      <p>
        “{view.name}” leaves the board, its connection closes and its token is deleted. Its cursor, its gaps and its
        history stay on disk.
      </p>
      <div className="settings-row">
        <button
          type="button"
          className="button button-danger"
          onClick={() => void ask('sources.remove', {source: view.id}, 'Removed.')}
        >
          Remove
        </button>
        <button type="button" className="button" ref={focusAtOnce} onClick={() => setAsking(false)}>
          Keep it
        </button>
      </div>
    </div>
  )
}
