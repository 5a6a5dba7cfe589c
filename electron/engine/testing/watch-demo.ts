import {onTestFinished} from 'vitest'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {OWN, type Position, positionToJson, stepsFor} from '../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {type BridgeTiming, REAL_TIMING} from '../../demo/bridge-state.ts'
import {demoCallbacks} from '../../demo/callbacks.ts'
import type {Scenario} from '../../demo/scenario.ts'
import {findScenario} from '../../demo/scenarios.ts'
import {startDemoServer} from '../../demo/server.ts'
import type {Callbacks} from '../callbacks.ts'
import type {Clock} from '../clock.ts'
import type {DemoPort} from '../demo-port.ts'
import {createEngine, type Engine} from '../engine.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {type HttpTransportOptions, httpTransport} from '../switch/http-transport.ts'
import type {BeatRequest, OpenRequest, SwitchTransport} from '../switch/transport.ts'
import {expectPassive} from './expect-passive.ts'
import {createFastClock} from './fast-clock.ts'
import {passTime} from './pass-time.ts'
import {createPublished, type Published} from './published.ts'
import {until} from './until.ts'
import type {VirtualClock} from './virtual-clock.ts'
import {type WatchedStore, watchStore} from './watched-store.ts'
import {startWiretap, type Wiretap} from './wiretap.ts'

export interface WatchOptions {
  /** A name, or a scenario of the test's own. `steady` where not said. */
  readonly scenario?: Scenario | string
  /** The engine's; the server's is fast and real in any case. */
  readonly clock?: Clock
  /** How many times faster than real time. */
  readonly speed?: number
  /** Dice, where the test throws its own. In [0, 1). */
  readonly random?: () => number
  /** `scenario`: as the scenario says, in the clock's time. `none`: the journal is the callback. */
  readonly callbacks?: Callbacks | 'scenario' | 'none'
  readonly store?: Store
  /** The position held before; an imported cursor. */
  readonly start?: Position
  readonly startFrom?: 'head' | 'retained'
  /** The server's own times, in the clock's; forgiving where not said, so that a busy machine lets no heartbeat lapse. */
  readonly timing?: BridgeTiming
  /** Deadlines of requests; forgiving where not said. */
  readonly transport?: HttpTransportOptions
  readonly isForeign?: (connectionId: string) => boolean
  /** What the server's fence says first: the tap is ready, nobody has opened yet. */
  readonly before?: (tap: Wiretap) => void
}

/** A request as the client decided to send it, beside the `s` that was durable at that moment. */
export type Told<Request> = Request & {readonly acknowledged: number | undefined}

