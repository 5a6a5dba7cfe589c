import type {StoreFate} from '../../shared/source/demo.ts'
import type {NumberedSettings} from '../../shared/source/numbered.ts'
import type {Wire} from '../../shared/source/source.ts'
import type {Callbacks} from './callbacks.ts'
import type {SwitchTarget} from './switch/transport.ts'

/** How the engine reaches the built-in demo without knowing it: a server like any other, and callbacks that really delay and throw. */
export interface DemoPort {
  /** Starts the server of a scenario, or tells where it already runs. */
  readonly start: (scenario: string) => Promise<{readonly target: SwitchTarget; readonly callbacks: Callbacks}>
  /** The same for a daemon: the socket it listens on, and the session to watch. Absent: this demo has no daemons. */
  readonly startDaemon?: (scenario: string) => Promise<DemoSession>
  /** The same for a server of numbered cursors, with a snapshot store that outlives it. Absent: this demo has none. */
  readonly startNumbered?: (scenario: string) => Promise<NumberedDemo>
  /** Whether a server of this wire has such a scenario. Absent: that is found out when it is started. */
  readonly plays?: (wire: Wire, scenario: string) => boolean
  /** Whether a daemon of the demo listens on this socket, or did in an earlier run. Absent: none does. */
  readonly owns?: (socket: string) => boolean
  /** Ends that server's process and starts it again, with its snapshot store or without. Absent: this demo has none. */
  readonly restartNumbered?: (scenario: string, store: StoreFate) => Promise<void>
  readonly stop: () => Promise<void>
}

export interface DemoSession {
  readonly socket: string
  readonly sessionId: string
  readonly callbacks?: Callbacks
}

export interface NumberedDemo {
  readonly settings: NumberedSettings
  readonly callbacks?: Callbacks
}
