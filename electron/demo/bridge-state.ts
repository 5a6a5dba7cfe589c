import type {OpenAsk} from './open-ask.ts'
import type {RetainedEvents} from './retained-events.ts'
import type {Retention, Revision} from './scenario.ts'

/** One response body that is being written, named by whoever carries it. */
export type StreamId = number

/** What the carrier must do, in this order. */
export type Output =
  /** 200: an event stream begins. */
  | {readonly kind: 'accept'; readonly stream: StreamId}
  | {readonly kind: 'write'; readonly stream: StreamId; readonly text: string}
  /** As `write`; and the carrier says `written` once it can take more. */
  | {readonly kind: 'batch'; readonly stream: StreamId; readonly text: string}
  /** A clean end of the body. */
  | {readonly kind: 'end'; readonly stream: StreamId}
  | {readonly kind: 'reset'; readonly stream: StreamId}

/** The protocol's own times, in ms. */
export interface BridgeTiming {
  /** Announced to clients. */
  readonly heartbeatMs: number
  readonly ttlMs: number
  readonly sweepMs: number
  readonly keepaliveMs: number
}

/** Switch note, sections 3 and 8. */
export const REAL_TIMING: BridgeTiming = {heartbeatMs: 2_000, ttlMs: 6_000, sweepMs: 2_000, keepaliveMs: 15_000}

/** The same so many times faster, for tests. The client follows: it beats as announced. */
export function hasten({heartbeatMs, ttlMs, sweepMs, keepaliveMs}: BridgeTiming, speed: number): BridgeTiming {
  return {
    heartbeatMs: heartbeatMs / speed,
    ttlMs: ttlMs / speed,
    sweepMs: sweepMs / speed,
    keepaliveMs: keepaliveMs / speed,
  }
}

export interface BridgeSetup {
  readonly revision: Revision
  readonly agentId: string
  readonly events: RetainedEvents
  readonly retention: Retention
  readonly timing: BridgeTiming
  /** Where generations begin to count: a real server throws dice. */
  readonly firstGeneration: number
  /** Whether a connection id belongs to another agent. */
  readonly isForeign?: (connectionId: string) => boolean
}

/** What the server keeps of one connection id. It outlives its stream until its time without a beat is over. */
export interface Connection {
  readonly id: string
  readonly ask: OpenAsk
  readonly generation: number
  /** The stream attached now. */
  stream: StreamId | undefined
  /** Another client holds this connection; that one beats for ever. */
  readonly held: boolean
  /** The last `s` written to it, or raised by a beat. */
  cursor: number
  aliveAt: number
  writtenAt: number
  /** The carrier can take a batch. */
  ready: boolean
  /** No batch before this. */
  batchFrom: number
  /** Half-open: until then nothing leaves, and no beat is answered. */
  mutedUntil: number
}

/** A stream that lost its connection to another and was not told: the first revision tells it when it next wakes. */
export interface Displaced {
  readonly stream: StreamId
  readonly wakesAt: number
}

/** The server's side of one agent's connections. Changed only by the functions of the bridge. */
export interface BridgeState {
  readonly setup: BridgeSetup
  readonly connections: Map<string, Connection>
  displaced: readonly Displaced[]
  generation: number
  nextSweep: number
  opens: number
}

export function createBridgeState(setup: BridgeSetup): BridgeState {
  return {setup, connections: new Map(), displaced: [], generation: setup.firstGeneration, nextSweep: 0, opens: 0}
}

export function attached({connections}: BridgeState): readonly Connection[] {
  return [...connections.values()].filter(({stream}) => stream !== undefined)
}

export function ofStream(state: BridgeState, stream: StreamId): Connection | undefined {
  return attached(state).find((connection) => connection.stream === stream)
}

export function isMuted({mutedUntil}: Connection, now: number): boolean {
  return mutedUntil > now
}

/** `single` without a room delivers nothing and moves nothing. (No room can be claimed here.) */
export function isParked({ask}: Connection): boolean {
  return ask.scope === 'single'
}

export function write(
  now: number,
  connection: Connection,
  text: string,
  kind: 'write' | 'batch' = 'write',
): readonly Output[] {
  if (connection.stream === undefined || isMuted(connection, now)) return []
  connection.writtenAt = now
  return [{kind, stream: connection.stream, text}]
}
