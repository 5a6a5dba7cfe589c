import type {JsonObject} from '../../../shared/base/json.ts'
import {attachedTo, type Connection, type DaemonState, epochOf, type Output} from './daemon-state.ts'
import {cursorOf, type DemoSession, iso, stateOf} from './session.ts'
import {headOf, isChunked, streamSnapshot, tailOf} from './snapshots.ts'
import {lineOf, protocolOf} from './wire.ts'

/** What every sequenced message carries besides its own fields. */
export function metaOf(state: DaemonState, now: number, session: DemoSession): JsonObject {
  const {activeId: activeSessionId, sequence} = session
  return {
    id: `${activeSessionId}:${sequence}`,
    protocol: protocolOf(state.version),
    activeSessionId,
    sequence,
    cursor: cursorOf(session),
    emittedAt: iso(epochOf(state, now)),
  }
}

/** A message of the session without its number. */
export interface Numbered {
  readonly type: string
  readonly [key: string]: unknown
}

/** Takes the next number, and offers the message to whom it is for: every attached client where not said. */
export function publish(
  state: DaemonState,
  now: number,
  session: DemoSession,
  message: Numbered,
  isFor: (connection: Connection) => boolean = () => true,
): readonly Output[] {
  session.sequence += 1
  const text = numberedLine(state, now, session, message)
  const outputs = attachedTo(state, session.activeId)
    .filter(isFor)
    .flatMap((connection) => offer(state, connection, session, text))
  return [...outputs, ...countDrop(state, now, session)]
}

/** The line of a message that carries the session's last number. */
export function numberedLine(state: DaemonState, now: number, session: DemoSession, message: Numbered): string {
  const {type, ...rest} = message
  return lineOf({type, activeSessionId: session.activeId, ...rest, meta: metaOf(state, now, session)})
}

/** To one client, unless its socket is made to look full; whether it is full, the carrier knows. */
export function offer(
  state: DaemonState,
  connection: Connection,
  {activeId}: DemoSession,
  text: string,
): readonly Output[] {
  if (state.dropping.has(activeId)) {
    lose(connection, activeId, 'resync')
    return []
  }
  return [{kind: 'event', connection: connection.id, activeId, text}]
}

export function lose({lost}: Connection, activeId: string, what: 'resync' | 'replacement'): void {
  if (lost.get(activeId) !== 'replacement') lost.set(activeId, what)
}

/** One event less that is left out; after the last, everybody is told. */
export function countDrop(state: DaemonState, now: number, session: DemoSession): readonly Output[] {
  const left = state.dropping.get(session.activeId)
  if (left === undefined) return []
  if (left > 1) {
    state.dropping.set(session.activeId, left - 1)
    return []
  }
  state.dropping.delete(session.activeId)
  return attachedTo(state, session.activeId).flatMap((connection) => catchUp(state, now, connection))
}

/** The socket can take more: for every session that lost something, the state of things, with the number of the last event. */
export function catchUp(state: DaemonState, now: number, connection: Connection): readonly Output[] {
  const lost = [...connection.lost]
  connection.lost.clear()
  return lost.flatMap(([activeId, what]) => {
    const session = state.sessions.find((one) => one.activeId === activeId)
    if (session === undefined || !connection.attached.has(activeId) || session.worker !== 'ready') return []
    return what === 'replacement'
      ? tellReplaced(state, now, connection, session)
      : resync(state, now, connection, session)
  })
}

function resync(state: DaemonState, now: number, connection: Connection, session: DemoSession): readonly Output[] {
  if (isChunked(connection)) return streamSnapshot(state, connection, session, 'resync')
  const snapshot = {...headOf(state, session), messages: session.messages, ...tailOf(session)}
  const text = numberedLine(state, now, session, {type: 'session_resynced', snapshot})
  return [{kind: 'write', connection: connection.id, text}]
}

/** Chunked clients are told with a snapshot to follow, the others with the messages in the same line. */
export function tellReplaced(
  state: DaemonState,
  now: number,
  connection: Connection,
  session: DemoSession,
): readonly Output[] {
  const chunked = isChunked(connection)
  const text = replacedLine(state, now, session, chunked)
  const line: Output = {kind: 'write', connection: connection.id, text}
  return chunked ? [line, ...streamSnapshot(state, connection, session, 'replacement')] : [line]
}

export function replacedLine(state: DaemonState, now: number, session: DemoSession, chunked: boolean): string {
  return numberedLine(state, now, session, {
    type: 'session_replaced',
    state: stateOf(session),
    messages: chunked ? [] : session.messages,
    ...(chunked ? {snapshotFollows: true} : {}),
  })
}