export interface Watched {
  readonly tap: Wiretap
  readonly engine: Engine
  readonly clock: Clock
  readonly source: SourceId
  readonly store: WatchedStore
  readonly published: Published
  readonly beatsTold: readonly Told<BeatRequest>[]
  readonly opensTold: readonly Told<OpenRequest>[]
  readonly position: () => {readonly [key: string]: number}
  readonly state: () => string
  readonly view: () => Promise<SourceView>
  /** The server process ends here, and answers nobody any more. */
  readonly stopServer: () => Promise<void>
  readonly until: (fact: () => boolean | Promise<boolean>, what: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Everything as a real server has it, but ten minutes without a beat are no lapse. */
const FORGIVING: BridgeTiming = {...REAL_TIMING, ttlMs: 600_000}
const PATIENT: HttpTransportOptions = {openMs: 100_000, beatMs: 40_000}

export const SOURCE = 'watched' as SourceId

/**
 * A demo server that plays a scenario, a wiretap before it, and an engine that watches through it over real sockets. All of it
 * ends with the test; then everything that was asked of the server must have been what a passive observer may ask.
 */
export async function watchDemo(options: WatchOptions = {}): Promise<Watched> {
  const {callbacks = 'none', start = new Map()} = options
  const scenario = scenarioOf(options.scenario ?? 'steady')
  const fast = createFastClock(options.speed ?? 10, options.random)
  const clock = options.clock ?? fast
  const {isForeign, timing = FORGIVING} = options
  const server = await startDemoServer({scenario, clock: fast, timing, ...(isForeign === undefined ? {} : {isForeign})})
  const tap = await startWiretap(server.url)
  options.before?.(tap)
  const durable = options.store ?? createMemoryStore()
  const [known] = (await durable.load()).sources
  const store = watchStore(durable, known?.position)
  const beatsTold: Told<BeatRequest>[] = []
  const opensTold: Told<OpenRequest>[] = []
  const target = {url: tap.url, agentId: server.agentId, token: server.token}
  const own = callbacks === 'scenario' ? demoCallbacks(scenario, clock) : callbacks
  const demo: DemoPort = {
    start: async () => ({target, callbacks: own === 'none' ? unreachable() : own}),
    stop: async () => {},
  }
  if (known === undefined) await store.commit(admission(options, {url: tap.url, demo: own !== 'none', start}, clock))
  const engine = await createEngine({
    store,
    clock,
    tokens: {get: async () => server.token, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: (to) =>
      telling(httpTransport(to, {clock, ...PATIENT, ...options.transport}), store, {beatsTold, opensTold}),
    demo,
    shell: {version: '0', mode: 'host', profile: 'test'},
  })
  const published = createPublished(engine)
  const view = async (): Promise<SourceView> => {
    const [only] = await engine.handlers['sources.list']({})
    if (only === undefined) throw new Error('the source is gone')
    return only
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= closeAll(engine, clock, tap, server.close))
  onTestFinished(async () => {
    await close()
    expectPassive(tap)
  })
  const about = () => ({
    state: store.connection()?.state,
    position: positionToJson(store.position()),
    opens: tap.opens.length,
  })
  return {
    tap,
    engine,
    clock,
    source: SOURCE,
    store,
    published,
    beatsTold,
    opensTold,
    position: () => positionToJson(store.position()),
    state: () => store.connection()?.state.kind ?? 'never opened',
    view,
    stopServer: server.close,
    until: (fact, what) => until(fact, what, about),
    close,
  }
}

function scenarioOf(named: Scenario | string): Scenario {
  const scenario = typeof named === 'string' ? findScenario(named) : named
  if (scenario === undefined) throw new Error(`no scenario is named ${String(named)}`)
  return scenario
}

async function closeAll(engine: Engine, clock: Clock, tap: Wiretap, closeServer: () => Promise<void>): Promise<void> {
  let closed = false
  const closing = engine.close().finally(() => (closed = true))
  // A callback that heeds no signal is waited for, in the clock's own time.
  while (!closed && isVirtual(clock)) await passTime(clock, 1_000, tap)
  await closing
  await tap.close()
  await closeServer()
}

function isVirtual(clock: Clock): clock is VirtualClock {
  return 'advance' in clock
}

function unreachable(): never {
  throw new Error('a source that is no demo has no callbacks')
}

/** How the source stands in the store before the engine starts. */
function admission(
  {startFrom = 'retained'}: WatchOptions,
  {url, demo, start}: {readonly url: string; readonly demo: boolean; readonly start: Position},
  clock: Clock,
): Parameters<Store['commit']>[0] {
  const at = clock.now()
  const settings: SourceRecord['settings'] = demo
    ? {kind: 'demo', scenario: 'of the test'}
    : {kind: 'switch', url, agentId: 'release-bot', watchAs: 'own', startFrom}
  const record = {id: SOURCE, name: 'watched', settings, connectionId: 'watcher-1', addedAt: at, paused: false}
  const steps = stepsFor(new Map(), false, {kind: 'replacement', resumed: start})
  return [
    {kind: 'sourceAdded', source: record},
    ...(steps.length === 0
      ? []
      : [{kind: 'cursorMoved', move: {source: SOURCE, at, cause: 'imported', steps}} as const]),
  ]
}

/** Writes down what each request says, beside what is durable when it is sent. */
function telling(
  transport: SwitchTransport,
  store: WatchedStore,
  told: {readonly beatsTold: Told<BeatRequest>[]; readonly opensTold: Told<OpenRequest>[]},
): SwitchTransport {
  return {
    open: (request, signal) => {
      told.opensTold.push({...request, acknowledged: store.position().get(OWN)})
      return transport.open(request, signal)
    },
    beat: (request, signal) => {
      told.beatsTold.push({...request, acknowledged: store.position().get(OWN)})
      return transport.beat(request, signal)
    },
  }
}
