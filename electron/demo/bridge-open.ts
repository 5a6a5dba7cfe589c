import {err, ok, type Result} from '../../shared/base/result.ts'
import {deliverTo} from './bridge-deliver.ts'
import {goodbye} from './bridge-endings.ts'
import {type BridgeState, type Connection, isMuted, type Output, type StreamId, write} from './bridge-state.ts'
import {connectionStateFrame, gapFrame} from './control-frames.ts'
import type {OpenAsk} from './open-ask.ts'
import {notOpen, type Reply, takenOver, tooManyConnections} from './replies.ts'

/** Open connections an agent may have. */
export const CONNECTION_CAP = 32

/** Attaches a stream to the connection of that id: a new one, one that waits for it, or one it takes from another stream. */
export function openStream(
  state: BridgeState,
  now: number,
  stream: StreamId,
  ask: OpenAsk,
): Result<readonly Output[], Reply> {
  const refused = refuse(state, ask)
  if (refused !== undefined) return err(refused)
  const known = state.connections.get(ask.connectionId)
  const farewell = known === undefined ? [] : displace(state, now, known)
  const connection = connect(state, now, stream, ask)
  const {revision, agentId, timing} = state.setup
  const {cursor, generation} = connection
  const said = {ask, agentId, cursor, generation, heartbeatMs: timing.heartbeatMs}
  return ok([
    ...farewell,
    {kind: 'accept', stream},
    ...write(now, connection, connectionStateFrame(revision, said)),
    ...gapAtOpen(state, now, connection),
    ...deliverTo(state, now, connection),
  ])
}

function refuse({setup, connections}: BridgeState, {connectionId, expectedGeneration}: OpenAsk): Reply | undefined {
  if (setup.isForeign?.(connectionId) === true) return notOpen(409, connectionId)
  const known = connections.get(connectionId)
  if (known === undefined)
    return connections.size < CONNECTION_CAP ? undefined : tooManyConnections(setup.agentId, CONNECTION_CAP)
  // The first revision knows no generations and ignores the parameter.
  const fenced = setup.revision !== 'r1' && expectedGeneration !== undefined
  return fenced && expectedGeneration !== known.generation ? takenOver() : undefined
}

function connect(state: BridgeState, now: number, stream: StreamId, ask: OpenAsk): Connection {
  state.generation++
  state.opens++
  const connection: Connection = {
    id: ask.connectionId,
    ask,
    generation: state.generation,
    stream,
    held: false,
    cursor: ask.from === 'head' ? state.setup.events.head().s : ask.from,
    aliveAt: now,
    writtenAt: now,
    ready: true,
    batchFrom: now,
    mutedUntil: 0,
  }
  state.connections.set(connection.id, connection)
  return connection
}

/** The first revision lets the loser find out when it next wakes; later ones tell it at once. */
function displace(state: BridgeState, now: number, {stream, mutedUntil, ...rest}: Connection): readonly Output[] {
  if (stream === undefined || isMuted({stream, mutedUntil, ...rest}, now)) return []
  const {revision, timing} = state.setup
  if (revision !== 'r1') return goodbye(revision, stream, 'taken_over')
  state.displaced = [...state.displaced, {stream, wakesAt: now + timing.keepaliveMs}]
  return []
}

/** A restart or an expiry, as far as the cursor shows it (Switch note, section 5). */
function gapAtOpen({setup}: BridgeState, now: number, connection: Connection): readonly Output[] {
  const {revision, events} = setup
  const {cursor} = connection
  if (!events.lost(cursor)) {
    // 0 asks for all there is; what came before this run's first event is nobody's loss.
    connection.cursor = Math.max(cursor, events.floor().s)
    return []
  }
  const restarted = events.isOfEarlierRun(cursor)
  // The older servers go on from their head where the reader was ahead of it: what they still hold is not replayed.
  const resumed = cursor > events.head().s && revision !== 'r3' ? events.head() : events.floor()
  connection.cursor = resumed.s
  const gap = {
    // The first revision does not name the reader's cursor.
    from: revision === 'r1' ? resumed.s : cursor,
    resumed,
    reason: restarted
      ? 'the server restarted since your last connection; what came before is no longer here'
      : 'events older than the retention window were dropped; read the rooms again',
    rooms: restarted ? [] : events.roomsLost(cursor),
    allRooms: restarted,
  }
  return write(now, connection, gapFrame(revision, gap))
}
