import {type FormEvent, type ReactElement, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {useUnsaved} from '../../state/leave.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {FormHead} from './form-head.tsx'
import {DaemonView} from './prime-daemons.tsx'
import {foundFirst} from './prime-source.ts'
import {WatchingEffects} from './side-effects.tsx'

/** Every daemon that is looked for, its sessions, and another path to look at. */
export function PrimeForm({onBack}: {readonly onBack: () => void}): ReactElement {
  const {actions} = useAppContext()
  const daemons = useApp((state) => state.daemons)
  const [listing, setListing] = useState(false)
  const listAgain = async () => {
    setListing(true)
    await actions.refreshDaemons()
    setListing(false)
  }
  return (
    <>
      <FormHead title="Watch a Prime Agent session" onBack={onBack} />
      <WatchingEffects />
      {daemons === undefined ? <p className="muted daemon">Not known yet: the engine has not answered.</p> : null}
      {foundFirst(daemons ?? []).map((daemon) => (
        <DaemonView key={daemon.socket} daemon={daemon} />
      ))}
      <div className="daemon-again">
        <button type="button" className="button" disabled={listing} onClick={() => void listAgain()}>
          {listing ? 'Asking' : 'List the sessions again'}
        </button>
        <span className="muted small">
          Sessions that come and go are listed by themselves; asking disturbs their streams.
        </span>
      </div>
      <SocketField />
    </>
  )
}

/** Where else a daemon may listen: one with another TMPDIR, or `--daemon-socket`. */
function SocketField(): ReactElement {
  const {actions} = useAppContext()
  const [socket, setSocket] = useState('')
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const path = socket.trim()
  useUnsaved(path !== '')
  const known = useApp((state) => state.daemons?.some((daemon) => daemon.socket === path) === true)
  const ask = async (forget: boolean) => {
    const answer = await actions.request('prime.socket', {socket: path, forget})
    setError(answer.ok ? undefined : answer.error)
    if (answer.ok) setSocket('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path !== '' && !known) void ask(false)
  }
  return (
    <form className="daemon-field" onSubmit={submit}>
      <label htmlFor="daemon-socket">Path of another socket</label>
      <input
        id="daemon-socket"
        className="field mono"
        spellCheck={false}
        maxLength={1000}
        value={socket}
        placeholder="/tmp/prime-agent-1000/daemon.sock"
        aria-describedby="daemon-socket-note"
        onChange={(event) => setSocket(event.target.value)}
      />
      <button type="submit" className="button" disabled={path === '' || known}>
        Look there too
      </button>
      <button type="button" className="button" disabled={!known} onClick={() => void ask(true)}>
        Forget it
      </button>
      <p className="muted small" id="daemon-socket-note">
        By itself Tidemark looks where Prime Agent puts its socket. A daemon with another TMPDIR, or one started with{' '}
        <span className="mono daemon-flag">--daemon-socket</span>, listens elsewhere.
      </p>
      {error === undefined ? null : <Explained explanation={explainRequestError(error)} urgent />}
    </form>
  )
}
