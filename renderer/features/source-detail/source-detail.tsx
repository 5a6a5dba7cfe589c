import type {ReactElement, ReactNode} from 'react'
import {assertNever} from '../../../shared/base/assert-never.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {sessionName} from '../../../shared/sessions/session-key.ts'
import {wireOf} from '../../../shared/source/source.ts'
import {isAttached, openText} from '../../../shared/words/name-state.ts'
import {leave} from '../../state/leave.ts'
import {holdsCursor, selectedView} from '../../state/selectors.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {counted} from '../../ui/format.ts'
import {numberedText} from '../../ui/numbered-text.ts'
import {Facts, Section} from '../../ui/panel.tsx'
import {WhileReached} from '../../ui/while-reached.tsx'
import {ConnectionView} from './connection-view.tsx'
import {DemoServer} from './demo-server.tsx'
import {Generations} from './generations.tsx'
import {Positions} from './positions.tsx'
import {SessionView} from './session-view.tsx'
import './source-detail.css'
import {SourceSettingsView} from './source-settings-view.tsx'

/** Everything about one source: connection, position, what came of its frames, what runs for them, settings. */
export function SourceDetail({handlers}: {readonly handlers: ReactNode}): ReactElement {
  const {store} = useAppContext()
  const view = useApp(selectedView)
  if (view === undefined) return <p className="muted">This source is not known; it may have been removed.</p>
  return (
    <div className="source-detail">
      <button
        type="button"
        className="close-button"
        aria-label="Close the source"
        onClick={() => leave(store, 'source')}
      >
        ×
      </button>
      <h2 className="source-title">{view.name}</h2>
      <p className="muted small">{whereText(view)}</p>
      <ConnectionView view={view} />
      {view.settings.kind === 'demo' && wireOf(view.settings) === 'numbered' ? (
        <WhileReached>
          <DemoServer key={`demo ${view.id}`} view={view} />
        </WhileReached>
      ) : null}
      {view.session === undefined ? null : <SessionView session={view.session} attached={isAttached(view)} />}
      <Positions view={view} />
      {holdsCursor(view) ? <Generations view={view} /> : null}
      <Section title="What came of its frames">
        <Facts facts={outcomeFacts(view)} />
      </Section>
      <WhileReached>
        {handlers}
        <SourceSettingsView key={view.id} view={view} />
      </WhileReached>
    </div>
  )
}

function rejectedText({counts: {rejected}, rejectedOpen}: SourceView): string {
  const many = counted(rejected, 'delivery', 'deliveries')
  return rejected === 0 ? many : `${many}, ${openText(rejectedOpen)}`
}

const DEMO_WHERE: {readonly [W in ReturnType<typeof wireOf>]: string} = {
  switch: 'The built-in demo server, over loopback',
  prime: 'A session of the built-in demo daemon, over a local socket',
  numbered: 'The built-in numbered demo server, over loopback · lines of JSON',
}

function whereText({settings}: SourceView): string {
  switch (settings.kind) {
    case 'demo':
      return DEMO_WHERE[wireOf(settings)]
    case 'prime':
      return `${settings.socket} · session ${sessionName(settings)}`
    case 'numbered':
      return numberedText(settings)
    case 'recording':
      return `From the file ${settings.file}`
    case 'switch':
      return `${settings.url} · agent ${settings.agentId} · ${settings.watchAs === 'own' ? 'own identity' : 'the agent’s own token'}`
    default:
      return assertNever(settings)
  }
}

function outcomeFacts(view: SourceView): ReadonlyArray<{readonly name: string; readonly value: string}> {
  const {counts} = view
  const ofCursors = [
    // Of a numbered stream a snapshot is a message with a number like any other.
    ...(wireOf(view.settings) === 'prime'
      ? [{name: 'Snapshots', value: `${counts.snapshots}, none of them counted as an event`}]
      : []),
    {name: 'Holes', value: `${counts.holes} seen`},
    {name: 'Duplicates', value: `${counts.duplicate} ignored`},
    {name: 'Stale', value: `${counts.stale} ignored`},
  ]
  return [
    {name: 'Frames', value: String(counts.frames)},
    {name: 'Handled', value: String(counts.handled)},
    {name: 'Rejected', value: rejectedText(view)},
    {name: 'Skipped', value: `${counts.skipped} by the user`},
    {name: 'Discarded', value: `${counts.discarded} unknown`},
    {name: 'Malformed', value: String(counts.malformed)},
    {name: 'Control', value: String(counts.control)},
    {name: 'Gaps', value: `${counts.gaps} declared`},
    ...(holdsCursor(view) ? ofCursors : []),
  ]
}
