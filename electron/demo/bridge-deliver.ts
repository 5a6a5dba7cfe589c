import {
  attached,
  type BridgeState,
  type Connection,
  isMuted,
  isParked,
  type Output,
  ofStream,
  type StreamId,
  write,
} from './bridge-state.ts'
import {gapFrame} from './control-frames.ts'
import {KEEPALIVE} from './framing.ts'
import type {RetainedEvent} from './retained-events.ts'
import type {GapFields, Numbers} from './scenario.ts'

/** The next batch of one stream, if its carrier can take one and there is one; before it the gap, if what it would bring was dropped. */
export function deliverTo({setup}: BridgeState, now: number, connection: Connection): readonly Output[] {
  if (connection.stream === undefined || isMuted(connection, now) || isParked(connection)) return []
  if (!connection.ready || connection.batchFrom > now) return []
  const {events, retention} = setup
  const gap = connection.cursor < events.floor().s ? gapInLoop(setup, now, connection) : []
  const batch = events.after(connection.cursor, retention.batch)
  const last = batch.at(-1)
  if (last === undefined) return gap
  connection.cursor = last.s
  connection.batchFrom = now + retention.batchPauseMs
  const text = batch.map((event) => (isWanted(connection, event) ? event.text : '')).join('')
  if (text === '') return gap
  connection.ready = false
  return [...gap, ...write(now, connection, text, 'batch')]
}

function gapInLoop(
  {revision, agentId, events}: BridgeState['setup'],
  now: number,
  connection: Connection,
): readonly Output[] {
  const from = connection.cursor
  const resumed = events.floor()
  connection.cursor = resumed.s
  const reason = `cursor ${from} for agent ${agentId} is older than what is retained; read the rooms again`
  const rooms = events.roomsLost(from)
  return write(now, connection, gapFrame(revision, {from, resumed, reason, rooms, allRooms: false}))
}

function isWanted({ask}: Connection, event: RetainedEvent): boolean {
  return ask.filter === 'all' || event.addressed
}

/** Hands out what was appended to the events. */
export function deliver(state: BridgeState, now: number): readonly Output[] {
  return attached(state).flatMap((connection) => deliverTo(state, now, connection))
}

export function written(state: BridgeState, now: number, stream: StreamId): readonly Output[] {
  const connection = ofStream(state, stream)
  if (connection === undefined) return []
  connection.ready = true
  return deliverTo(state, now, connection)
}

/** Bytes that are no event: to every attached stream, kept nowhere. */
export function writeRaw(state: BridgeState, now: number, text: string): readonly Output[] {
  return attached(state).flatMap((connection) => write(now, connection, text))
}

export interface AnnouncedGap {
  readonly to: Numbers
  readonly reason: string
  readonly rooms: readonly string[]
  readonly says?: GapFields
}

/** The numbering is replaced under the eyes of whoever is attached. One that says neither field replaces nothing. */
export function announceGap(state: BridgeState, now: number, gap: AnnouncedGap): readonly Output[] {
  const {revision, events} = state.setup
  const replaces = gap.says !== 'neither'
  if (replaces) events.replace(gap.to)
  return attached(state).flatMap((connection) => {
    const from = connection.cursor
    if (replaces) connection.cursor = gap.to.s
    return write(now, connection, gapFrame(revision, {...gap, from, resumed: gap.to, allRooms: false}))
  })
}

/** After so long without a byte. It is no frame, and says nothing about liveness. */
export function keepAlive(state: BridgeState, now: number): readonly Output[] {
  const idle = attached(state).filter(({writtenAt}) => now - writtenAt >= state.setup.timing.keepaliveMs)
  return idle.flatMap((connection) => write(now, connection, KEEPALIVE))
}
