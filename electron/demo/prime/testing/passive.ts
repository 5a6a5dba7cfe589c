import {isJsonObject, member, parseJson} from '../../../../shared/base/json.ts'
import type {ClientRecord} from '../client-record.ts'
import {PROTOCOL_VERSION} from '../wire.ts'

/** All that a client may ask which must change nothing (Prime note, section 4). `detach` is journaled, but leaves. */
const PASSIVE = [
  'list',
  'attach',
  'detach',
  'ack_result',
  'get_state',
  'get_messages',
  'get_queue',
  'get_session_header',
  'get_session_stats',
  'get_connection_state',
  'get_rlm_children',
]

const CAPABILITIES = ['attach_snapshot', 'event_sequence', 'slim_attach', 'chunked_snapshot']

/** What a strictly passive client would not have sent, in words; nothing where it was one. */
export function breachesOfPassivity(record: readonly ClientRecord[]): readonly string[] {
  const versions = new Map<number, number>()
  return record.flatMap((one) => {
    if (one.kind === 'greeted') versions.set(one.connection, one.version)
    return one.kind === 'sent' ? [...breachesOfOrder(versions.get(one.connection)), ...breachesOf(one)] : []
  })
}

/** Nothing is said to a daemon that has not said which protocol it speaks, or speaks another. */
function breachesOfOrder(version: number | undefined): readonly string[] {
  if (version === undefined) return ['sent before the hello']
  return version === PROTOCOL_VERSION ? [] : [`sent to protocol ${version}`]
}

function breachesOf(sent: Extract<ClientRecord, {kind: 'sent'}>): readonly string[] {
  const {command, line, envelopeFields, commandFields} = sent
  if (command === undefined || !PASSIVE.includes(command)) return [`sent ${command ?? line}`]
  const named = [...envelopeFields, ...commandFields].includes('clientId') ? [`${command} names a client`] : []
  return command === 'attach' ? [...named, ...breachesOfAttach(line, commandFields)] : named
}

/** Exactly the fields and capabilities of section 6; a cursor besides is harmless. */
function breachesOfAttach(line: string, fields: readonly string[]): readonly string[] {
  const envelope = parseJson(line)
  const attach = isJsonObject(envelope) ? member(envelope, 'command') : undefined
  if (!isJsonObject(attach)) return ['attach without a body']
  const allowed = ['type', 'activeSessionId', 'capabilities', 'supportsExtensionUi', 'env', 'resumeCursor']
  const {capabilities, supportsExtensionUi, env} = attach
  const claimed = Array.isArray(capabilities) ? capabilities : []
  return [
    ...fields.filter((field) => !allowed.includes(field)).map((field) => `attach with ${field}`),
    ...(claimed.length === 4 && CAPABILITIES.every((one) => claimed.includes(one)) ? [] : [`attach claims ${claimed}`]),
    ...(supportsExtensionUi === false ? [] : ['attach does not refuse dialogs']),
    ...(isJsonObject(env) && Object.keys(env).length === 0 ? [] : ['attach without an empty env']),
  ]
}
