import type {Result} from '../../shared/base/result.ts'
import type {BeatAsk} from './beat-ask.ts'
import {type AnnouncedGap, announceGap, deliver, keepAlive, writeRaw, written} from './bridge-deliver.ts'
import {closed, evictAll, hangUpAll, restart, sweep, wakeDisplaced} from './bridge-endings.ts'
import {openStream} from './bridge-open.ts'
import {
  attached,
  type BridgeSetup,
  type BridgeState,
  createBridgeState,
  isMuted,
  isParked,
  type Output,
  type StreamId,
} from './bridge-state.ts'
import type {OpenAsk} from './open-ask.ts'
import type {PlayStatus} from './play.ts'
import {json, noStream, notOpen, type Reply, takenOver} from './replies.ts'
import type {EvictionCode} from './scenario.ts'

/**
 * The server's side of one agent's connections (Switch note, sections 2 to 8), as a machine without clock or socket: every
 * input brings the time along, in ms from any start, and what must be done with sockets comes back as outputs.
 */
export interface Bridge {
  readonly open: (now: number, stream: StreamId, ask: OpenAsk) => Result<readonly Output[], Reply>
  /** `undefined`: never answered. */
  readonly beat: (now: number, ask: BeatAsk) => Reply | undefined
  readonly closed: (stream: StreamId) => void
  /** The carrier can take more of this stream. */
  readonly written: (now: number, stream: StreamId) => readonly Output[]
  readonly tick: (now: number) => readonly Output[]
  readonly deliver: (now: number) => readonly Output[]
  readonly raw: (now: number, text: string) => readonly Output[]
  readonly gap: (now: number, gap: AnnouncedGap) => readonly Output[]
  readonly evict: (now: number, code: EvictionCode) => readonly Output[]
  readonly hangUp: (how: 'end' | 'reset') => readonly Output[]
  readonly restart: () => readonly Output[]
  /** What is attached becomes half-open until then. */
  readonly mute: (until: number) => void
  readonly status: (now: number) => PlayStatus
  /** When `tick` has something to do next; infinity where never. */
  readonly nextDue: (now: number) => number
}

export function createBridge(setup: BridgeSetup): Bridge {
  const state = createBridgeState(setup)
  return {
    open: (now, stream, ask) => openStream(state, now, stream, ask),
    beat: (now, ask) => answerBeat(state, now, ask),
    closed: (stream) => closed(state, stream),
    written: (now, stream) => written(state, now, stream),
    // An event wakes every stream, also one that lost its connection.
    deliver: (now) => [...wakeDisplaced(state, Number.POSITIVE_INFINITY), ...deliver(state, now)],
    tick: (now) => [
      ...wakeDisplaced(state, now),
      ...sweep(state, now),
      ...deliver(state, now),
      ...keepAlive(state, now),
    ],
    raw: (now, text) => writeRaw(state, now, text),
    gap: (now, gap) => announceGap(state, now, gap),
    evict: (now, code) => evictAll(state, now, code),
    hangUp: (how) => hangUpAll(state, how),
    restart: () => restart(state),
    mute: (until) => {
      for (const connection of attached(state)) connection.mutedUntil = until
    },
    status: (now) => status(state, now),
    nextDue: (now) => nextDue(state, now),
  }
}

function answerBeat({setup, connections}: BridgeState, now: number, ask: BeatAsk): Reply | undefined {
  const connection = connections.get(ask.connectionId)
  if (connection === undefined) return notOpen(404, ask.connectionId)
  if (isMuted(connection, now)) return undefined
  const {revision, events} = setup
  const stale = ask.generation !== undefined && ask.generation !== connection.generation
  if (revision !== 'r1' && (stale || connection.held)) return takenOver()
  if (connection.stream === undefined) return noStream(revision, ask.connectionId)
  connection.aliveAt = now
  // A client is taken at its word: what it claims to have had is never sent.
  connection.cursor = Math.max(connection.cursor, Math.min(ask.cursor, events.head().s))
  return json(200, {ok: true, rooms: [], cursor: connection.cursor})
}

function status(state: BridgeState, now: number): PlayStatus {
  const heard = attached(state).filter((connection) => !isMuted(connection, now))
  const head = state.setup.events.head().s
  return {
    attached: heard.length,
    caughtUp: heard.every(({ready, cursor}) => ready && cursor >= head),
    opens: state.opens,
  }
}

function nextDue(state: BridgeState, now: number): number {
  const {events, timing} = state.setup
  const head = events.head().s
  const dues = attached(state).flatMap((connection) => {
    const {writtenAt, mutedUntil, ready, cursor, batchFrom} = connection
    if (isMuted(connection, now)) return [mutedUntil]
    return [writtenAt + timing.keepaliveMs, ...(ready && cursor < head && !isParked(connection) ? [batchFrom] : [])]
  })
  const sweeps = state.connections.size > 0 ? [state.nextSweep] : []
  return Math.min(...dues, ...sweeps, ...state.displaced.map(({wakesAt}) => wakesAt))
}
