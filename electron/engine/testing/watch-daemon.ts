import {onTestFinished} from 'vitest'
import type {GenerationRow, SourceView} from '../../../shared/contract/rows.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import type {PrimeScenario} from '../../demo/prime/scenario.ts'
import {findPrimeScenario} from '../../demo/prime/scenarios.ts'
import {type DemoDaemon, startDemoDaemon} from '../../demo/prime/server.ts'
import type {Callbacks} from '../callbacks.ts'
import type {Clock} from '../clock.ts'
import {createEngine, type Engine} from '../engine.ts'
import {socketTransport} from '../prime/socket-transport.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {createFastClock} from './fast-clock.ts'
import {createPublished, type Published} from './published.ts'
import {until} from './until.ts'
import {type WatchedStore, watchStore} from './watched-store.ts'

export interface WatchDaemonOptions {
  /** A name, or a scenario of the test's own. `still` where not said. */
  readonly scenario?: PrimeScenario | string
  /** How many times faster than real time. */
  readonly speed?: number
  /** Absent: the journal is the callback. */
  readonly callbacks?: Callbacks
  readonly store?: Store
  /** A daemon that runs already. */
  readonly daemon?: DemoDaemon
  /** Another session than the scenario's first. */
  readonly sessionId?: string
}

export interface WatchedDaemon {
  readonly daemon: DemoDaemon
  readonly engine: Engine
  readonly clock: Clock
  readonly store: WatchedStore
  readonly published: Published
  readonly source: SourceId
  readonly view: () => Promise<SourceView>
  readonly views: () => Promise<readonly SourceView[]>
  readonly generations: () => Promise<readonly GenerationRow[]>
  /** What became durable of the source, as outcome and event. */
  readonly told: () => readonly string[]
  readonly until: (fact: () => boolean | Promise<boolean>, what: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const DAEMON_SOURCE = 'watched' as SourceId

/** A demo daemon that plays a scenario on a real local socket, and an engine that watches its first session. All of it ends with the test. */
export async function watchDaemon(options: WatchDaemonOptions = {}): Promise<WatchedDaemon> {
  const clock = createFastClock(options.speed ?? 10)
  const scenario = scenarioOf(options.scenario ?? 'still')
  const daemon = options.daemon ?? (await startDemoDaemon({scenario, clock}))
  const durable = options.store ?? createMemoryStore()
  const [known] = (await durable.load()).sources
  const store = watchStore(durable, known?.position)
  const key = scenario.sessions[0]?.key
  const sessionId = options.sessionId ?? (key === undefined ? 'none' : daemon.namesOf(key).sessionId)
  if (known === undefined)
    await store.commit([
      {kind: 'sourceAdded', source: recordOf(options, {socket: daemon.socketPath, sessionId}, clock)},
    ])
  const {callbacks} = options
  const engine = await createEngine({
    store,
    clock,
    tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: () => {
      throw new Error('no bridge is watched here')
    },
    demo: {
      start: () => Promise.reject(new Error('no bridge is watched here')),
      startDaemon: async () => ({
        socket: daemon.socketPath,
        sessionId,
        ...(callbacks === undefined ? {} : {callbacks}),
      }),
      stop: async () => {},
    },
    prime: {transport: socketTransport(clock), sockets: {load: async () => [], save: async () => {}}},
    shell: {version: '0', mode: 'host', profile: 'test'},
  })
  const published = createPublished(engine)
  const views = (): Promise<readonly SourceView[]> => engine.handlers['sources.list']({})
  const view = async (): Promise<SourceView> => {
    const found = (await views()).find(({id}) => id === DAEMON_SOURCE)
    if (found === undefined) throw new Error('the source is gone')
    return found
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= engine.close())
  onTestFinished(async () => {
    await close()
    await daemon.close()
  })
  const told = (): readonly string[] =>
    [...store.frames.values()].map(({frame, outcomes}) => `${outcomes.at(-1)} ${frame.event}`)
  return {
    daemon,
    engine,
    clock,
    store,
    published,
    source: DAEMON_SOURCE,
    view,
    views,
    generations: async () =>
      (await engine.handlers['generations.list']({source: DAEMON_SOURCE, limit: 500})).generations,
    told,
    until: (fact, what) =>
      until(fact, what, () => ({state: store.connection()?.state, told: told().slice(-20)}), 20_000),
    close,
  }
}

function scenarioOf(named: PrimeScenario | string): PrimeScenario {
  const scenario = typeof named === 'string' ? findPrimeScenario(named) : named
  if (scenario === undefined) throw new Error(`no scenario is named ${String(named)}`)
  return scenario
}

/** With callbacks it is a source of the demo, which brings them; without, a session as the user adds it. */
function recordOf(
  {callbacks}: WatchDaemonOptions,
  session: {readonly socket: string; readonly sessionId: string},
  clock: Clock,
): SourceRecord {
  const settings =
    callbacks === undefined ? ({kind: 'prime', ...session} as const) : ({kind: 'demo', scenario: 'prime:test'} as const)
  return {id: DAEMON_SOURCE, name: 'watched', settings, connectionId: 'none', addedAt: clock.now(), paused: false}
}
