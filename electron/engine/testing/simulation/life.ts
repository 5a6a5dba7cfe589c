import {messageOf} from '../../../../shared/base/message-of.ts'
import type {SourceView} from '../../../../shared/contract/rows.ts'
import type {Cursor} from '../../../../shared/cursor/cursor.ts'
import type {Callbacks} from '../../callbacks.ts'
import type {Clock} from '../../clock.ts'
import {createEngine, type Engine} from '../../engine.ts'
import {type Store, StoreFailure} from '../../store/store.ts'
import type {TransportWeather} from './asked.ts'
import type {BridgeServer} from './bridge-server.ts'
import {type ConductWitness, createConductWitness} from './conduct-witness.ts'
import type {Dice} from './dice.ts'
import type {Mortal} from './heed.ts'
import {lineTransport} from './line-transport.ts'
import {type AskWitness, createAskWitness} from './numbered/ask-witness.ts'
import type {MessageLog} from './numbered/message-log.ts'
import type {NumberedServer} from './numbered/numbered-server.ts'
import {simulatedNumbered} from './numbered/numbered-transport.ts'
import {keyOf} from './numbered/numbered-witness.ts'
import type {NumberedPlan} from './plan.ts'
import type {DaemonServer} from './prime/daemon-server.ts'
import {type Breakable, simulatedSockets} from './prime/socket.ts'
import type {WireLog} from './prime/wire-log.ts'
import type {Vector} from './reading.ts'
import type {Owner, Schedule} from './schedule.ts'
import {simulatedCallbacks} from './simulated-callbacks.ts'
import {simulatedHandlers} from './simulated-handlers.ts'
import type {SourceWitness} from './source-witness.ts'
import type {Trace} from './trace.ts'
import type {Verdict} from './verdict.ts'
import type {Witness} from './witness.ts'

/** One life of the engine: from its start to its crash or close. */
export interface Life extends Mortal {
  readonly end: () => void
  /** Absent while it starts. */
  readonly engine: () => Engine | undefined
  /** It could not start: the disk said no. */
  readonly failed: () => boolean
  readonly conduct: (source: string) => ConductWitness | undefined
  /** The profile was read: from here on what is visible must be what is durable. */
  readonly loaded: () => void
  /** The engine was told that this is durable. */
  readonly acknowledged: (source: string, position: Vector) => void
  /** What is open of a source, or of all. */
  readonly lines: (source?: string) => readonly Breakable[]
  /** Lets go of every callback that hangs. */
  readonly releaseHanging: () => void
  /** What everybody sees now. */
  readonly views: () => Promise<readonly SourceView[]>
}

export interface LifeParts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: TransportWeather
  readonly callbackFaults: (callback: keyof Callbacks) => number
  readonly servers: ReadonlyMap<string, BridgeServer>
  /** By the path of their socket. */
  readonly daemons: ReadonlyMap<string, DaemonServer>
  readonly logs: ReadonlyMap<string, WireLog>
  readonly streams: ReadonlyMap<string, NumberedStream>
  readonly witnesses: ReadonlyMap<string, Witness>
  /** Those of them that watch a Switch stream. */
  readonly switches: ReadonlyMap<string, SourceWitness>
  readonly startsAtHead: (source: string) => boolean
  readonly verdict: Verdict
  readonly trace: Trace
  readonly clockOf: (life: Mortal) => Clock
  readonly storeOf: (life: Owner) => Store
}

/** A numbered source: how it was drawn, its server, and what came of it. */
export interface NumberedStream {
  readonly plan: NumberedPlan
  readonly server: NumberedServer
  readonly log: MessageLog
}

interface State {
  alive: boolean
  engine: Engine | undefined
  failed: boolean
  readonly conducts: Map<string, ConductWitness>
  readonly asks: Map<string, AskWitness>
  readonly lines: {readonly of: string; readonly line: Breakable}[]
  readonly hanging: (() => void)[]
}

export function createLife(parts: LifeParts): Life {
  const state: State = {
    alive: true,
    engine: undefined,
    failed: false,
    conducts: new Map(),
    asks: new Map(),
    lines: [],
    hanging: [],
  }
  const owner: Mortal = {alive: () => state.alive, heeding: new Set()}
  const life: Life = {
    ...owner,
    end: () => {
      state.alive = false
      for (const undo of owner.heeding) undo()
    },
    engine: () => state.engine,
    failed: () => state.failed,
    conduct: (source) => state.conducts.get(source),
    loaded: () => {
      for (const name of parts.witnesses.keys()) witnessConduct(parts, state, name)
    },
    acknowledged(source, position) {
      const known = state.conducts.get(source)
      if (known === undefined) witnessConduct(parts, state, source)
      else known.acknowledged(position)
    },
    lines: (source) => state.lines.flatMap(({of, line}) => (source === undefined || of === source ? [line] : [])),
    releaseHanging: () => {
      for (const release of state.hanging.splice(0)) release()
    },
    views: async () => (await state.engine?.handlers['sources.list']({})) ?? [],
  }
  void start(parts, state, life)
  return life
}

/** Only from where the disk is known may it be judged what a source does. */
function witnessConduct(parts: LifeParts, {conducts, asks}: State, name: string): void {
  const {witnesses, streams, startsAtHead, verdict} = parts
  const witness = witnesses.get(name)
  if (witness === undefined) return
  witness.lists.lifeBegan()
  const [position, vectorSeen] = [witness.position(), witness.vectorSeen()]
  const conduct = createConductWitness({name, position, vectorSeen, startsAtHead: startsAtHead(name)}, verdict)
  conducts.set(name, conduct)
  const stream = streams.get(name)
  if (stream !== undefined) asks.set(name, createAskWitness(stream.plan, conduct, witness.unhandled, verdict))
}

