import {once} from 'node:events'
import {fsyncSync, openSync, writeSync} from 'node:fs'
import {demoCallbacks} from '../../../demo/callbacks.ts'
import {findScenario} from '../../../demo/scenarios.ts'
import type {Callbacks, Delivery} from '../../callbacks.ts'
import {systemClock} from '../../clock.ts'
import {createEngine} from '../../engine.ts'
import type {EngineDeps} from '../../engine-deps.ts'
import {profileFiles} from '../../store/profile.ts'
import {lockProfile} from '../../store/profile-lock.ts'
import {openSqliteStore} from '../../store/sqlite-store.ts'
import type {Store} from '../../store/store.ts'
import {type ChildPlan, type Effect, nameOf, type Passed, textOfPosition} from './point.ts'
import {type Telling, tellingStore, tellingTransport} from './tell-frames.ts'
import {createTeller} from './teller.ts'

/*
 * A process that watches one source with a real store, made to be killed. It says every point it passes, written at once; the
 * thread that is to wait goes on only when it is let, and blocks there, so that nothing happens on it meanwhile.
 */

/** However its parent ends, this process ends: when standard input closes, or after so long. In ms. */
const LONGEST_LIFE_MS = 120_000

const plan = JSON.parse(process.argv[2] ?? '') as ChildPlan // written by run-child.ts
const clock = systemClock()
const effects = openSync(plan.effects, 'a')
const tell = createTeller<Passed>({says: 1, hears: 0, waits: plan.waits === 'engine'})
let close: () => Promise<void> = async () => {}
let closes = plan.closes

function pass(passed: Passed): void {
  tell(passed)
  if (passed.point === 'settled' && passed.outcomes?.includes('handled') === true) closeBecause('settled')
}

function closeBecause(why: ChildPlan['closes']): void {
  if (closes !== why || why === undefined) return
  closes = undefined
  tell({point: 'closing', frames: []})
  void close()
}

/** The work of a callback: one line that survives the process, and then what the scenario says of it. */
function working(then: Callbacks['onEvent']): Callbacks['onEvent'] {
  return async (delivery: Delivery, signal: AbortSignal) => {
    const {frame, attempt} = delivery
    const frames = [nameOf(frame.data)]
    pass({point: 'begun', frames})
    const effect: Effect = {frame: frames[0] ?? '', attempt}
    writeSync(effects, `${JSON.stringify(effect)}\n`)
    fsyncSync(effects)
    pass({point: 'effect', frames})
    if (closes === 'inCallback') {
      closeBecause('inCallback')
      if (!signal.aborted) await once(signal, 'abort')
      signal.throwIfAborted()
    }
    await then(delivery, signal)
    pass({point: 'ended', frames})
  }
}

function callbacks(): Callbacks {
  const nothing = (): Promise<void> => clock.wait(0, new AbortController().signal)
  const scenario = plan.work.kind === 'scenario' ? findScenario(plan.work.name) : undefined
  const speed = plan.work.kind === 'scenario' ? plan.work.speed : 1
  const then = scenario === undefined ? {onEvent: nothing, onGap: nothing} : demoCallbacks(scenario, clock, speed)
  return {onEvent: working(then.onEvent), onGap: working(then.onGap)}
}

async function openStore(): Promise<Store> {
  const workerUrl = new URL('./telling-worker.ts', import.meta.url)
  const store = await openSqliteStore({path: profileFiles(plan.profile).store, workerUrl})
  if (!store.ok) throw new Error(`the store does not open: ${store.error.kind}: ${store.error.detail}`)
  return store.value
}

function depsOf(store: Store, telling: Telling): EngineDeps {
  const {url, agentId, token} = plan
  return {
    store,
    clock,
    tokens: {get: async () => token, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: (to) => tellingTransport(to, clock, telling),
    demo: {start: async () => ({target: {url, agentId, token}, callbacks: callbacks()}), stop: async () => {}},
    shell: {version: '0', mode: 'host', profile: plan.profile},
    ...(plan.keepDays === undefined ? {} : {keep: {maxAgeDays: plan.keepDays}}),
  }
}

async function main(): Promise<void> {
  const lock = lockProfile(plan.profile, {pid: process.pid, mode: 'test', since: clock.now()})
  if (!lock.ok) throw new Error(`the profile is not free: ${lock.error.kind}`)
  const store = await openStore()
  const [known] = (await store.load()).sources
  const telling: Telling = {pass, held: new Map(known?.position)}
  const engine = await createEngine(depsOf(tellingStore(store, telling, known), telling))
  close = engine.close
  engine.subscribe(({sources: [source]}) => {
    if (source !== undefined) tell({point: 'published', frames: [], position: textOfPosition(source.position)})
  })
  if (known !== undefined) return
  const {url, agentId, token} = plan
  const settings =
    plan.work.kind === 'none'
      ? ({kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const)
      : ({kind: 'demo', scenario: 'of the test'} as const)
  await engine.handlers['sources.add']({name: 'watched', settings, token})
}

setTimeout(() => process.exit(3), LONGEST_LIFE_MS).unref()
if (plan.waits !== 'engine') process.stdin.on('end', () => process.exit(0)).resume()
await main()
