import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import {present} from '../base/present.ts'
import {parseCursor} from '../cursor/cursor.ts'
import type {Pairing, PrimeMessage, PrimeResponse, SnapshotHead} from './prime-message.ts'

/**
 * A response, with what its summaries tell about who is who. Only the places where the daemon puts summaries are looked at:
 * a transcript may quote anything.
 */
export function classifyResponse(message: JsonObject): PrimeMessage {
  const data = objectOf(message, 'data')
  const error = objectOf(message, 'errorInfo')
  const success = member(message, 'success') === true
  const command = textOf(message, 'command')
  return present({
    kind: 'response',
    id: textOf(message, 'id'),
    command,
    success,
    error: textOf(message, 'error'),
    errorCode: error === undefined ? undefined : textOf(error, 'code'),
    data,
    pairings: success && data !== undefined ? pairingsIn(data) : [],
    snapshot: success && data !== undefined && command === 'attach' ? attachedSnapshot(data) : undefined,
  })
}

/** Where a snapshot says whose it is, and where its stream stands. */
export function snapshotHead(snapshot: JsonObject): SnapshotHead {
  const [state, summary] = [objectOf(snapshot, 'state'), objectOf(snapshot, 'summary')]
  const said = (name: string): string | undefined => textOf(state ?? {}, name) ?? textOf(summary ?? {}, name)
  return present({
    activeSession: textOf(snapshot, 'activeSessionId'),
    session: said('sessionId'),
    sessionFile: said('sessionFile'),
    cursor: parseCursor(member(snapshot, 'lastEventCursor')),
  })
}

export function objectOf(object: JsonObject, key: string): JsonObject | undefined {
  const value = member(object, key)
  return isJsonObject(value) ? value : undefined
}

/** With a `snapshotStream` the messages follow in chunks; without, they are in the response. (Note, sections 6 and 7.) */
function attachedSnapshot(data: JsonObject): PrimeResponse['snapshot'] {
  const snapshot = objectOf(data, 'snapshot')
  if (snapshot === undefined) return undefined
  const head = snapshotHead(snapshot)
  const said = Object.hasOwn(snapshot, 'lastEventCursor')
  return present({
    activeSession: textOf(data, 'activeSessionId') ?? head.activeSession,
    session: head.session,
    sessionFile: head.sessionFile,
    cursor: said ? head.cursor : parseCursor(member(data, 'lastEventCursor')),
    inline: objectOf(data, 'snapshotStream') === undefined,
  })
}

function pairingsIn(data: JsonObject): readonly Pairing[] {
  const snapshot = objectOf(data, 'snapshot')
  const rows = [
    data,
    ...['session', 'summary', 'state'].map((key) => member(data, key)),
    ...['sessions', 'children'].flatMap((key) => listOf(member(data, key))),
    ...(snapshot === undefined ? [] : listOf(member(snapshot, 'children'))),
  ]
  return rows.flatMap((row) => (isJsonObject(row) ? pairing(row) : []))
}

function pairing(summary: JsonObject): readonly Pairing[] {
  const [activeSession, session] = [textOf(summary, 'activeSessionId'), textOf(summary, 'sessionId')]
  return activeSession === undefined || session === undefined ? [] : [{activeSession, session}]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
