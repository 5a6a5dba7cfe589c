import {frameText} from './framing.ts'
import type {OpenAsk} from './open-ask.ts'
import {vectorOf} from './retained-events.ts'
import type {EvictionCode, GapFields, Numbers, Revision} from './scenario.ts'

/** What `protocol` a revision's server speaks. Of the third it is not known. */
const SPEAKS = {r1: 1, r2: 7, r3: 8} as const

export interface StateSaid {
  readonly ask: OpenAsk
  readonly agentId: string
  /** What was asked for, before any gap. */
  readonly cursor: number
  readonly generation: number
  readonly heartbeatMs: number
}

/** Always the first frame of a stream. */
export function connectionStateFrame(
  revision: Revision,
  {ask, agentId, cursor, generation, heartbeatMs}: StateSaid,
): string {
  const speaks = SPEAKS[revision]
  return frameText('connection_state', {
    connection_id: ask.connectionId,
    agent_id: agentId,
    scope: ask.scope,
    filter: ask.filter,
    spawn_capable: false,
    rooms: [],
    cursor,
    protocol: speaks,
    ...(revision === 'r1' ? {} : {generation}),
    heartbeat_interval_seconds: heartbeatMs / 1000,
    server: {version: null, contracts: {'agent-protocol': {speaks, accepts: 1}}},
    client: {speaks: null, accepts: null, artifact: null, version: null},
  })
}

export interface GapSaid {
  readonly from: number
  readonly resumed: Numbers
  readonly reason: string
  readonly rooms: readonly string[]
  /** Every room may have lost something: the server itself does not know. */
  readonly allRooms: boolean
  readonly says?: GapFields
}

/** A gap as far as each revision can tell it (Switch note, section 5). It has no id. */
export function gapFrame(revision: Revision, gap: GapSaid): string {
  const {from, resumed, reason, rooms, allRooms, says} = gap
  const resumedAt = says === 'neither' ? {} : {resumed_at: resumed.s}
  if (revision === 'r1') return frameText('gap', {from_sequence: from, ...resumedAt, reason})
  if (revision === 'r2')
    return frameText('gap', {from_sequence: from, ...resumedAt, reason, rooms, all_rooms: allRooms})
  return frameText('gap', {
    from_sequence: from,
    reason,
    ...resumedAt,
    ...(says === undefined ? {resumed_position: vectorOf(resumed)} : {}),
    rooms,
    ...(allRooms ? {all_rooms: true} : {}),
  })
}

/** The first revision gives its reason in prose only. */
const EVICTION_PROSE: Readonly<Record<EvictionCode, string>> = {
  taken_over: 'another stream attached to this connection',
  heartbeat_lapsed: 'heartbeat lapsed',
  closed: 'the connection was closed by an administrator',
}

export function evictedFrame(revision: Revision, code: EvictionCode): string {
  const reason = EVICTION_PROSE[code]
  return frameText('evicted', revision === 'r1' ? {reason} : {code, reason, room_id: null})
}
