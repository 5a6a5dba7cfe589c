import type {JsonObject} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {type Connection, countAttached, type DaemonState, type Output} from './daemon-state.ts'
import type {Command} from './read-command.ts'
import {cursorOf, type DemoSession, iso, stateOf, summaryOf} from './session.ts'
import {headOf, isChunked, snapshotIdOf, streamSnapshot, tailOf} from './snapshots.ts'
import {DEFAULT_CAPABILITIES, fail, lineOf, protocolOf, succeed, TARGET_CHUNK_BYTES} from './wire.ts'

/**
 * What the daemon answers a client that only watches. A demo has nobody who prompts, creates or kills: those commands are
 * unknown here, and stand in the record.
 */
export function answerCommand(state: DaemonState, connection: Connection, command: Command): readonly Output[] {
  switch (command.type) {
    case 'list':
      return reply(connection, succeed(command.id, 'list', listed(state, command.body)))
    case 'attach':
      return attach(state, connection, command)
    case 'detach':
      return detach(connection, command)
    // Has no response.
    case 'ack_result':
      return []
    default:
      return reply(connection, answerQuestion(state, command))
  }
}

function reply({id}: Connection, value: JsonObject): readonly Output[] {
  return [{kind: 'write', connection: id, text: lineOf(value)}]
}

/** A list queries every worker, and every answer under way falls back for everybody. */
function listed(state: DaemonState, {all, includeClientOwned}: JsonObject): JsonObject {
  const shown = state.sessions.filter(({spec}) => spec.owned !== true)
  const owned = state.sessions.length - shown.length
  for (const {answer} of shown) answer?.fallBack()
  const rows = shown.map((session) => summaryOf(session, countAttached(state, session)))
  const saved = all === true ? state.ended.map(savedRow) : []
  return {
    sessions: [...rows, ...saved],
    ...(includeClientOwned === true ? {busyClientOwnedSessionCount: owned} : {}),
  }
}

/** A transcript without a worker. */
function savedRow(session: DemoSession): JsonObject {
  const {activeSessionId: _active, workerState: _state, workerPid: _pid, ...row} = summaryOf(session, 0)
  return {...row, id: session.sessionId}
}

function attach(state: DaemonState, connection: Connection, command: Command): readonly Output[] {
  const {id, body, clientId} = command
  const found = findReady(state, body['activeSessionId'])
  if (!found.ok) return reply(connection, fail(id, 'attach', found.error))
  const session = found.value
  connection.attached.add(session.activeId)
  connection.capabilities = capabilitiesOf(body)
  connection.lost.delete(session.activeId)
  state.attaches += 1
  session.answer?.fallBack()
  const chunked = isChunked(connection)
  const client = {
    id: typeof body['clientId'] === 'string' ? body['clientId'] : (clientId ?? connection.clientId),
    capabilities: connection.capabilities,
  }
  const said = succeed(id, 'attach', {...attachData(state, session, chunked), client})
  return [...reply(connection, said), ...(chunked ? streamSnapshot(state, connection, session, 'attach') : [])]
}

/** "complete", whatever the client asked to resume from: nothing is ever replayed (Prime note, section 0 point 1). */
function attachData(state: DaemonState, session: DemoSession, chunked: boolean): JsonObject {
  const {activeId: activeSessionId, sequence, messages} = session
  return {
    protocol: protocolOf(state.version),
    activeSessionId,
    snapshot: {...headOf(state, session), messages: chunked ? [] : messages, ...tailOf(session)},
    replay: {status: 'complete', toSequence: sequence, toCursor: cursorOf(session)},
    lastEventSequence: sequence,
    lastEventCursor: cursorOf(session),
    ...(chunked
      ? {
          snapshotStream: {
            id: snapshotIdOf(session),
            messageCount: messages.length,
            targetChunkBytes: TARGET_CHUNK_BYTES,
          },
        }
      : {}),
  }
}

/** Unknown ones are kept and echoed. */
function capabilitiesOf({capabilities}: JsonObject): readonly string[] {
  if (!Array.isArray(capabilities)) return DEFAULT_CAPABILITIES
  return capabilities.filter((one) => typeof one === 'string')
}

/** `session_detached` comes before the response. Unknown sessions succeed without a word. */
function detach(connection: Connection, {id, body}: Command): readonly Output[] {
  const asked = body['activeSessionId']
  const left = [...connection.attached].filter((activeId) => asked === undefined || asked === activeId)
  for (const activeId of left) connection.attached.delete(activeId)
  return [
    ...left.flatMap((activeSessionId) => reply(connection, {type: 'session_detached', activeSessionId})),
    ...reply(connection, succeed(id, 'detach')),
  ]
}

const QUESTIONS: Readonly<Record<string, (state: DaemonState, session: DemoSession) => JsonObject>> = {
  get_state: (state, session) => summaryOf(session, countAttached(state, session)),
  get_queue: (_state, {queue}) => ({steering: queue.steering, followUp: queue.followUps}),
  // No capture has these four: their shapes follow the note's names for what they tell.
  get_messages: (_state, {messages}) => ({messages}),
  get_connection_state: (_state, session) => stateOf(session),
  get_rlm_children: () => ({children: []}),
  get_session_header: (_state, {sessionId, spec, created}) => ({id: sessionId, cwd: spec.cwd, timestamp: iso(created)}),
}

function answerQuestion(state: DaemonState, {id, type, body}: Command): JsonObject {
  const question = Object.hasOwn(QUESTIONS, type) ? QUESTIONS[type] : undefined
  if (question === undefined) return fail(id, type, `Unknown daemon command: ${type}`)
  const found = findReady(state, body['activeSessionId'])
  return found.ok ? succeed(id, type, question(state, found.value)) : fail(id, type, found.error)
}

/** By active id, session id, name or the end of an active id. What a client owns is unknown to every other. */
function findReady({sessions}: DaemonState, selector: unknown): Result<DemoSession, string> {
  const text = String(selector)
  const seen = sessions.filter(({spec}) => spec.owned !== true)
  const exact = seen.filter(({activeId}) => activeId === text)
  const found =
    exact.length > 0
      ? exact
      : seen.filter(({activeId, sessionId, name}) => sessionId === text || name === text || activeId.endsWith(text))
  const [session, second] = found
  if (session === undefined || text === '') return err(`Unknown active session: ${text}`)
  if (second !== undefined) return err(`Ambiguous active session: ${text}`)
  return session.worker === 'ready' ? ok(session) : err(`Session worker is ${session.worker}`)
}
