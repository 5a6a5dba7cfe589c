import {type ReactElement, useState} from 'react'
import {useApp, useAppContext} from '../../state/use-app.ts'
import './add-source.css'
import {WhileReached} from '../../ui/while-reached.tsx'
import {ChangeSource} from './change-source.tsx'
import {Demos} from './demos.tsx'
import {NumberedForm} from './numbered-form.tsx'
import {PrimeForm} from './prime-form.tsx'
import {PrimeOffer} from './prime-offer.tsx'
import {SwitchForm} from './switch-form.tsx'

/** What can be watched. On an empty board this is the first screen. */
export function AddSource(): ReactElement {
  const {store} = useAppContext()
  const first = useApp((state) => state.sources.size === 0)
  const changed = useApp(({sources, changing}) => (changing === undefined ? undefined : sources.get(changing)))
  const [form, setForm] = useState<'none' | 'switch' | 'prime' | 'numbered'>('none')
  if (changed !== undefined) return <ChangeSource key={changed.id} view={changed} />
  return (
    // Each form begins at its top, wherever the one before was scrolled to.
    <div className="add-source" key={form}>
      <div className="add-source-column">
        {form === 'switch' ? (
          <SwitchForm onBack={() => setForm('none')} />
        ) : form === 'prime' ? (
          <PrimeForm onBack={() => setForm('none')} />
        ) : form === 'numbered' ? (
          <NumberedForm onBack={() => setForm('none')} />
        ) : (
          <>
            <h2>{first ? 'See where every agent stream stands' : 'Add a source'}</h2>
            <p className="muted add-source-lead">
              Tidemark watches the event streams that agents live on, keeps a durable position for each, and the whole
              history of how it moved and why.
            </p>
            <WhileReached>
              <Demos />
            </WhileReached>
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
            <section className="add-source-kind">
              <h3>Watch a numbered stream</h3>
              <p className="muted">
                Anything whose messages carry a cursor {'{generation, sequence}'}: lines of JSON over a socket or in a
                file, or server-sent events. You say where the cursor stands and how to ask for what comes after it.
              </p>
              <button type="button" className="button" onClick={() => setForm('numbered')}>
                Watch a numbered stream
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