async function start(parts: LifeParts, state: State, life: Life): Promise<void> {
  const {verdict, trace} = parts
  const clock = parts.clockOf(life)
  try {
    state.engine = await createEngine({
      store: parts.storeOf(life),
      clock,
      tokens: {get: async () => 'token', set: async () => {}, delete: async () => {}, describe: 'nowhere'},
      prime: {transport: socketsOf(parts, state, life), sockets: {load: async () => [], save: async () => {}}},
      openNumbered: streamsOf(parts, state, life, clock),
      openTransport: (target) => transportTo(parts, state, life, target.agentId),
      demo: {
        start: async (name) => ({target: targetOf(name), callbacks: callbacksOf(parts, state, life, name)}),
        stop: async () => {},
      },
      handlerRunner: () => handlersOf(parts, state, life),
      shell: {version: 'simulated', mode: 'host', profile: 'simulated'},
    })
    trace.note(() => 'engine started')
  } catch (cause) {
    if (!(cause instanceof StoreFailure)) verdict.broken('the engine threw', wordsOf(cause))
    // Without its calls: which of them are told depends on what was compiled by then.
    trace.note(() => `engine could not start: ${messageOf(cause)}`)
    state.failed = true
  }
}

function targetOf(name: string) {
  return {url: 'http://127.0.0.1:1', agentId: name, token: 'token'}
}

function transportTo(parts: LifeParts, state: State, life: Life, name: string) {
  const server = parts.servers.get(name)
  const witness = parts.switches.get(name)
  const conduct = state.conducts.get(name)
  if (server === undefined || witness === undefined || conduct === undefined) throw new Error(`no server for ${name}`)
  const {schedule, weather, trace} = parts
  return lineTransport({
    schedule,
    dice: parts.dice.fork(`line of ${name}`),
    weather,
    life,
    server,
    target: targetOf(name),
    watch: {
      opens(request) {
        trace.note(() => `${name} opens from ${request.from}`)
        conduct.opens(request)
        witness.opened(request.from)
      },
      over() {
        trace.note(() => `${name} stream over`)
        conduct.over()
      },
      beats(request) {
        trace.note(() => `${name} beats ${request.cursor}`)
        conduct.beats(request)
      },
      received(block) {
        trace.note(() => `${name} received ${JSON.stringify(block.slice(0, 300))}`)
        const head = /^event: connection_state\n.*"cursor":(\d+)/.exec(block)?.[1]
        if (head !== undefined) conduct.introduced(Number(head))
        witness.received(block)
      },
      line(line) {
        const last = state.lines.findIndex(({of}) => of === name)
        if (last !== -1) state.lines.splice(last, 1)
        if (line !== undefined) state.lines.push({of: name, line})
      },
    },
  })
}

function socketsOf(parts: LifeParts, state: State, life: Life) {
  const {schedule, weather, daemons, logs} = parts
  return simulatedSockets({
    schedule,
    dice: parts.dice.fork('sockets'),
    weather,
    life,
    serverAt: (path) => daemons.get(path),
    tap: (path) => logs.get(path)?.open() ?? (() => {}),
    opened: (path, line) => opened(state, path.slice(1), line),
  })
}

function streamsOf(parts: LifeParts, state: State, life: Life, clock: Clock) {
  const {schedule, weather, streams, trace} = parts
  return simulatedNumbered({
    schedule,
    dice: parts.dice.fork('numbered streams'),
    weather,
    life,
    clock,
    note: trace.note,
    endAt(address) {
      const name = address.slice(1)
      const [stream, asks] = [streams.get(name), state.asks.get(name)]
      return stream === undefined || asks === undefined ? undefined : {...stream, asks}
    },
    opened: (address, line) => opened(state, address.slice(1), line),
  })
}

function opened({lines}: State, of: string, line: Breakable): () => void {
  const one = {of, line}
  lines.push(one)
  return () => void lines.splice(lines.indexOf(one), 1)
}

function callbacksOf(parts: LifeParts, state: State, life: Life, name: string) {
  const {schedule, trace} = parts
  return simulatedCallbacks({
    schedule,
    dice: parts.dice.fork(`callbacks of ${name}`),
    life,
    faults: parts.callbackFaults,
    hangs: (release) => void state.hanging.push(release),
    began(key, attempt, signal) {
      const run = parts.witnesses.get(name)?.began({run: {key, attempt}}) ?? {key, attempt, state: 'running'}
      trace.note(() => `${name} callback begins, attempt ${attempt}: ${key.slice(0, 200)}`)
      state.conducts.get(name)?.began(run, signal)
      return run
    },
  })
}

function handlersOf(parts: LifeParts, state: State, life: Life) {
  const {schedule, trace, dice} = parts
  return simulatedHandlers({
    schedule,
    diceOf: (source) => dice.fork(`handlers of ${source}`),
    life,
    faults: parts.callbackFaults,
    began(handler, {source, attempt, key: told, frame}, said, until) {
      const key = 'cursor' in frame ? placeKey(frame.cursor) : said
      const begun = {key, attempt, handler}
      const run = parts.witnesses.get(source.id)?.began({run: begun, told}) ?? {...begun, state: 'running'}
      trace.note(() => `${source.id} ${handler.name} handler begins, attempt ${attempt}: ${key.slice(0, 200)}`)
      state.conducts.get(source.id)?.began(run, until)
      return run
    },
  })
}

/** What a frame with a cursor is known by. */
function placeKey({generation, sequence}: Cursor): string {
  return typeof generation === 'number' ? keyOf({generation, sequence}) : `g:${generation} ${sequence}`
}

export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
