import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import type {Handler} from '../../../shared/handlers/handler.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {actionText, limitsText, noHandlersText, ruleText} from '../../../shared/words/name-handler.ts'
import {selectedView} from '../../state/selectors.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {Section} from '../../ui/panel.tsx'
import {draftOf, emptyDraft, type HandlerDraft} from './handler-draft.ts'
import {HandlerForm} from './handler-form.tsx'
import './handlers.css'
import {TryHandler} from './try-handler.tsx'

/** What the user lets happen for the frames of the chosen source, in its order. */
export function Handlers(): ReactElement | null {
  const view = useApp(selectedView)
  return view === undefined ? null : <HandlersOf key={view.id} view={view} />
}

/** What of the list is open: one being typed, one being tried, one about to be removed. */
type Opened =
  | {readonly kind: 'none'}
  | {readonly kind: 'form'; readonly draft: HandlerDraft; readonly isNew: boolean}
  | {readonly kind: 'trying' | 'removing'; readonly id: string}

const NONE: Opened = {kind: 'none'}

type Save = (handlers: readonly Handler[], secrets?: readonly (readonly [string, string])[]) => Promise<boolean>

function HandlersOf({view}: {readonly view: SourceView}): ReactElement {
  const {request} = useActions()
  const [opened, setOpened] = useState<Opened>(NONE)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const {id: source, handlers} = view
  const save: Save = async (list, secrets = []) => {
    const answer = await request('handlers.set', {
      source,
      handlers: [...list],
      secrets: secrets.map(([id, secret]) => [id, secret]),
    })
    setError(answer.ok ? undefined : answer.error)
    if (answer.ok) setOpened(NONE)
    return answer.ok
  }
  const isOpen = (kind: 'trying' | 'removing', id: string) => opened.kind === kind && opened.id === id
  return (
    <Section title="Handlers">
      {handlers.length === 0 ? (
        <p className="muted">{noHandlersText(view.settings)}</p>
      ) : (
        <p className="muted small">
          They run in this order for each frame, before its position moves. If one fails, the frame is not handled, and
          its next attempt begins with the first one again.
        </p>
      )}
      <ol className="handlers">
        {handlers.map((handler, place) => (
          <li key={handler.id} className="handler" aria-label={handler.name}>
            <HandlerWords handler={handler} />
            <HandlerButtons handlers={handlers} place={place} save={save} open={setOpened} />
            {isOpen('trying', handler.id) ? <TryHandler source={source} handler={handler} /> : null}
            {isOpen('removing', handler.id) ? (
              <RemoveHandler
                handler={handler}
                remove={() => void save(handlers.filter(({id}) => id !== handler.id))}
                keep={() => setOpened(NONE)}
              />
            ) : null}
          </li>
        ))}
      </ol>
      {opened.kind === 'form' ? (
        <HandlerForm
          source={source}
          start={opened.draft}
          kept={handlers.find(({id}) => id === opened.draft.id)}
          onSave={(handler, secrets) =>
            void save(
              opened.isNew ? [...handlers, handler] : handlers.map((old) => (old.id === handler.id ? handler : old)),
              secrets,
            )
          }
          onCancel={() => setOpened(NONE)}
        />
      ) : (
        <button
          type="button"
          className="button"
          onClick={() => setOpened({kind: 'form', draft: emptyDraft(crypto.randomUUID()), isNew: true})}
        >
          Add a handler
        </button>
      )}
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </Section>
  )
}

function HandlerWords({handler}: {readonly handler: Handler}): ReactElement {
  const {name, rule, action} = handler
  return (
    <>
      <p className="handler-name">{name}</p>
      <p className="mono handler-action">{actionText(action)}</p>
      <p className="small">Runs for {ruleText(rule)}</p>
      <p className="muted small">{limitsText(handler)}.</p>
    </>
  )
}

interface ButtonsProps {
  readonly handlers: readonly Handler[]
  readonly place: number
  readonly save: Save
  readonly open: (opened: Opened) => void
}

function HandlerButtons({handlers, place, save, open}: ButtonsProps): ReactElement | null {
  const handler = handlers[place]
  if (handler === undefined) return null
  const {id, name} = handler
  const moved = (by: number): readonly Handler[] => {
    const others = handlers.filter((other) => other.id !== id)
    return [...others.slice(0, place + by), handler, ...others.slice(place + by)]
  }
  return (
    <div className="handler-buttons">
      <button
        type="button"
        className="button"
        aria-label={`Move ${name} up`}
        disabled={place === 0}
        onClick={() => void save(moved(-1))}
      >
        ↑
      </button>
      <button
        type="button"
        className="button"
        aria-label={`Move ${name} down`}
        disabled={place === handlers.length - 1}
        onClick={() => void save(moved(1))}
      >
        ↓
      </button>
      <button type="button" className="button" onClick={() => open({kind: 'trying', id})}>
        Test
      </button>
      <button
        type="button"
        className="button"
        onClick={() => open({kind: 'form', draft: draftOf(handler), isNew: false})}
      >
        Change
      </button>
      <button type="button" className="button" onClick={() => open({kind: 'removing', id})}>
        Remove
      </button>
    </div>
  )
}

interface RemoveProps {
  readonly handler: Handler
  readonly remove: () => void
  readonly keep: () => void
}

function RemoveHandler({handler, remove, keep}: RemoveProps): ReactElement {
  return (
    <div className="handler-confirm">
      <p>“{handler.name}” runs for no frame any more, and its secret is deleted. What it did stays in the history.</p>
      <div className="handler-buttons">
        <button type="button" className="button button-danger" onClick={remove}>
          Remove it
        </button>
        <button type="button" className="button" onClick={keep}>
          Keep it
        </button>
      </div>
    </div>
  )
}
