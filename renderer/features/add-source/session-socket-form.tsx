import {type ReactElement, useState} from 'react'
import {newSource} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {sessionName} from '../../../shared/sessions/session-key.ts'
import {explainSessionTrial} from '../../../shared/words/name-daemon.ts'
import {differ, useUnsaved} from '../../state/leave.ts'
import {Explained} from '../../ui/explained.tsx'
import {useFirstField} from '../../ui/use-first-field.ts'
import {CodeField} from './code-field.tsx'
import type {DraftReading} from './draft-reading.ts'
import {FormHead} from './form-head.tsx'
import {NameField} from './name-field.tsx'
import {TestAndSave} from './test-and-save.tsx'

export interface SessionSocketFormProps {
  readonly of: SourceView
  readonly settings: Extract<SourceView['settings'], {kind: 'prime'}>
  readonly onBack: () => void
}

/** Where the daemon of a watched session listens. Which session it is stays. */
export function SessionSocketForm({of, settings, onBack}: SessionSocketFormProps): ReactElement {
  const start = {name: of.name, socket: settings.socket}
  const [draft, setDraft] = useState(start)
  const form = useFirstField<HTMLFormElement>()
  useUnsaved(differ(draft, start))
  return (
    <form className="switch-form" ref={form} onSubmit={(event) => event.preventDefault()}>
      <FormHead title={`Change “${of.name}”`} onBack={onBack} />
      <p className="muted">
        The session <span className="mono">{sessionName(settings)}</span>, its cursor and its history stay.
      </p>
      <div className="switch-fields numbered-fields">
        <CodeField
          title="Socket of the daemon"
          value={draft.socket}
          placeholder="/tmp/prime-agent-1000/daemon.sock"
          maxLength={1_000}
          onChange={(socket) => setDraft((held) => ({...held, socket}))}
        />
        <NameField
          value={draft.name}
          placeholder={of.name}
          onChange={(name) => setDraft((held) => ({...held, name}))}
        />
      </div>
      <TestAndSave
        of={of}
        draft={draft}
        reading={readSocketDraft(draft, of, settings)}
        asking="Asking the daemon"
        note="The test lists the daemon’s sessions, and attaches to none."
        told={(test) =>
          test.kind === 'session' ? (
            <Explained explanation={explainSessionTrial(test)} tone={test.resident ? 'plain' : 'waiting'} />
          ) : null
        }
      />
    </form>
  )
}

function readSocketDraft(
  {name, socket}: {readonly name: string; readonly socket: string},
  of: SourceView,
  settings: SessionSocketFormProps['settings'],
): DraftReading {
  if (socket.trim() === '') return {kind: 'notReady', missing: ['the path of the socket']}
  const source = newSource.safeParse({
    name: name.trim() === '' ? of.name : name,
    settings: {...settings, socket: socket.trim()},
  })
  return source.success ? {kind: 'ready', source: source.data} : {kind: 'notReady', missing: [source.error.message]}
}
