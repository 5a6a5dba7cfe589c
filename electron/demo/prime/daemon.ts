import type {PlayStatus} from '../play.ts'
import {actAsAgent} from './agent.ts'
import {answerCommand} from './answer-command.ts'
import {type ClientRecord, recordLine} from './client-record.ts'
import {
  type ConnectionId,
  createDaemonState,
  type DaemonSetup,
  type DaemonState,
  epochOf,
  type Output,
  sessionOf,
} from './daemon-state.ts'
import {catchUp, lose, publish} from './deliver.ts'
import {makeTrouble} from './faults.ts'
import {createIds} from './ids.ts'
import {readCommand} from './read-command.ts'
import type {AgentAction, PrimeAction} from './scenario.ts'
import {actOnSession} from './session-life.ts'
import {actAsSupervisor, connect, disconnect} from './supervisor.ts'
import {lineOf} from './wire.ts'

/**
 * Prime Agent's daemon as its clients meet it (Prime note), as a machine without clock or socket: every input brings the
 * time along, in ms from any start, and what must be done with sockets comes back as outputs.
 */
export interface Daemon {
  readonly connected: (now: number, connection: ConnectionId) => readonly Output[]
  /** One line of a client, without its LF. */
  readonly received: (now: number, connection: ConnectionId, line: string) => readonly Output[]
  /** The client went. */
  readonly closed: (now: number, connection: ConnectionId) => void
  /** An event was not written, because the socket was full. */
  readonly dropped: (connection: ConnectionId, activeId: string) => void
  /** That socket can take more. */
  readonly drained: (now: number, connection: ConnectionId) => readonly Output[]
  readonly act: (now: number, action: PrimeAction) => readonly Output[]
  readonly tick: (now: number) => readonly Output[]
  /** When `tick` has something to do next; infinity where never. */
  readonly nextDue: () => number
  readonly status: () => PlayStatus
  readonly record: () => readonly ClientRecord[]
  /** How a session is named on the wire now. */
  readonly namesOf: (key: string) => SessionNames
}

export interface SessionNames {
  readonly activeSessionId: string
  readonly sessionId: string
  readonly generation: string
  readonly sequence: number
}

export function createDaemon(setup: DaemonSetup): Daemon {
  const state = createDaemonState(setup, createIds(setup.run))
  const cutting = (now: number, outputs: readonly Output[]) => outputs.flatMap((output) => cut(state, now, output))
  return {
    connected: (now, connection) => {
      state.record.push({kind: 'connected', connection, at: now})
      return connect(state, now, connection)
    },
    received: (now, connection, line) => cutting(now, receive(state, now, connection, line)),
    closed: (now, connection) => disconnect(state, now, connection, 'client'),
    dropped: (id, activeId) => {
      const connection = state.connections.get(id)
      if (connection !== undefined) lose(connection, activeId, 'resync')
    },
    drained: (now, id) => {
      const connection = state.connections.get(id)
      return connection === undefined ? [] : cutting(now, catchUp(state, now, connection))
    },
    act: (now, action) => cutting(now, act(state, now, action)),
    tick: (now) => cutting(now, runDue(state, now)),
    nextDue: () => Math.min(Number.POSITIVE_INFINITY, ...state.due.map(({at}) => at)),
    status: () => statusOf(state),
    record: () => [...state.record],
    namesOf: (key) => {
      const {activeId, sessionId, generation, sequence} = sessionOf(state, key)
      return {activeSessionId: activeId, sessionId, generation, sequence}
    },
  }
}

function receive(state: DaemonState, now: number, id: ConnectionId, line: string): readonly Output[] {
  const connection = state.connections.get(id)
  if (connection === undefined) return []
  state.record.push(recordLine(id, now, line))
  const command = readCommand(line, state.version)
  if (command.ok) return answerCommand(state, connection, command.value)
  return [{kind: 'write', connection: id, text: lineOf(command.error)}]
}

function act(state: DaemonState, now: number, action: PrimeAction): readonly Output[] {
  switch (action.kind) {
    case 'open':
    case 'close':
    case 'crash':
    case 'reopen':
    case 'replace':
    case 'status':
    case 'askUser':
    case 'others':
      return actOnSession(state, now, action)
    case 'supervisor':
    case 'shutdown':
    case 'heartbeats':
    case 'version':
      return actAsSupervisor(state, now, action)
    case 'badLine':
    case 'hugeLine':
    case 'drop':
    case 'cut':
    case 'spoilSnapshot':
    case 'hangUp':
      return makeTrouble(state, now, action)
    default:
      return runAgent(state, now, action)
  }
}

function runAgent(state: DaemonState, now: number, action: AgentAction): readonly Output[] {
  const session = sessionOf(state, action.on)
  if (session.worker !== 'ready') throw new Error(`${action.on} has no worker that could ${action.kind}`)
  const events = actAsAgent(session, action, epochOf(state, now))
  return events.flatMap((event) => publish(state, now, session, {type: 'session_event', event}))
}

function runDue(state: DaemonState, now: number): readonly Output[] {
  const due = state.due.filter(({at}) => at <= now).sort((a, b) => a.at - b.at)
  state.due = state.due.filter(({at}) => at > now)
  return due.flatMap(({run}) => run(now))
}

/** A client of a session without a worker waits for nothing that could come: it does not count as attached. */
function statusOf({connections, sessions, attaches, dropping}: DaemonState): PlayStatus {
  const live = new Set(sessions.flatMap(({worker, activeId}) => (worker === 'ready' ? [activeId] : [])))
  const clients = [...connections.values()]
  return {
    attached: clients.filter(({attached}) => [...attached].some((activeId) => live.has(activeId))).length,
    // What is left out on purpose waits for the scenario's own next steps.
    caughtUp: clients.every(({lost}) => [...lost.keys()].every((activeId) => dropping.has(activeId))),
    opens: attaches,
  }
}

/** Ends the line, and the connection, where a fault was asked for. */
function cut(state: DaemonState, now: number, output: Output): readonly Output[] {
  if (output.kind !== 'write' && output.kind !== 'event') return [output]
  const {connection, text} = output
  const planned = state.cuts.get(connection)
  if (planned === undefined) return [output]
  const {lines, atByte} = planned
  if (lines > 0) {
    state.cuts.set(connection, {lines: lines - 1, atByte})
    return [output]
  }
  disconnect(state, now, connection, 'daemon')
  return [
    {kind: 'write', connection, text: Buffer.from(text).subarray(0, atByte)},
    {kind: 'end', connection},
  ]
}
