import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import type {GapNotice, SwitchFrame} from './frame.ts'
import {clip} from './summary.ts'

/** One line for lists, at most 200 UTF-16 code units. Only what was sent; nothing is derived. */
export function summaryOf(frame: SwitchFrame): string {
  return clip(words(frame))
}

function words(frame: SwitchFrame): string {
  if (frame.kind === 'gap') return gapWords(frame.said)
  if (frame.kind === 'unknown') return 'unknown frame, no type'
  if (frame.kind === 'control') return controlWords(frame.event, frame.data)
  const payload = member(frame.data, 'payload')
  return isJsonObject(payload) ? payloadWords(frame.type, payload) : frame.type
}

function payloadWords(type: string, payload: JsonObject): string {
  const said =
    textOf(payload, 'body') ?? textOf(payload, 'update') ?? textOf(payload, 'outcome') ?? textOf(payload, 'reason')
  const who = textOf(payload, 'sender_name') ?? textOf(payload, 'user_name') ?? textOf(payload, 'member_name')
  if (type === 'command')
    return joined(who, `/${textOf(payload, 'command') ?? ''} ${textOf(payload, 'args') ?? ''}`.trimEnd())
  if (type === 'room_join') return joined(who, 'joined the room')
  return joined(who, said ?? textOf(payload, 'summary') ?? textOf(payload, 'task_id') ?? type)
}

function joined(who: string | undefined, what: string): string {
  return who === undefined ? what : `@${who}: ${what}`
}

function gapWords(said: GapNotice): string {
  const to = said.resumedAt === undefined ? '' : `resumed at ${said.resumedAt}`
  return [said.reason, to].filter((part) => part !== undefined && part !== '').join(' · ') || 'gap'
}

function controlWords(event: string, data: JsonObject): string {
  return textOf(data, 'reason') ?? textOf(data, 'agent_id') ?? event
}
