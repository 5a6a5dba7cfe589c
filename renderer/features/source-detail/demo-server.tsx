import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import type {StoreFate} from '../../../shared/source/demo.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useActions} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {Section} from '../../ui/panel.tsx'

/** The numbered demo's own server, to be restarted with the store that its numbers are in, or without. */
export function DemoServer({view}: {readonly view: SourceView}): ReactElement {
  const {request} = useActions()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const restart = async (store: StoreFate) => {
    setBusy(true)
    const answer = await request('demo.restart', {source: view.id, store})
    setBusy(false)
    setSaid(answer.ok ? SAID[store] : '')
    setError(answer.ok ? undefined : answer.error)
  }
  return (
    <Section title="The demo’s server">
      <p className="demo-server-note">
        It keeps every snapshot and event on disk. A cursor stays valid over a restart for as long as that store is
        there.
      </p>
      <div className="settings-row">
        <button type="button" className="button" disabled={busy} onClick={() => void restart('kept')}>
          Restart with its store
        </button>
        <button type="button" className="button button-danger" disabled={busy} onClick={() => void restart('lost')}>
          Lose its store
        </button>
      </div>
      {said === '' ? null : <p role="status">{said}</p>}
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </Section>
  )
}

const SAID: {readonly [S in StoreFate]: string} = {
  kept: 'Restarted with its store: its numbers go on.',
  lost: 'Restarted without its store: it counts anew, from generation 1.',
}
