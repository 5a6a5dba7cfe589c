import {epochMs} from '../../../../shared/base/units.ts'
import type {Change} from '../../../../shared/history/change.ts'
import type {SourceId, SourceRecord} from '../../../../shared/source/source.ts'
import {type BridgeServer, createBridgeServer, FOREIGN_ID} from './bridge-server.ts'
import {createDice, type Dice} from './dice.ts'
import {createDisk, type Disk} from './disk.ts'
import {createDiskWatch} from './disk-watch.ts'
import type {Life} from './life.ts'
import {createMachine, type Machine} from './machine.ts'
import type {Item, Plan, SourcePlan} from './plan.ts'
import {createSchedule, type Schedule} from './schedule.ts'
import {createSourceWitness, type SourceWitness} from './source-witness.ts'
import {createTrace, NO_TRACE, type Trace} from './trace.ts'
import {createVerdict, type Verdict} from './verdict.ts'

/** After the last fault, and the last sleep: longer than any silence, backoff and refusal together, in ms. */
const PATIENCE_MS = 300_000
/** Between two words of a server that all is well, in ms. */
const MARK_EVERY_MS = 10_000

export type Restart = Extract<Item, {kind: 'restart'}>

/** One simulated world: what there is in it, and what is just going on. */
export interface World {
  readonly plan: Plan
  readonly dice: Dice
  readonly schedule: Schedule
  readonly verdict: Verdict
  readonly trace: Trace
  readonly machine: Machine
  readonly disk: Disk
  readonly servers: ReadonlyMap<string, BridgeServer>
  readonly witnesses: ReadonlyMap<string, SourceWitness>
  life: Life | undefined
  isClosing: boolean
  isCalm: boolean
  isOver: boolean
  /** The machine sleeps until then. */
  awakeAt: number
  /** Restarts whose time has come and whose moment has not. */
  armed: {readonly item: Restart; left: number}[]
  readonly held: Map<string, number>
}

export function createWorld(plan: Plan, keepsTrace: boolean): World {
  const dice = createDice(plan.seed, 'world')
  const schedule = createSchedule(dice.fork('ties'))
  const verdict = createVerdict(schedule.now)
  const trace = keepsTrace ? createTrace(schedule.now) : NO_TRACE
  const fair = <T>(rough: T, calm: T): T => (world.isCalm ? calm : rough)
  const witnesses = new Map(
    plan.sources.map((source) => [source.name, createSourceWitness(source, schedule.now, verdict)]),
  )
  const {weather} = plan
  const disk = createDisk({
    schedule,
    dice: dice.fork('disk'),
    weather: {errors: () => fair(weather.diskErrors, 0), isSlow: () => fair(weather.slowDisk, false)},
    watch: createDiskWatch(witnesses, () => world.life, trace),
  })
  const servers = new Map(plan.sources.map((source) => [source.name, serverOf(source, plan, {schedule, dice, trace})]))
  const world: World = {
    plan,
    dice,
    schedule,
    verdict,
    trace,
    machine: createMachine(schedule, () => fair(weather.lateTimers, 0)),
    disk,
    servers,
    witnesses,
    life: undefined,
    isClosing: false,
    isCalm: false,
    isOver: false,
    awakeAt: 0,
    armed: [],
    held: new Map(),
  }
  disk.prepare(plan.sources.map((source): Change => ({kind: 'sourceAdded', source: recordOf(source)})))
  return world
}

function serverOf(source: SourcePlan, plan: Plan, {schedule, dice, trace}: Pick<World, 'schedule' | 'dice' | 'trace'>) {
  const drain = dice.fork(`drain of ${source.name}`)
  const from = plan.calmAt + asleepMs(plan)
  const marks = Array.from({length: PATIENCE_MS / MARK_EVERY_MS}, (_, n): Item => {
    const event = {event: 'message', room: 'room-a', from: 'dana', text: 'all is well', label: 'mark'} as const
    return {at: from + n * MARK_EVERY_MS, kind: 'server', source: source.name, act: {kind: 'publish', event}}
  })
  return createBridgeServer({
    schedule,
    source,
    items: [...plan.items, ...marks],
    drainMs: () => drain.between(0, drain.pick([1, 20, 300])),
    onOutput: (output) => trace.note(() => `${source.name} server ${JSON.stringify(output).slice(0, 300)}`),
  })
}

function asleepMs({items}: Plan): number {
  return items.reduce((sum, item) => sum + (item.kind === 'sleep' ? item.forMs : 0), 0)
}

function recordOf({name, hasCallbacks, handlers, startsAtHead, hasForeignId}: SourcePlan): SourceRecord {
  return {
    id: name as SourceId, // made here, once
    name,
    settings: hasCallbacks
      ? {kind: 'demo', scenario: name}
      : {
          kind: 'switch',
          url: 'http://127.0.0.1:1',
          agentId: name,
          watchAs: 'own',
          startFrom: startsAtHead ? 'head' : 'retained',
        },
    connectionId: hasForeignId ? FOREIGN_ID : `connection of ${name}`,
    addedAt: epochMs(0),
    paused: false,
    handlers,
  }
}

/** When everything must have caught up. Ms since the world began. */
export function patienceEndsAt(plan: Plan): number {
  return plan.calmAt + asleepMs(plan) + PATIENCE_MS
}
