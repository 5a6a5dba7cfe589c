import type {RetentionLimits} from '../../shared/history/retention.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import type {Clock} from './clock.ts'
import type {DemoPort} from './demo-port.ts'
import type {RunHandler} from './handlers/handler-callbacks.ts'
import type {Notify} from './handlers/notify.ts'
import type {OpenNumbered} from './numbered/transport.ts'
import type {PrimeDeps} from './prime/create-prime.ts'
import type {OpenTransport} from './reach.ts'
import type {Store, StoreError} from './store/store.ts'
import type {ProbeHealth} from './switch/probe-health.ts'
import type {TokenStore} from './tokens.ts'

/** What a shell tells about itself, for the screen's status bar. */
export interface ShellInfo {
  readonly version: string
  readonly mode: 'host' | 'electron'
  readonly profile: string
}

export interface EngineDeps {
  readonly store: Store
  readonly clock: Clock
  readonly tokens: TokenStore
  readonly openTransport: OpenTransport
  /** Asked before a token goes to a URL that was only typed. Absent: whoever composes this engine knows its servers. */
  readonly probeHealth?: ProbeHealth
  readonly demo?: DemoPort
  /** How Prime daemons on this machine are found. Absent: none is looked for. */
  readonly prime?: PrimeDeps
  /** How numbered streams are opened. Absent: none is. */
  readonly openNumbered?: OpenNumbered
  readonly shell: ShellInfo
  /** What runs the user's handlers, given a way to show something in the pages. Absent: every handler fails, and says why. */
  readonly handlerRunner?: (pages: Notify) => RunHandler
  /** How much history is kept. Absent: all of it. */
  readonly keep?: RetentionLimits
  /** Which sources are watched from the start. Absent: all that are not paused. */
  readonly watches?: (source: SourceRecord) => boolean
  /** Told what the store could not do where nobody waits for it. */
  readonly onTrouble?: (error: StoreError) => void
}
