import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import type {FrameProblem, GapNotice, SwitchFrame} from './frame.ts'

const SUMMARY_LENGTH = 200
const LOOKED_AT = 2_000

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

/** Why a frame was refused, for lists. The bytes are shown beside it. */
export function problemSummary(problem: FrameProblem): string {
  switch (problem.kind) {
    case 'notJson':
      return clip(`not JSON: ${problem.detail}`)
    case 'notAnObject':
      return 'the data is not a JSON object'
    case 'badPosition':
      return problem.field === 'id' ? 'the id begins like a vector and is none' : 'the position is invalid'
    case 'badGap':
      return `the gap's ${problem.field} is invalid`
    case 'tooLong':
      return `more than ${problem.capBytes} bytes without a blank line`
  }
}

/** What is not a single space. Written so that it does not match one: ordinary text is then gone through once and stays as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal or a list must not be told
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]{2,}|[^\S ]|[\u0000-\u001f\u007f-\u009f]/g

/** A body of megabytes is not gone through for one line of a list. */
function clip(line: string): string {
  const looked = line.slice(0, LOOKED_AT)
  const flat = looked.replaceAll(SPACE_OR_CONTROL, ' ')
  if (flat.length <= SUMMARY_LENGTH && looked.length === line.length) return flat
  const cut = flat.slice(0, SUMMARY_LENGTH - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
