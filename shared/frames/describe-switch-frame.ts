import {isJsonObject, type JsonObject, member} from '../base/json.ts'
import type {CoordinateKey, Position, Sequence, Step} from '../position/position.ts'
import {OWN} from '../position/position.ts'
import type {Frame, FrameProblem, GapNotice} from './frame.ts'

const SUMMARY_LENGTH = 200
const LOOKED_AT = 2_000

/** Where a frame is drawn, and its number there. */
export interface Place {
  readonly lane?: CoordinateKey
  readonly sequence?: Sequence
}

/** The room the frame moved, or `s`; where it moved nothing, the room or `s` it reported. A frame that reports nothing has no place. */
export function placeOf(frame: Frame, steps: readonly Step[]): Place {
  if (frame.kind === 'control') return {}
  if (frame.kind === 'gap') return {lane: OWN, ...sequenceAt(steps, OWN)}
  const moved = steps.find(({key}) => isRoom(key)) ?? steps[0]
  if (moved?.after !== undefined) return {lane: moved.key, sequence: moved.after}
  return reportedPlace(frame)
}

function reportedPlace(frame: Exclude<Frame, {kind: 'control' | 'gap'}>): Place {
  const {update} = frame
  if (update.kind === 'ownProgress') return {lane: OWN, sequence: update.own}
  if (update.kind !== 'progress') return {}
  return firstRoomOrOwn(update.reported)
}

function firstRoomOrOwn(reported: Position): Place {
  for (const [lane, sequence] of reported) if (isRoom(lane)) return {lane, sequence}
  for (const [lane, sequence] of reported) return {lane, sequence}
  return {}
}

function sequenceAt(steps: readonly Step[], key: CoordinateKey): {readonly sequence?: Sequence} {
  const after = steps.find((step) => step.key === key)?.after
  return after === undefined ? {} : {sequence: after}
}

function isRoom(key: CoordinateKey): boolean {
  return key.startsWith('r:')
}

/** One line for lists, at most 200 UTF-16 code units. Only what was sent; nothing is derived. */
export function summaryOf(frame: Frame): string {
  return clip(words(frame))
}

function words(frame: Frame): string {
  if (frame.kind === 'gap') return gapWords(frame.said)
  if (frame.kind === 'unknown') return 'unknown frame, no type'
  if (frame.kind === 'control') return controlWords(frame.event, frame.data)
  const payload = member(frame.data, 'payload')
  return isJsonObject(payload) ? payloadWords(frame.type, payload) : frame.type
}

function payloadWords(type: string, payload: JsonObject): string {
  const said = text(payload, 'body') ?? text(payload, 'update') ?? text(payload, 'outcome') ?? text(payload, 'reason')
  const who = text(payload, 'sender_name') ?? text(payload, 'user_name') ?? text(payload, 'member_name')
  if (type === 'command')
    return joined(who, `/${text(payload, 'command') ?? ''} ${text(payload, 'args') ?? ''}`.trimEnd())
  if (type === 'room_join') return joined(who, 'joined the room')
  return joined(who, said ?? text(payload, 'summary') ?? text(payload, 'task_id') ?? type)
}

function joined(who: string | undefined, what: string): string {
  return who === undefined ? what : `@${who}: ${what}`
}

function gapWords(said: GapNotice): string {
  const to = said.resumedAt === undefined ? '' : `resumed at ${said.resumedAt}`
  return [said.reason, to].filter((part) => part !== undefined && part !== '').join(' · ') || 'gap'
}

function controlWords(event: string, data: JsonObject): string {
  return text(data, 'reason') ?? text(data, 'agent_id') ?? event
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

function text(object: JsonObject, key: string): string | undefined {
  const value = member(object, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal or a list must not be told
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]+/g

/** A body of megabytes is not gone through for one line of a list. */
function clip(line: string): string {
  const looked = line.slice(0, LOOKED_AT)
  const flat = looked.replaceAll(SPACE_OR_CONTROL, ' ')
  if (flat.length <= SUMMARY_LENGTH && looked.length === line.length) return flat
  const cut = flat.slice(0, SUMMARY_LENGTH - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
