import {present} from '../../../../shared/base/present.ts'
import {epochMs} from '../../../../shared/base/units.ts'
import type {Change} from '../../../../shared/history/change.ts'
import type {SourceId, SourceRecord} from '../../../../shared/source/source.ts'
import {type BridgeServer, createBridgeServer, FOREIGN_ID} from './bridge-server.ts'
import {createDice, type Dice} from './dice.ts'
import {createDisk, type Disk} from './disk.ts'
import {createDiskWatch} from './disk-watch.ts'
import type {Life, NumberedStream} from './life.ts'
import {createMachine, type Machine} from './machine.ts'
import {createMessageLog} from './numbered/message-log.ts'
import {createNumberedServer} from './numbered/numbered-server.ts'
import {numberedSettings} from './numbered/numbered-settings.ts'
import {createNumberedWitness, type NumberedWitness} from './numbered/numbered-witness.ts'
import type {Item, Mark, Plan, PrimePlan, SourcePlan, SwitchPlan} from './plan.ts'
import {createDaemonServer, type DaemonServer} from './prime/daemon-server.ts'
import {createSessionWitness, type Session, type SessionWitness} from './prime/session-witness.ts'
import {createWireLog, type WireLog} from './prime/wire-log.ts'
import {createRemovals, type Removals} from './removals.ts'
import {createSchedule, type Schedule} from './schedule.ts'
import {createSourceWitness, type SourceWitness} from './source-witness.ts'
import {createTrace, NO_TRACE, type Trace} from './trace.ts'
import {createVerdict, type Verdict} from './verdict.ts'
import type {Witness} from './witness.ts'

/** After the last fault, and the last sleep: longer than any silence, backoff and refusal together, in ms. */
const PATIENCE_MS = 300_000
/** Between two words of a server that all is well, in ms. */
export const MARK_EVERY_MS = 10_000

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
  /** By the path of their socket, and what came over it. */
  readonly daemons: ReadonlyMap<string, DaemonServer>
  readonly logs: ReadonlyMap<string, WireLog>
  /** Of every source, those included that the engine made itself. */
  readonly witnesses: Map<string, Witness>
  readonly switches: ReadonlyMap<string, SourceWitness>
  readonly sessions: Map<string, SessionWitness>
  /** Numbered sources: their servers, and who watches them. */
  readonly streams: ReadonlyMap<string, NumberedStream>
  readonly numbered: ReadonlyMap<string, NumberedWitness>
  /** What the user no longer wants to watch. */
  readonly removals: Removals
  life: Life | undefined
  isClosing: boolean
  isCalm: boolean
  isOver: boolean
  /** The machine sleeps until then. */
  awakeAt: number
  /** Restarts whose time has come and whose moment has not. */
  armed: {readonly item: Restart; left: number; later: number}[]
  /** Of the event that happens now. */
  readonly marks: Set<Mark>
  readonly held: Map<string, string>
}

export function createWorld(plan: Plan, keepsTrace: boolean): World {
  const dice = createDice(plan.seed, 'world')
  const schedule = createSchedule(dice.fork('ties'))
  const verdict = createVerdict(schedule.now)
  const trace = keepsTrace ? createTrace(schedule.now) : NO_TRACE
  const fair = <T>(rough: T, calm: T): T => (world.isCalm ? calm : rough)
  const streams = plan.sources.filter((source) => source.wire === 'switch')
  const {weather} = plan
  const removals = createRemovals(verdict)
  const prime = primeSide(plan, {schedule, verdict, trace})
  const numberedSide = numberedSideOf(plan, {schedule, dice, verdict, trace})
  const switches = new Map(streams.map((source) => [source.name, createSourceWitness(source, schedule.now, verdict)]))
  const witnesses = new Map<string, Witness>([...switches, ...prime.sessions, ...numberedSide.numbered])
  const disk = createDisk({
    schedule,
    dice: dice.fork('disk'),
    weather: {errors: () => fair(weather.diskErrors, 0), isSlow: () => fair(weather.slowDisk, false)},
    watch: createDiskWatch({
      witnesses,
      sessions: prime.sessions,
      removals,
      life: () => world.life,
      added: (source) => prime.added(source, witnesses),
      failed: () => void world.marks.add('failed'),
      trace,
    }),
  })
  const world: World = {
    plan,
    dice,
    schedule,
    verdict,
    trace,
    machine: createMachine(schedule, () => fair(weather.lateTimers, 0)),
    disk,
    servers: new Map(streams.map((source) => [source.name, serverOf(source, plan, {schedule, dice, trace})])),
    ...prime,
    ...numberedSide,
    witnesses,
    switches,
    removals,
    life: undefined,
    isClosing: false,
    isCalm: false,
    isOver: false,
    awakeAt: 0,
    armed: [],
    marks: new Set(),
    held: new Map(),
  }
  disk.prepare(plan.sources.map((source): Change => ({kind: 'sourceAdded', source: recordOf(source, prime.daemons)})))
  return world
}

