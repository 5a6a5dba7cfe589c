import type {ReactElement} from 'react'
import {explainDaemon} from '../../../shared/words/name-daemon.ts'
import {useApp} from '../../state/use-app.ts'
import {DaemonView} from './prime-daemons.tsx'
import {WatchingInShort} from './side-effects.tsx'

/** Prime Agent on the first screen: the sessions of a daemon that was found, by themselves; else what was found instead. */
export function PrimeOffer({onMore}: {readonly onMore: () => void}): ReactElement {
  const daemons = useApp((state) => state.daemons)
  const found = daemons?.filter(({state}) => state === 'connected') ?? []
  return (
    <section className={found.length > 0 ? 'add-source-kind add-source-found' : 'add-source-kind'}>
      <h3>Watch a Prime Agent session</h3>
      {found.length > 0 ? (
        <>
          <WatchingInShort />
          {found.map((daemon) => (
            <DaemonView key={daemon.socket} daemon={daemon} />
          ))}
        </>
      ) : (
        <NotFound />
      )}
      <button type="button" className="button" onClick={onMore}>
        Prime sessions and sockets
      </button>
    </section>
  )
}

function NotFound(): ReactElement {
  const daemons = useApp((state) => state.daemons)
  const words =
    daemons === undefined
      ? 'Whether its daemon runs is not known yet.'
      : daemons.length === 0
        ? 'No socket is looked at.'
        : undefined
  return (
    <>
      <p className="muted">
        A live session of Prime Agent’s daemon on this machine: its cursor, generations, snapshots, and what its agent
        does. It is found by itself when it runs.
      </p>
      {words === undefined ? null : <p className="muted">{words}</p>}
      {daemons?.map((daemon) => (
        <p key={daemon.socket}>
          <span className="mono daemon-socket">{daemon.socket}</span>: {explainDaemon(daemon).title}
        </p>
      ))}
    </>
  )
}
