import {
  attached,
  type BridgeState,
  type Connection,
  isMuted,
  type Output,
  ofStream,
  type StreamId,
} from './bridge-state.ts'
import {evictedFrame} from './control-frames.ts'
import type {EvictionCode, Revision} from './scenario.ts'

/** An eviction: the frame, and a clean end of the body. */
export function goodbye(revision: Revision, stream: StreamId, code: EvictionCode): readonly Output[] {
  return [
    {kind: 'write', stream, text: evictedFrame(revision, code)},
    {kind: 'end', stream},
  ]
}

/** The stream's socket is gone, from either side. Its connection waits for another. */
export function closed(state: BridgeState, stream: StreamId): void {
  state.displaced = state.displaced.filter((one) => one.stream !== stream)
  const connection = ofStream(state, stream)
  if (connection !== undefined) connection.stream = undefined
}

/** Evicts what was not heard of for the time to live. */
export function sweep(state: BridgeState, now: number): readonly Output[] {
  if (now < state.nextSweep) return []
  const {sweepMs, ttlMs} = state.setup.timing
  state.nextSweep = now + sweepMs
  const lapsed = [...state.connections.values()].filter(({held, aliveAt}) => !held && now - aliveAt > ttlMs)
  return lapsed.flatMap((connection) => dismiss(state, now, connection, 'heartbeat_lapsed'))
}

export function evictAll(state: BridgeState, now: number, code: EvictionCode): readonly Output[] {
  return attached(state).flatMap((connection) => {
    const outputs = dismiss(state, now, connection, code)
    if (code === 'taken_over') hold(state, connection)
    return outputs
  })
}

function dismiss(state: BridgeState, now: number, connection: Connection, code: EvictionCode): readonly Output[] {
  const {stream} = connection
  state.connections.delete(connection.id)
  // A half-open socket hears of nothing, not even its end.
  return stream === undefined || isMuted(connection, now) ? [] : goodbye(state.setup.revision, stream, code)
}

/** Another client has it now, and goes on beating. */
function hold(state: BridgeState, connection: Connection): void {
  state.generation++
  const held = {...connection, stream: undefined, held: true, generation: state.generation}
  state.connections.set(connection.id, held)
}

export function wakeDisplaced(state: BridgeState, upTo: number): readonly Output[] {
  const awake = state.displaced.filter(({wakesAt}) => wakesAt <= upTo)
  state.displaced = state.displaced.filter(({wakesAt}) => wakesAt > upTo)
  return awake.flatMap(({stream}) => goodbye(state.setup.revision, stream, 'taken_over'))
}

export function hangUpAll(state: BridgeState, how: 'end' | 'reset'): readonly Output[] {
  return attached(state).flatMap((connection) => {
    const {stream} = connection
    connection.stream = undefined
    return stream === undefined ? [] : [{kind: how, stream}]
  })
}

/** The process died: every socket breaks and every connection is forgotten. */
export function restart(state: BridgeState): readonly Output[] {
  const displaced = state.displaced.map(({stream}): Output => ({kind: 'reset', stream}))
  const outputs = [...hangUpAll(state, 'reset'), ...displaced]
  state.connections.clear()
  state.displaced = []
  // Another throw of the dice, far from the last.
  state.generation = (state.generation + 0x2545f491) % 2 ** 32
  return outputs
}
