import {assertNever} from '../base/assert-never.ts'
import {type JsonObject, textOf} from '../base/json.ts'
import type {FrameKind} from '../history/fact.ts'
import type {CursorFrame, SequencedFrame} from './frame.ts'
import type {Numbered, PrimeHello, PrimeMessage} from './prime-message.ts'
import {objectOf} from './prime-snapshot.ts'
import {clip} from './summary.ts'

/** How a line of the daemon stands in the journal. */
export interface PrimeEntry {
  readonly kind: FrameKind
  /** Of a `session_event` the type of the event in it, else the type of the line. */
  readonly event: string
  readonly summary: string
  readonly frame: CursorFrame
}

/**
 * What an understood line is to the journal by itself. The end of a snapshot is only control here: whether there is a whole one
 * that can be adopted, the parts before it tell.
 */
export function entryOf(message: Exclude<PrimeMessage, {kind: 'malformed'}>): PrimeEntry {
  switch (message.kind) {
    case 'sequenced':
    case 'replaced':
      return numbered(message, true)
    case 'unknown':
      return message.numbered === undefined
        ? {...control(message.type ?? '', 'unknown line'), kind: 'unknown'}
        : {...numbered(message.numbered, false), kind: 'unknown'}
    case 'hello':
      return control('daemon_hello', helloWords(message))
    case 'response':
      return control('response', responseWords(message))
    case 'resynced':
      return control('session_resynced', 'a whole snapshot in one line')
    case 'snapshotBegin':
      return control(
        'session_snapshot_begin',
        `${message.purpose ?? 'a'} snapshot of ${message.messageCount ?? 'an unknown number of'} messages`,
      )
    case 'snapshotChunk':
      return control(
        'session_snapshot_chunk',
        `part ${message.index ?? '?'} of a snapshot, ${message.messages?.length ?? 0} messages`,
      )
    case 'snapshotEnd':
      return control('session_snapshot_end', 'end of a snapshot')
    case 'snapshotFailed':
      return control('session_snapshot_failed', message.error ?? 'the snapshot failed')
    case 'blank':
      return control('', 'a blank line')
    case 'detached':
      return control('session_detached', 'detached')
    case 'heartbeatsChanged':
      return control('heartbeats_changed', 'the list of sessions may have changed')
    case 'daemonClosing':
      return control('daemon_closing', message.reason ?? 'the daemon closes')
    case 'unsequenced':
      return control(message.type, message.type)
    default:
      return assertNever(message)
  }
}

function control(event: string, summary: string): PrimeEntry {
  return {kind: 'control', event, summary: clip(summary), frame: {kind: 'control', event, data: {}}}
}

function numbered({type = '', cursor, data}: Numbered, known: boolean): PrimeEntry {
  const inner = objectOf(data, 'event')
  const event = (type === 'session_event' && inner !== undefined ? textOf(inner, 'type') : undefined) ?? type
  const frame: SequencedFrame = {kind: 'sequenced', event, data, cursor, known, newConnection: false}
  return {kind: 'event', event, summary: clip(eventWords(event, inner ?? data)), frame}
}

/** What an event says of itself, as sent. */
function eventWords(event: string, said: JsonObject): string {
  const update = objectOf(said, 'assistantMessageEvent')
  if (update !== undefined) return textOf(update, 'delta') ?? textOf(update, 'type') ?? event
  const message = objectOf(said, 'message')
  const about =
    textOf(said, 'toolName') ??
    textOf(said, 'command') ??
    textOf(said, 'chunk') ??
    textOf(said, 'reason') ??
    textOf(said, 'name') ??
    textOf(said, 'recap') ??
    textOf(said, 'errorMessage') ??
    (message === undefined ? undefined : (textOf(message, 'errorMessage') ?? textOf(message, 'role')))
  return about ?? event
}

/** The hello of a daemon whose public process is another one than the last that was met. The workers and their numbers go on. */
export function replacedSupervisor(hello: PrimeHello): PrimeEntry {
  return control('daemon_hello', `supervisor replaced (not a reset) · ${helloWords(hello)}`)
}

function helloWords({appVersion, protocolName, protocolVersion, schemaId}: PrimeHello): string {
  return `${protocolName ?? 'unnamed protocol'} ${protocolVersion ?? '?'} · ${appVersion ?? 'no version'} · ${schemaId ?? ''}`
}

function responseWords({command, success, error}: Extract<PrimeMessage, {kind: 'response'}>): string {
  return `${command ?? 'answer'}: ${success ? 'done' : (error ?? 'refused')}`
}
