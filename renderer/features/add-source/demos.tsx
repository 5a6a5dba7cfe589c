import {type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {DemoName} from '../../../shared/source/demo.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useActions, useApp} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {useShowSource} from './show-source.ts'

/** The demo's servers: the first of them to begin with, and one for each of the other two wires. */
export function Demos(): ReactElement | null {
  const info = useApp((state) => state.info)
  const {request} = useActions()
  const show = useShowSource()
  const [busy, setBusy] = useState<DemoName | undefined>(undefined)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  if (info?.demoAvailable === false) return null
  const start = async (which: DemoName) => {
    setBusy(which)
    const started = await request('demo.start', {which})
    setBusy(undefined)
    setError(started.ok ? undefined : started.error)
    if (started.ok) show(started.value.source)
  }
  return (
    <section className="add-source-kind add-source-first">
      <h3>Start the demo</h3>
      <p className="muted">
        A real server on this machine plays a stream with everything in it: callbacks that pend and fail, a gap that
        moves a position back, an eviction. It takes a minute and needs nothing.
      </p>
      <button
        type="button"
        className="button add-source-demo"
        disabled={busy !== undefined}
        onClick={() => void start('switch')}
      >
        {busy === 'switch' ? 'Starting the demo server' : 'Start the demo'}
      </button>
      <ul className="demo-others">
        {OTHERS.map(({which, button, shows}) => (
          <li key={which}>
            <button type="button" className="button" disabled={busy !== undefined} onClick={() => void start(which)}>
              {busy === which ? 'Starting its server' : button}
            </button>
            <span>{shows}</span>
          </li>
        ))}
      </ul>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </section>
  )
}

const OTHERS: ReadonlyArray<{readonly which: DemoName; readonly button: string; readonly shows: string}> = [
  {
    which: 'prime',
    button: 'Play an agent’s session',
    shows:
      'A daemon with an agent at work: answers as they stream, tools, a worker that dies without a word, and the second generation its session goes on under.',
  },
  {
    which: 'numbered',
    button: 'Play a numbered stream',
    shows:
      'A server whose cursors outlive it while its snapshots are kept: restart it with them or without, and see what becomes of yours.',
  },
]
