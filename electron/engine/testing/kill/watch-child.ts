import {once} from 'node:events'
import type {SourceView} from '../../../../shared/contract/rows.ts'
import {systemClock} from '../../clock.ts'
import {createEngine, type Engine} from '../../engine.ts'
import {profileFiles} from '../../store/profile.ts'
import {lockProfile} from '../../store/profile-lock.ts'
import {openSqliteStore} from '../../store/sqlite-store.ts'
import type {Store} from '../../store/store.ts'
import {reaching, recordOf} from './child-source.ts'
import {createWork} from './child-work.ts'
import {namerFor} from './frame-names.ts'
import {type ChildPlan, type Passed, textOfPosition} from './point.ts'
import {type Telling, tellingStore} from './tell-frames.ts'
import {createTeller} from './teller.ts'

/*
 * A process that watches one source with a real store, made to be killed. It says every point it passes, written at once; the
 * thread that is to wait goes on only when it is let, and blocks there, so that nothing happens on it meanwhile.
 */

/** However its parent ends, this process ends: when standard input closes, or after so long. In ms. */
const LONGEST_LIFE_MS = 240_000

const plan = JSON.parse(process.argv[2] ?? '') as ChildPlan // written by run-child.ts
const clock = systemClock()
const nameOfFrame = namerFor(plan.source)
const tell = createTeller<Passed>({says: 1, hears: 0, waits: plan.waits === 'engine'})
let close: () => Promise<void> = async () => {}
let closes = plan.closes
let decided: number | undefined

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

/** A life that closes by itself in the middle of a callback waits there for the end that it asked for. */
async function effectDone(signal: AbortSignal): Promise<void> {
  if (closes !== 'inCallback') return
  closeBecause('inCallback')
  if (!signal.aborted) await once(signal, 'abort')
  signal.throwIfAborted()
}

/** The user's word, where the plan says so; once for each frame that is held. */
async function decideNumbering({handlers}: Engine, {id, connection}: SourceView): Promise<void> {
  const {decides} = plan
  if (decides === undefined || connection.state !== 'held' || connection.because?.kind !== 'numberingReset') return
  const {frame} = connection
  if (frame === undefined || decided === frame) return
  decided = frame
  await handlers[decides === 'take' ? 'sources.takeNumbering' : 'sources.keepNumbering']({source: id, frame})
}

async function openStore(): Promise<Store> {
  const workerUrl = new URL('./telling-worker.ts', import.meta.url)
  const store = await openSqliteStore({path: profileFiles(plan.profile).store, workerUrl})
  if (!store.ok) throw new Error(`the store does not open: ${store.error.kind}: ${store.error.detail}`)
  return store.value
}

async function main(): Promise<void> {
  const lock = lockProfile(plan.profile, {pid: process.pid, mode: 'test', since: clock.now()})
  if (!lock.ok) throw new Error(`the profile is not free: ${lock.error.kind}`)
  const store = await openStore()
  const [known] = (await store.load()).sources
  if (known === undefined) await store.commit([{kind: 'sourceAdded', source: recordOf(plan, clock)}])
  const telling: Telling = {pass, held: new Map(known?.position), nameOf: nameOfFrame}
  const work = createWork(plan, {clock, pass, effectDone})
  const engine = await createEngine({
    ...reaching(plan, work.callbacks, telling, clock),
    store: tellingStore(store, telling, known),
    clock,
    shell: {version: '0', mode: 'host', profile: plan.profile},
    ...(plan.keepDays === undefined ? {} : {keep: {maxAgeDays: plan.keepDays}}),
    ...(work.handlerRunner === undefined ? {} : {handlerRunner: work.handlerRunner}),
  })
  close = async () => {
    await engine.close()
    work.close()
  }
  engine.subscribe(({sources: [source]}) => {
    if (source === undefined) return
    tell({point: 'published', frames: [], position: textOfPosition(source.position)})
    void decideNumbering(engine, source)
  })
  for (const source of await engine.handlers['sources.list']({})) void decideNumbering(engine, source)
}

setTimeout(() => process.exit(3), LONGEST_LIFE_MS).unref()
if (plan.waits !== 'engine') process.stdin.on('end', () => process.exit(0)).resume()
await main()
