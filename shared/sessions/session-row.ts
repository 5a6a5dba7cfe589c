import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import {present} from '../base/present.ts'
import {objectOf} from '../frames/prime-snapshot.ts'
import {clip} from '../frames/summary.ts'
import {parseSequence} from '../position/position.ts'
import {type SessionKey, sessionKey} from './session-key.ts'

export type SessionState = 'running' | 'idle' | 'starting' | 'recovering' | 'stopping' | 'failed' | 'unknown'

/** What a daemon says of one session that it holds. What was not sent, or not in its form, is absent. (Prime note, section 5.) */
export interface SessionRow extends SessionKey {
  /** Absent: not resident. Nobody attaches to such a row. */
  readonly activeSessionId?: string
  readonly name?: string
  readonly cwd?: string
  readonly model?: string
  readonly state: SessionState
  readonly attachedClients?: number
  readonly messageCount?: number
  readonly subagent: boolean
  /** Another value means that something happened there. */
  readonly activity: string
}

/** Every row of the answer to `list` that names a session. */
export function sessionRowsOf(data: JsonObject): readonly SessionRow[] {
  const rows = member(data, 'sessions')
  return Array.isArray(rows) ? rows.flatMap((row) => (isJsonObject(row) ? (sessionRowOf(row) ?? []) : [])) : []
}

/** A `SessionSummary`. */
export function sessionRowOf(row: JsonObject): SessionRow | undefined {
  const key = sessionKey(textOf(row, 'sessionId'), textOf(row, 'sessionFile'))
  if (key.sessionId === undefined && key.sessionFile === undefined) return undefined
  const model = objectOf(row, 'model')
  const state = stateOf(row)
  const moment = ['lastActivityAt', 'modified', 'messageCount'].map((name) => String(member(row, name)))
  return present({
    activeSessionId: textOf(row, 'activeSessionId'),
    ...key,
    name: shown(textOf(row, 'sessionName') ?? textOf(row, 'firstMessage')),
    cwd: shown(textOf(row, 'cwd')),
    model: model === undefined ? undefined : shown(textOf(model, 'name') ?? textOf(model, 'id')),
    state,
    attachedClients: parseSequence(member(row, 'attachedClients')),
    messageCount: parseSequence(member(row, 'messageCount')),
    subagent: textOf(row, 'runtimeKind') === 'subagent',
    activity: [textOf(row, 'activeSessionId'), state, ...moment].join(' '),
  })
}

/** A first message may be a whole document. */
function shown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text)
}

const WORKER_STATES = ['starting', 'recovering', 'stopping', 'failed'] as const

/** A worker that is not ready says more than what its frozen row says of the session; `activity` is not to be trusted. */
function stateOf(row: JsonObject): SessionState {
  const worker = textOf(row, 'workerState')
  if (worker !== undefined && worker !== 'ready') return WORKER_STATES.find((one) => one === worker) ?? 'unknown'
  const told = ['isSessionActive', 'hasRunningRlmChildren'].map((name) => member(row, name))
  if (told.includes(true)) return 'running'
  return told[0] === false ? 'idle' : 'unknown'
}
