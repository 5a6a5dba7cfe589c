import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import {present} from '../base/present.ts'
import {parseCursor} from '../cursor/cursor.ts'
import {parseSequence} from '../position/position.ts'
import {isDense, MOST_PARTS} from './dense-json.ts'
import type {Numbered, PrimeMessage, PrimeProblem} from './prime-message.ts'
import {classifyResponse, objectOf, snapshotHead} from './prime-snapshot.ts'

/** Each takes the next number of its active session. `session_resynced` does too, but is a snapshot and no event. (Note, section 8.) */
const SEQUENCED = new Set([
  'session_event',
  'session_status',
  'session_replaced',
  'session_closed',
  'extension_ui_request',
  'extension_error',
])

/** Named in the note; they carry no number, and nothing here depends on them. */
const UNSEQUENCED = new Set(['side_question_event', 'session_attached', 'event', 'command', 'ack_result'])

/** Understands one line of the Prime daemon, given without its LF. Lenient: what it does not know it leaves alone. */
export function classifyPrimeLine(text: string): PrimeMessage {
  if (text.trim() === '') return {kind: 'blank'}
  if (isDense(text)) return {kind: 'malformed', problem: {kind: 'tooDense', most: MOST_PARTS}}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The engine's message quotes the text, and a line may hold the owner's token.
    return {kind: 'malformed', problem: {kind: 'notJson', detail: 'the line does not parse'}}
  }
  return classifyPrimeValue(value)
}

/** The same for a line that was parsed already. */
export function classifyPrimeValue(value: unknown): PrimeMessage {
  return isJsonObject(value) ? classifyObject(value) : {kind: 'malformed', problem: {kind: 'notAnObject'}}
}

function classifyObject(data: JsonObject): PrimeMessage {
  const type = textOf(data, 'type')
  if (type === undefined) return unknownMessage(data)
  if (SEQUENCED.has(type)) return classifySequenced(type, data)
  if (UNSEQUENCED.has(type)) return {kind: 'unsequenced', type, data}
  switch (type) {
    case 'daemon_hello':
      return hello(data)
    case 'response':
      return classifyResponse(data)
    case 'session_resynced':
      return resynced(data)
    case 'session_snapshot_begin':
      return present({
        kind: 'snapshotBegin',
        ...snapshotHead(objectOf(data, 'snapshot') ?? {}),
        ...part(data),
        purpose: textOf(data, 'purpose'),
        messageCount: parseSequence(member(data, 'messageCount')),
        data,
      })
    case 'session_snapshot_chunk': {
      const messages = member(data, 'messages')
      return present({
        kind: 'snapshotChunk',
        ...part(data),
        index: parseSequence(member(data, 'index')),
        messages: Array.isArray(messages) ? messages : undefined,
      })
    }
    case 'session_snapshot_end':
      return present({
        kind: 'snapshotEnd',
        ...part(data),
        chunkCount: parseSequence(member(data, 'chunkCount')),
        cursor: parseCursor(member(data, 'lastEventCursor')),
      })
    case 'session_snapshot_failed':
      return present({kind: 'snapshotFailed', ...part(data), error: textOf(data, 'error')})
    case 'session_detached':
      return present({kind: 'detached', activeSession: textOf(data, 'activeSessionId')})
    case 'heartbeats_changed':
      return {kind: 'heartbeatsChanged'}
    case 'daemon_closing':
      return present({kind: 'daemonClosing', reason: textOf(data, 'reason')})
    default:
      return unknownMessage(data)
  }
}

function part(data: JsonObject) {
  return present({activeSession: textOf(data, 'activeSessionId'), snapshotId: textOf(data, 'snapshotId')})
}

function hello(data: JsonObject): PrimeMessage {
  const protocol = objectOf(data, 'protocol') ?? {}
  return present({
    kind: 'hello',
    protocolName: textOf(protocol, 'name'),
    protocolVersion: parseSequence(member(protocol, 'version')),
    schemaId: textOf(data, 'schemaId'),
    schemaRevision: parseSequence(member(data, 'schemaRevision')),
    appVersion: textOf(data, 'appVersion'),
    clientId: textOf(data, 'clientId'),
    supervisorGeneration: textOf(data, 'supervisorGeneration'),
    supervisorPid: parseSequence(member(data, 'supervisorPid')),
  })
}

function classifySequenced(type: string, data: JsonObject): PrimeMessage {
  const numbered = numberedMessage(data)
  if ('problem' in numbered) return {kind: 'malformed', problem: numbered.problem}
  if (type === 'session_replaced') {
    const state = objectOf(data, 'state') ?? {}
    const [session, sessionFile] = [textOf(state, 'sessionId'), textOf(state, 'sessionFile')]
    const inline = member(data, 'snapshotFollows') !== true
    return present({kind: 'replaced', ...numbered, type, session, sessionFile, inline})
  }
  const event = type === 'session_event' ? textOf(objectOf(data, 'event') ?? {}, 'type') : undefined
  return present({kind: 'sequenced', ...numbered, type, event})
}

/** Sequence and cursor live in `meta` only. */
function numberedMessage(data: JsonObject): Numbered | {readonly problem: PrimeProblem} {
  const meta = objectOf(data, 'meta') ?? {}
  const type = textOf(data, 'type') ?? ''
  const cursor = parseCursor(member(meta, 'cursor'))
  if (cursor === undefined) return {problem: {kind: 'noCursor', type}}
  const activeSession = textOf(data, 'activeSessionId') ?? textOf(meta, 'activeSessionId')
  if (activeSession === undefined) return {problem: {kind: 'noActiveSession', type}}
  return present({type: textOf(data, 'type'), activeSession, cursor, emittedAt: textOf(meta, 'emittedAt'), data})
}

/** By the snapshot's own cursor; only where it says none, by the number of the message. */
function resynced(data: JsonObject): PrimeMessage {
  const [snapshot, meta] = [objectOf(data, 'snapshot') ?? {}, objectOf(data, 'meta') ?? {}]
  const head = snapshotHead(snapshot)
  return present({
    kind: 'resynced',
    activeSession: textOf(data, 'activeSessionId') ?? textOf(meta, 'activeSessionId') ?? head.activeSession,
    session: head.session,
    sessionFile: head.sessionFile,
    cursor: Object.hasOwn(snapshot, 'lastEventCursor') ? head.cursor : parseCursor(member(meta, 'cursor')),
    data,
  })
}

function unknownMessage(data: JsonObject): PrimeMessage {
  const numbered = numberedMessage(data)
  return present({
    kind: 'unknown',
    type: textOf(data, 'type'),
    numbered: 'problem' in numbered ? undefined : numbered,
    data,
  })
}