/** The path of a daemon's socket, by the source that was added for its session. */
export function pathOf(source: string): string {
  return `/${source}`
}

type Around = Pick<World, 'schedule' | 'verdict' | 'trace'>

/** Daemons, what came over their sockets, and who watches their sessions: those that the engine adds, too. */
function primeSide({sources}: Plan, {schedule, verdict, trace}: Around) {
  const plans = sources.filter((source) => source.wire === 'prime')
  const daemonOf = (plan: PrimePlan): DaemonServer => {
    const onOutput = (output: object) => trace.note(() => `${plan.name} daemon ${JSON.stringify(output).slice(0, 300)}`)
    return createDaemonServer({schedule, plan, onOutput})
  }
  const daemons = new Map(plans.map((plan) => [pathOf(plan.name), daemonOf(plan)]))
  const logs = new Map(plans.map(({name}) => [pathOf(name), createWireLog()]))
  const sessions = new Map<string, SessionWitness>()
  const watched = (path: string, name: string, session: Omit<Session, 'name'>): SessionWitness => {
    const log = logs.get(path) ?? createWireLog()
    const witness = createSessionWitness({name, ...session}, log, schedule.now, verdict)
    sessions.set(name, witness)
    return witness
  }
  for (const {name, handlers} of plans)
    watched(pathOf(name), name, {sessionId: daemons.get(pathOf(name))?.sessionId ?? '', handlers})
  const added = ({id, settings, handlers = [], supervisor}: SourceRecord, witnesses: Map<string, Witness>): void => {
    if (settings.kind !== 'prime' || witnesses.has(id)) return
    const session = {
      sessionId: settings.sessionId ?? '',
      handlers,
      ...present({supervisor: supervisor?.generation}),
    }
    witnesses.set(id, watched(settings.socket, id, session))
  }
  return {daemons, logs, sessions, added}
}

function numberedSideOf(
  {sources}: Plan,
  {schedule, dice, verdict, trace}: Around & Pick<World, 'dice'>,
): Pick<World, 'streams' | 'numbered'> {
  const streams = new Map<string, NumberedStream>()
  const numbered = new Map<string, NumberedWitness>()
  for (const plan of sources) {
    if (plan.wire !== 'numbered') continue
    const log = createMessageLog(plan)
    streams.set(plan.name, {
      plan,
      log,
      server: createNumberedServer({schedule, dice: dice.fork(`server of ${plan.name}`), plan, note: trace.note}),
    })
    numbered.set(plan.name, createNumberedWitness(plan, log, schedule.now, verdict))
  }
  return {streams, numbered}
}

function serverOf(source: SwitchPlan, plan: Plan, {schedule, dice, trace}: Pick<World, 'schedule' | 'dice' | 'trace'>) {
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

function recordOf(source: SourcePlan, daemons: ReadonlyMap<string, DaemonServer>): SourceRecord {
  const {name, handlers} = source
  const about = {id: name as SourceId, name, addedAt: epochMs(0), paused: false, handlers} // made here, once
  if (source.wire === 'prime') {
    const socket = pathOf(name)
    const settings = {kind: 'prime', socket, sessionId: daemons.get(socket)?.sessionId ?? ''} as const
    return {...about, settings, connectionId: `connection of ${name}`}
  }
  if (source.wire === 'numbered')
    return {...about, settings: numberedSettings(source), connectionId: `connection of ${name}`}
  const settings = source.hasCallbacks ? ({kind: 'demo', scenario: name} as const) : switchSettings(source)
  return {...about, settings, connectionId: source.hasForeignId ? FOREIGN_ID : `connection of ${name}`}
}

function switchSettings({name, startsAtHead}: SwitchPlan): SourceRecord['settings'] {
  const startFrom = startsAtHead ? 'head' : 'retained'
  return {kind: 'switch', url: 'http://127.0.0.1:1', agentId: name, watchAs: 'own', startFrom}
}

/** When everything must have caught up. Ms since the world began. */
export function patienceEndsAt(plan: Plan): number {
  return plan.calmAt + asleepMs(plan) + PATIENCE_MS
}
