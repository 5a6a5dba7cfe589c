import {fsyncSync, openSync, readSync, writeSync} from 'node:fs'
import type {Change} from '../../../../shared/history/change.ts'
import {type CoordinateKey, OWN, type Sequence, takeSteps} from '../../../../shared/position/position.ts'
import type {Delivery} from '../../callbacks.ts'
import {systemClock} from '../../clock.ts'
import {createEngine} from '../../engine.ts'
import {profileFiles} from '../../store/profile.ts'
import {lockProfile} from '../../store/profile-lock.ts'
import {openSqliteStore} from '../../store/sqlite-store.ts'
import type {Store, StoredSource} from '../../store/store.ts'
import {httpTransport} from '../../switch/http-transport.ts'
import type {SwitchTarget, SwitchTransport} from '../../switch/transport.ts'
import {type ChildPlan, type Effect, nameOf, nameOfBytes, type Passed} from './point.ts'

/*
 * A process that watches one source with a real store, made to be killed. It says every point it passes on standard output,
 * written at once, and in step mode goes on only when it is let; it blocks there, so that nothing happens meanwhile.
 */

/** However its parent ends, this process ends: when standard input closes, or after so long. In ms. */
const LONGEST_LIFE_MS = 60_000

const plan = JSON.parse(process.argv[2] ?? '') as ChildPlan // written by run-child.ts
const clock = systemClock()
const byte = Buffer.alloc(1)
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const effects = openSync(plan.effects, 'a')

function pass(passed: Passed): void {
  writeSync(1, `${JSON.stringify(passed)}\n`)
  if (plan.mode === 'step' && !isLetGoOn()) process.exit(0)
}

/** Blocks until the parent writes a byte; false where it is gone. A pipe may be one that says "not yet". */
function isLetGoOn(): boolean {
  for (;;) {
    try {
      return readSync(0, byte, 0, 1, null) > 0
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EAGAIN') throw cause
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }
}

/** The work of a callback: one line that survives the process. */
async function run({frame, attempt}: Delivery): Promise<void> {
  const name = nameOf(frame.data)
  pass({point: 'begun', frames: [name]})
  const effect: Effect = {frame: name, attempt}
  writeSync(effects, `${JSON.stringify(effect)}\n`)
  fsyncSync(effects)
  pass({point: 'effect', frames: [name]})
  await clock.wait(0, new AbortController().signal)
  pass({point: 'ended', frames: [name]})
}

function tellingStore(store: Store, held: Map<CoordinateKey, Sequence>, known: StoredSource | undefined): Store {
  const names = new Map<number, string>()
  for (const {frame} of known?.unhandled ?? []) names.set(frame.id, nameOfBytes(frame.bytes))
  return {
    ...store,
    async commit(changes) {
      const journaled = changes.flatMap((change) => (change.kind === 'frameJournaled' ? [change] : []))
      for (const {frame} of journaled) names.set(frame.id, nameOfBytes(frame.bytes))
      const ids = journaled.map(({frame}) => Number(frame.id))
      const pending = journaled.some(({outcome}) => outcome === 'pending')
      const settles = changes.some(settlesFrame) || (journaled.length > 0 && !pending)
      const frames = changes.flatMap(framesOf).map((id) => names.get(id) ?? `frame ${id}`)
      if (pending) pass({point: 'journaling', frames})
      else if (settles) pass({point: 'settling', frames})
      await store.commit(changes)
      for (const change of changes) if (change.kind === 'cursorMoved') takeSteps(held, change.move.steps)
      const own = held.get(OWN) ?? 0
      if (pending) pass({point: 'journaled', frames, ids, own})
      else if (settles) pass({point: 'settled', frames, ids, own})
    },
  }
}

function settlesFrame(change: Change): boolean {
  return change.kind === 'frameSettled' && change.outcome === 'handled'
}

function framesOf(change: Change): readonly number[] {
  if (change.kind === 'frameJournaled') return [change.frame.id]
  return settlesFrame(change) && change.kind === 'frameSettled' ? [change.frame] : []
}

function tellingTransport(target: SwitchTarget, held: ReadonlyMap<CoordinateKey, Sequence>): SwitchTransport {
  const transport = httpTransport(target, {clock})
  return {
    beat: transport.beat,
    async open(request, signal) {
      pass({point: 'opening', frames: [], from: request.from, own: held.get(OWN) ?? 0})
      const opened = await transport.open(request, signal)
      if (!opened.ok) return opened
      const {batches} = opened.value
      async function* telling(): typeof batches {
        for (;;) {
          const next = await batches.next()
          if (next.done) return next.value
          const frames = next.value.flatMap((one) => (one.kind === 'frame' ? [nameOfBytes(one.frame.bytes)] : []))
          if (frames.length > 0) pass({point: 'received', frames})
          yield next.value
        }
      }
      return {ok: true, value: {batches: telling()}}
    },
  }
}

async function main(): Promise<void> {
  const lock = lockProfile(plan.profile, {pid: process.pid, mode: 'test', since: clock.now()})
  if (!lock.ok) throw new Error(`the profile is not free: ${lock.error.kind}`)
  const workerUrl = new URL('../../store/store-worker.ts', import.meta.url)
  const store = await openSqliteStore({path: profileFiles(plan.profile).store, workerUrl})
  if (!store.ok) throw new Error(`the store does not open: ${store.error.kind}: ${store.error.detail}`)
  const [known] = (await store.value.load()).sources
  const held = new Map(known?.position)
  const {url, agentId, token} = plan
  const target = {url, agentId, token}
  const telling = tellingStore(store.value, held, known)
  const engine = await createEngine({
    store: telling,
    clock,
    tokens: {get: async () => token, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: (to) => tellingTransport(to, held),
    demo: {start: async () => ({target, callbacks: {onEvent: run, onGap: run}}), stop: async () => {}},
    shell: {version: '0', mode: 'host', profile: plan.profile},
  })
  if (known !== undefined) return
  const settings = plan.callbacks
    ? ({kind: 'demo', scenario: 'of the test'} as const)
    : ({kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const)
  await engine.handlers['sources.add']({name: 'watched', settings, token})
}

setTimeout(() => process.exit(3), LONGEST_LIFE_MS).unref()
if (plan.mode === 'free') process.stdin.on('end', () => process.exit(0)).resume()
await main()
