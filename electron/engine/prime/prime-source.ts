import type {Activity} from '../../../shared/history/activity.ts'
import type {SessionKey} from '../../../shared/sessions/session-key.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {Overlay} from '../cursor-source/overlay.ts'
import type {WatchDeps} from '../watch-source.ts'
import type {DaemonConnection} from './daemon-connection.ts'
import type {DaemonWatch} from './daemon-watch.ts'
import type {Succession} from './succession.ts'
import type {SocketTransport} from './transport.ts'

/** Which session is watched, and through whom. */
export interface PrimeSourceDeps {
  readonly socket: string
  /** What names the session, as far as it is known now. */
  readonly session: () => SessionKey
  readonly transport: SocketTransport
  /** Who knows where the session is resident now. */
  readonly daemon: DaemonWatch
  readonly succession: Succession
  /** What earlier runs of this source left open. */
  readonly openActivities: () => Promise<readonly Activity[]>
}

export type PrimeRunDeps = WatchDeps & PrimeSourceDeps & {readonly overlay: Overlay}

/** An activation to attach to, or one that is attached already. */
export interface Place {
  readonly activeSessionId: string
  readonly handed?: DaemonConnection
  readonly supervisor?: Supervisor
}
