import {onTestFinished} from 'vitest'
import type {SourceView} from '../../../shared/contract/rows.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Callbacks} from '../callbacks.ts'
import {createEngine, type Engine} from '../engine.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {createScriptedSocket, type ScriptedConnection, type ScriptedSocket} from './scripted-socket.ts'
import {createVirtualClock, settle, type VirtualClock} from './virtual-clock.ts'
import {type WatchedStore, watchStore} from './watched-store.ts'

export const SOCKET = '/run/prime/daemon.sock'

export interface ScriptedDaemon {
  readonly clock: VirtualClock
  readonly transport: ScriptedSocket
  readonly store: WatchedStore
  readonly engine: Engine
  readonly source: SourceId
  /** The newest connection that lists, and the newest that is attached or asks to be. */
  readonly control: () => ScriptedConnection
  readonly session: () => ScriptedConnection
  readonly view: () => Promise<SourceView>
  readonly because: () => string
  readonly told: () => readonly string[]
  readonly close: () => Promise<void>
}

export const HELLO = {
  type: 'daemon_hello',
  protocol: {name: 'prime-agent.daemon', version: 7},
  appVersion: '0.8.0',
  supervisorGeneration: 'first',
  supervisorOwnerToken: 'a secret',
}

export const row = (more: object = {}) => ({
  activeSessionId: 'a',
  sessionId: 's1',
  workerState: 'ready',
  isSessionActive: false,
  lastActivityAt: 'then',
  ...more,
})

/** An answer to the last command of a connection. */
export function answer(connection: ScriptedConnection, data: object | string): object {
  const last = connection.sent().at(-1)
  if (last === undefined) throw new Error('nothing was asked')
  const said = typeof data === 'string' ? {success: false, error: data} : {success: true, data}
  return {type: 'response', id: last.id, command: last.type, ...said}
}

/** What an attach is answered with, its snapshot following in chunks. */
export const attachedAt = (generation: string, sequence: number) => ({
  activeSessionId: 'a',
  snapshot: {state: {sessionId: 's1'}, lastEventCursor: {generation, sequence}},
  snapshotStream: {id: 'x'},
  replay: {status: 'complete'},
  lastEventCursor: {generation, sequence},
})

/** An engine that watches session s1 of a daemon which the test plays, in virtual time. */
export async function scriptDaemon({
  watch = true,
  store: durable = createMemoryStore(),
  callbacks,
  watches = true,
}: {
  readonly watch?: boolean
  /** The engine starts what it knows. */
  readonly watches?: boolean
  readonly store?: Store
  readonly callbacks?: Callbacks
} = {}): Promise<ScriptedDaemon> {
  const clock = createVirtualClock()
  const transport = createScriptedSocket()
  const store = watchStore(durable)
  const settings = callbacks === undefined ? {kind: 'prime' as const, socket: SOCKET, sessionId: 's1'} : DEMO
  const record = {id: 'watched' as SourceId, name: 'w', connectionId: '', addedAt: clock.now(), paused: false, settings}
  if (watch) await store.commit([{kind: 'sourceAdded', source: record}])
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
        socket: SOCKET,
        sessionId: 's1',
        ...(callbacks === undefined ? {} : {callbacks}),
      }),
      stop: async () => {},
    },
    prime: {transport, defaultSocket: SOCKET, sockets: {load: async () => [], save: async () => {}}},
    shell: {version: '0', mode: 'host', profile: 'test'},
    watches: () => watches,
  })
  await settle()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= closeEngine(engine, clock))
  onTestFinished(close)
  const newest = (fits: (one: ScriptedConnection) => boolean): ScriptedConnection => {
    const found = transport.connections.findLast(fits)
    if (found === undefined) throw new Error('no such connection')
    return found
  }
  const isControl = (one: ScriptedConnection): boolean => one === transport.connections[0] || lists(one)
  return {
    clock,
    transport,
    store,
    engine,
    source: record.id,
    control: () => newest(isControl),
    session: () => newest((one) => !isControl(one)),
    view: async () => {
      const [only] = await engine.handlers['sources.list']({})
      if (only === undefined) throw new Error('no source')
      return only
    },
    because: () => {
      const state = store.connection()?.state
      return state !== undefined && 'because' in state
        ? `${state.kind}: ${state.because.kind}`
        : (state?.kind ?? 'none')
    },
    told: () => [...store.frames.values()].map(({frame, outcomes}) => `${outcomes.at(-1)} ${frame.event}`),
    close,
  }
}

const DEMO = {kind: 'demo', scenario: 'prime:test'} as const

function lists(one: ScriptedConnection): boolean {
  return one.sent().some(({type}) => type === 'list')
}

async function closeEngine(engine: Engine, clock: VirtualClock): Promise<void> {
  let closed = false
  const closing = engine.close().finally(() => (closed = true))
  while (!closed) await clock.advance(1_000)
  await closing
}

/** The daemon greets, lists s1, lets us attach, and sends a snapshot without messages. */
export async function letIn(daemon: ScriptedDaemon, generation = 'g', sequence = 0): Promise<ScriptedConnection> {
  const {control, session} = daemon
  control().say(HELLO)
  await settle()
  control().say(answer(control(), {sessions: [row()]}))
  await settle()
  const connection = session()
  connection.say(HELLO)
  connection.say(answer(connection, attachedAt(generation, sequence)))
  snapshot(connection, generation, sequence)
  await settle()
  return connection
}

/** Lets time pass until the daemon is asked for its list again, and answers. */
export async function relist({control, clock}: ScriptedDaemon, rows: readonly object[]): Promise<void> {
  const before = control().sent().length
  for (let second = 0; second < 150 && control().sent().length === before; second++) await clock.advance(1_000)
  control().say(answer(control(), {sessions: rows}))
  await clock.advance(0)
}

export function snapshot(
  connection: ScriptedConnection,
  generation: string,
  sequence: number,
  purpose = 'attach',
): void {
  const cursor = {generation, sequence}
  const about = {activeSessionId: 'a', snapshotId: 'x'}
  connection.say(
    {...about, type: 'session_snapshot_begin', snapshot: {lastEventCursor: cursor}, messageCount: 0, purpose},
    {...about, type: 'session_snapshot_end', chunkCount: 0, lastEventCursor: cursor},
  )
}

export const eventAt = (generation: string, sequence: number, event: object = {type: 'recap_update'}) => ({
  type: 'session_event',
  activeSessionId: 'a',
  event,
  meta: {activeSessionId: 'a', cursor: {generation, sequence}},
})
