import {assertNever} from '../../../shared/base/assert-never.ts'
import {
  attachedTo,
  countAttached,
  type DaemonState,
  epochOf,
  later,
  type Output,
  sessionOf,
  toAll,
} from './daemon-state.ts'
import {lose, publish, replacedLine} from './deliver.ts'
import {recoveryMessage} from './messages.ts'
import type {CloseReason, SessionAction} from './scenario.ts'
import {createSession, type DemoSession, forgetRun, summaryOf, switchTo} from './session.ts'
import {isChunked, streamSnapshot} from './snapshots.ts'
import {lineOf} from './wire.ts'

/** In ms: how long a crashed worker is said to recover before it is said to have failed. */
const RECOVERY_MS = 400

export function actOnSession(state: DaemonState, now: number, action: SessionAction): readonly Output[] {
  switch (action.kind) {
    case 'open':
      state.sessions = [...state.sessions, createSession(action.session, state.ids, epochOf(state, now))]
      return heartbeatsChanged(state)
    case 'close':
      return [...closeSession(state, now, sessionOf(state, action.on), action.reason), ...heartbeatsChanged(state)]
    case 'crash':
      return crash(state, now, sessionOf(state, action.on))
    case 'reopen':
      return reopen(state, now, action.on)
    case 'replace':
      return replace(state, now, sessionOf(state, action.on), action.name)
    case 'status': {
      const session = sessionOf(state, action.on)
      session.recap = action.recap
      return publish(state, now, session, {type: 'session_status', recap: action.recap})
    }
    case 'askUser':
      return askUser(state, now, sessionOf(state, action.on), action.title)
    case 'others':
      sessionOf(state, action.on).others = action.count
      return []
    default:
      return assertNever(action)
  }
}

/** Goes to every client, attached or not: a hint to look at the list again. */
export function heartbeatsChanged(state: DaemonState): readonly Output[] {
  return toAll(state, lineOf({type: 'heartbeats_changed'}))
}

export function closeSession(
  state: DaemonState,
  now: number,
  session: DemoSession,
  reason: CloseReason,
): readonly Output[] {
  const outputs = publish(state, now, session, {type: 'session_closed', reason})
  for (const {attached} of attachedTo(state, session.activeId)) attached.delete(session.activeId)
  state.sessions = state.sessions.filter((one) => one !== session)
  state.ended = [...state.ended, session]
  return outputs
}

function crash(state: DaemonState, now: number, session: DemoSession): readonly Output[] {
  session.frozen = summaryOf(session, countAttached(state, session))
  session.worker = 'recovering'
  const {generation} = session
  later(state, now + RECOVERY_MS / (state.setup.speed ?? 1), () => {
    // Given to a new worker meanwhile, it is well.
    if (session.generation === generation) session.worker = 'failed'
    return []
  })
  return []
}

/** Of a crashed session, or of a closed one. */
function reopen(state: DaemonState, now: number, key: string): readonly Output[] {
  const ended = state.ended.find(({spec}) => spec.key === key)
  const session = ended ?? sessionOf(state, key)
  if (ended !== undefined) {
    state.ended = state.ended.filter((one) => one !== ended)
    state.sessions = [...state.sessions, ended]
  }
  giveWorker(state, now, session)
  return heartbeatsChanged(state)
}

/** Another process: another active id, another generation, and numbers from the beginning. */
export function giveWorker(state: DaemonState, now: number, session: DemoSession): void {
  const {ids} = state
  const crashed = session.frozen !== undefined
  forgetRun(session)
  session.activeId = ids.short()
  session.generation = ids.short()
  session.sequence = 0
  session.worker = 'ready'
  session.workerPid = ids.pid()
  session.frozen = undefined
  if (crashed) session.messages = [...session.messages, recoveryMessage(session.activeId, epochOf(state, now))]
}

/**
 * Same active id, same generation, next number; another session. Chunked clients are told twice with one cursor, and
 * then by a snapshot.
 */
function replace(state: DaemonState, now: number, session: DemoSession, name: string): readonly Output[] {
  switchTo(session, name)
  session.sequence += 1
  return attachedTo(state, session.activeId).flatMap((connection): readonly Output[] => {
    if (state.dropping.has(session.activeId)) {
      lose(connection, session.activeId, 'replacement')
      return []
    }
    const chunked = isChunked(connection)
    const text = replacedLine(state, now, session, chunked)
    const line: Output = {kind: 'write', connection: connection.id, text}
    return chunked ? [line, line, ...streamSnapshot(state, connection, session, 'replacement')] : [line]
  })
}

function askUser(state: DaemonState, now: number, session: DemoSession, title: string): readonly Output[] {
  const question = {
    type: 'extension_ui_request',
    id: state.ids.uuid(),
    method: 'confirm',
    payload: {title, message: 'Proceed?', timeout: 4_000},
  }
  return publish(state, now, session, question, ({capabilities}) => capabilities.includes('extension_ui'))
}
