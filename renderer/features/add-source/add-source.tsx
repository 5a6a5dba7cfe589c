import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import './add-source.css'
import {PrimeForm} from './prime-form.tsx'
import {PrimeOffer} from './prime-offer.tsx'
import {SwitchForm} from './switch-form.tsx'

/** What can be watched. On an empty board this is the first screen. */
export function AddSource(): ReactElement {
  const {store} = useAppContext()
  const first = useApp((state) => state.sources.size === 0)
  const [form, setForm] = useState<'none' | 'switch' | 'prime'>('none')
  return (
    // Each form begins at its top, wherever the one before was scrolled to.
    <div className="add-source" key={form}>
      <div className="add-source-column">
        {form === 'switch' ? (
          <SwitchForm onBack={() => setForm('none')} />
        ) : form === 'prime' ? (
          <PrimeForm onBack={() => setForm('none')} />
        ) : (
          <>
            <h2>{first ? 'See where every agent stream stands' : 'Add a source'}</h2>
            <p className="muted add-source-lead">
              Tidemark watches the event streams that agents live on, keeps a durable position for each, and the whole
              history of how it moved and why.
            </p>
            <Demo />
            <PrimeOffer onMore={() => setForm('prime')} />
            <section className="add-source-kind">
              <h3>Watch a Switch agent</h3>
              <p className="muted">
                A live stream of a Switch agent bridge: positions per room, gaps the server declares, callbacks. You
                need the bridge’s URL, an agent’s id and its token.
              </p>
              <button type="button" className="button" onClick={() => setForm('switch')}>
                Watch a Switch agent
              </button>
            </section>
            {first ? null : (
              <button type="button" className="button" onClick={() => store.getState().setAddingSource(false)}>
                Back
              </button>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function Demo(): ReactElement | null {
  const {store, actions} = useAppContext()
  const info = useApp((state) => state.info)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  if (info?.demoAvailable === false) return null
  const start = async () => {
    setBusy(true)
    const started = await actions.request('demo.start', {})
    setBusy(false)
    setError(started.ok ? undefined : started.error)
    if (!started.ok) return
    const {setAddingSource, setScope, selectSource} = store.getState()
    setAddingSource(false)
    setScope(started.value.source)
    selectSource(started.value.source)
  }
  return (
    <section className="add-source-kind add-source-first">
      <h3>Start the demo</h3>
      <p className="muted">
        A real server on this machine plays a stream with everything in it: callbacks that pend and fail, a gap that
        moves a position back, an eviction. It takes a minute and needs nothing.
      </p>
      <button type="button" className="button add-source-demo" disabled={busy} onClick={() => void start()}>
        {busy ? 'Starting the demo server' : 'Start the demo'}
      </button>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}
