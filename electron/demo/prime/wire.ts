import type {JsonObject} from '../../../shared/base/json.ts'

/** The protocol's name, in the hello and in every envelope. */
export const PROTOCOL_NAME = 'prime-agent.daemon'

/** What daemons of the year speak; a scenario may pretend another (Prime note, section 3). */
export const PROTOCOL_VERSION = 7

/** Announced by the hello, in the order of a real one. */
export const SERVER_CAPABILITIES: readonly string[] = [
  'attach_snapshot',
  'event_sequence',
  'extension_ui',
  'slim_attach',
  'chunked_snapshot',
  'client_owned_sessions',
  'delete_rlm_subagent',
  'heartbeat_catalog',
  'heartbeat_management',
  'model_catalog',
  'side_question_transcript',
  'transient_bash',
  'session_input_admission',
  'prompt_admission_cancellation',
  'owned_prompt_cancellation',
  'queue_message_mutation',
  'authoritative_child_roster',
  'owned_session_recovery_context',
  'rlm_quiescence_barrier',
  'session_input_pause',
  'acp_mcp_servers',
]

/** What an attach has that names none. */
export const DEFAULT_CAPABILITIES: readonly string[] = ['attach_snapshot', 'event_sequence']

/** A chunk of a snapshot is closed once it holds this many bytes. */
export const TARGET_CHUNK_BYTES = 524_288

/** One line of the wire: LF and nothing else ends it. */
export function lineOf(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`
}

export function protocolOf(version: number): JsonObject {
  return {name: PROTOCOL_NAME, version}
}

export function succeed(id: string | undefined, command: string, data?: JsonObject): JsonObject {
  return {...named(id), type: 'response', command, success: true, ...(data === undefined ? {} : {data})}
}

export function fail(id: string | undefined, command: string, error: string): JsonObject {
  return {...named(id), type: 'response', command, success: false, error}
}

/** A line that is no JSON has no id to answer with. */
function named(id: string | undefined): JsonObject {
  return id === undefined ? {} : {id}
}
