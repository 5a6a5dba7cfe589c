import {err, ok, type Result} from '../../shared/base/result.ts'
import type {RetentionLimits} from '../../shared/history/retention.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import type {Clock} from './clock.ts'
import type {DemoPort} from './demo-port.ts'
import {createEngine, type Engine} from './engine.ts'
import type {ShellInfo} from './engine-deps.ts'
import {createGuard, type Guard} from './handlers/guard.ts'
import type {RunHandler} from './handlers/handler-callbacks.ts'
import {type Notify, notifySomewhere} from './handlers/notify.ts'
import {reapLeftOver} from './handlers/reap-left-over.ts'
import {createHandlerRunner} from './handlers/run-handler.ts'
import type {OpenNumbered} from './numbered/transport.ts'
import type {PrimeDeps} from './prime/create-prime.ts'
import {socketListIn} from './prime/socket-list.ts'
import type {OpenTransport} from './reach.ts'
import {profileFiles} from './store/profile.ts'
import {lockProfile, type ProfileOwner} from './store/profile-lock.ts'
import {openSqliteStore} from './store/sqlite-store.ts'
import {type StoreError, StoreFailure} from './store/store.ts'
import type {ProbeHealth} from './switch/probe-health.ts'
import type {TokenStore} from './tokens.ts'

export interface ProfileOptions {
  /** The profile's folder; made where there is none. */
  readonly directory: string
  readonly mode: ShellInfo['mode']
  readonly version: string
  /** `store-worker` as source, or where a build put it. */
  readonly workerUrl: URL
  /** `watchdog`, likewise. */
  readonly watchdogUrl: URL
  /** Shows notifications outside of pages, where this shell can. */
  readonly desktop?: Notify
  readonly clock: Clock
  readonly tokens: TokenStore
  readonly openTransport: OpenTransport
  readonly probeHealth: ProbeHealth
  readonly demo?: DemoPort
  /** How Prime daemons on this machine are found. Absent: none is looked for. */
  readonly prime?: Omit<PrimeDeps, 'sockets'>
  /** How numbered streams are opened. Absent: none is. */
  readonly openNumbered?: OpenNumbered
  /** How much history is kept. Absent: all of it. */
  readonly keep?: RetentionLimits
  /** Which sources are watched. Absent: all that are not paused. */
  readonly watches?: (source: SourceRecord) => boolean
  readonly onTrouble: (error: StoreError) => void
}

export type ProfileError =
  /** Another process owns this profile. It may be read, not watched twice. */
  {readonly kind: 'owned'; readonly owner?: ProfileOwner} | StoreError

/** The engine of one profile, owned by this process until it is closed. */
export interface OpenProfile {
  readonly engine: Engine
  /** Tells a second process where the first can be reached. */
  readonly announce: (url: string) => void
  readonly close: () => Promise<void>
}

/** Takes the profile, opens its store, and starts to watch. One process a profile: two would move one cursor. */
export async function openProfile(options: ProfileOptions): Promise<Result<OpenProfile, ProfileError>> {
  const {directory, mode, version, clock} = options
  const lock = lockProfile(directory, {pid: process.pid, mode, since: clock.now()})
  if (!lock.ok) return lock
  const {store: path} = profileFiles(directory)
  const store = await openSqliteStore({path, workerUrl: options.workerUrl, onTrouble: options.onTrouble})
  if (!store.ok) {
    lock.value.release()
    return store
  }
  const shell = {mode, version, profile: directory}
  const {prime, ...others} = options
  const {daemonSockets, running} = profileFiles(directory)
  const sockets = socketListIn(daemonSockets)
  const daemons = prime === undefined ? {} : {prime: {...prime, sockets}}
  reapLeftOver(running)
  const guard = createGuard({watchdogUrl: options.watchdogUrl, file: running})
  const handlerRunner = runnerOf(options, guard)
  const engine = await createEngine({...others, ...daemons, store: store.value, shell, handlerRunner}).catch(
    storeFailure,
  )
  if ('error' in engine) {
    guard.close()
    await store.value.close()
    lock.value.release()
    return err(engine.error)
  }
  const close = async (): Promise<void> => {
    await engine.close()
    guard.close()
    lock.value.release()
  }
  return ok({engine, announce: lock.value.announce, close})
}

function runnerOf({clock, tokens, desktop}: ProfileOptions, guard: Guard): (pages: Notify) => RunHandler {
  return (pages) =>
    createHandlerRunner({
      clock,
      tokens,
      guard,
      notify: notifySomewhere(desktop, pages, clock),
      environment: process.env,
    })
}

/** The first commit may find a full or a broken disk; anything else that goes wrong is a bug and throws. */
function storeFailure(cause: unknown): StoreFailure {
  if (cause instanceof StoreFailure) return cause
  throw cause
}
