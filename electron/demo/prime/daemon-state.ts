import type {ClientRecord} from './client-record.ts'
import type {Ids} from './ids.ts'
import type {PrimeScenario} from './scenario.ts'
import {createSession, type DemoSession} from './session.ts'

/** One connection of a client, named by whoever carries it. */
export type ConnectionId = number

/** What the carrier must do, in this order. */
export type Output =
  /** What is always written, however full the socket. */
  | {readonly kind: 'write'; readonly connection: ConnectionId; readonly text: string | Uint8Array}
  /** An event: not written where the socket is full, but said to be `dropped`. */
  | {readonly kind: 'event'; readonly connection: ConnectionId; readonly activeId: string; readonly text: string}
  /** What was written leaves, and then the connection ends. */
  | {readonly kind: 'end'; readonly connection: ConnectionId}
  | {readonly kind: 'listen'}
  /** Nobody can connect. `stale` leaves the socket's file behind, as a killed process does. */
  | {readonly kind: 'unlisten'; readonly stale: boolean}

export interface Connection {
  readonly id: ConnectionId
  /** Told by the hello. */
  readonly clientId: string
  /** Active sessions. */
  readonly attached: Set<string>
  /** Of the last attach, for the whole connection. */
  capabilities: readonly string[]
  /** Active sessions that lost events here, and what they will be told for: a replacement if one was among them. */
  readonly lost: Map<string, 'resync' | 'replacement'>
}

export interface DaemonSetup {
  readonly scenario: PrimeScenario
  readonly socketPath: string
  /** How many times faster than written what the daemon itself waits for passes; 1 where not said. */
  readonly speed?: number
  /** Unlike that of any other run. */
  readonly run: string
  /** What is added to an input's time to make it ms since the Unix epoch. */
  readonly epochOffset: number
  /** In ms since the Unix epoch. */
  readonly startedAt: number
}

/** Something that happens later by itself. */
interface Due {
  readonly at: number
  readonly run: (now: number) => readonly Output[]
}

export interface DaemonState {
  readonly setup: DaemonSetup
  readonly ids: Ids
  readonly connections: Map<ConnectionId, Connection>
  sessions: readonly DemoSession[]
  /** Closed ones: their transcripts are there, and a worker can be given to them again. */
  ended: readonly DemoSession[]
  supervisor: {readonly generation: string; readonly pid: number; readonly token: string}
  version: number
  /** A new supervisor lets clients in before that, and greets them then. */
  greetsAt: number
  listening: boolean
  due: readonly Due[]
  attaches: number
  /** Events that are still left out, by active session. */
  readonly dropping: Map<string, number>
  /** After so many whole lines, the next one to each of them ends after so many bytes. */
  readonly cuts: Map<ConnectionId, {readonly lines: number; readonly atByte: number}>
  readonly record: ClientRecord[]
}

export function createDaemonState(setup: DaemonSetup, ids: Ids): DaemonState {
  const {scenario} = setup
  return {
    setup,
    ids,
    connections: new Map(),
    sessions: scenario.sessions.map((spec) => createSession(spec, ids, setup.startedAt)),
    ended: [],
    supervisor: newSupervisor(ids),
    version: scenario.hello?.version ?? 7,
    greetsAt: Number.NEGATIVE_INFINITY,
    listening: true,
    due: [],
    attaches: 0,
    dropping: new Map(),
    cuts: new Map(),
    record: [],
  }
}

export function newSupervisor(ids: Ids): DaemonState['supervisor'] {
  return {generation: ids.uuid(), pid: ids.pid(), token: ids.uuid()}
}

export function epochOf({setup}: DaemonState, now: number): number {
  return Math.round(now + setup.epochOffset)
}

export function later(state: DaemonState, at: number, run: Due['run']): void {
  state.due = [...state.due, {at, run}]
}

export function attachedTo({connections}: DaemonState, activeId: string): readonly Connection[] {
  return [...connections.values()].filter(({attached}) => attached.has(activeId))
}

/** Clients on the socket, and the scenario's others. */
export function countAttached(state: DaemonState, {activeId, others}: DemoSession): number {
  return attachedTo(state, activeId).length + others
}

export function sessionOf({sessions}: DaemonState, key: string): DemoSession {
  const session = sessions.find(({spec}) => spec.key === key)
  if (session === undefined) throw new Error(`no session is called ${key}`)
  return session
}

/** Every connection, as if `text` were for all. */
export function toAll({connections}: DaemonState, text: string): readonly Output[] {
  return [...connections.keys()].map((connection) => ({kind: 'write', connection, text}))
}
