import {isJsonObject, type JsonObject, member} from '../base/json.ts'
import {err, ok, type Result} from '../base/result.ts'
import {type Position, type PositionUpdate, parsePosition, parseSequence, type Sequence} from '../position/position.ts'
import type {FrameProblem, GapNotice, SwitchFrame} from './frame.ts'
import type {RawFrame} from './raw-frame.ts'
import {switchPosition} from './switch-position.ts'

/** Frames meant for hosted workers. They may hold secrets, so nothing of them is stored but their name and size. */
const WORKER_FRAMES = new Set([
  'worker_attached',
  'relay',
  'relay_cancel',
  'wake',
  'mailbox_cancel',
  'operation',
  'credential',
])

/** Switch note, section 3. `gap` is no control frame: it moves the position. */
const CONTROL_FRAMES = new Set([
  'connection_state',
  'evicted',
  'subscription_changed',
  'room_released',
  'approval_outcome',
  'session_command',
  'session_commands',
  ...WORKER_FRAMES,
])

/** True where the frame's text must not be kept. */
export function mayHoldSecrets(event: string): boolean {
  return WORKER_FRAMES.has(event)
}

/**
 * Understands one raw frame of the Switch agent stream, all three revisions. Pure, and all or nothing: a frame with one
 * bad coordinate is refused whole, before any callback could see it.
 */
export function classifySwitchFrame(raw: RawFrame): Result<SwitchFrame, FrameProblem> {
  const {event} = raw
  const parsed = parseData(raw)
  if (!parsed.ok) return parsed
  const data = parsed.value
  if (CONTROL_FRAMES.has(event)) return ok({kind: 'control', event, data})
  if (event === 'gap') return classifyGap(data)
  const update = switchPosition(raw.id, data)
  if (!update.ok) return update
  const type = member(data, 'type')
  if (typeof type !== 'string') return ok({kind: 'unknown', event, data, update: update.value})
  return ok({kind: 'event', event, type, data, update: update.value})
}

function parseData({event, data}: RawFrame): Result<JsonObject, FrameProblem> {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (cause) {
    // The engine's message quotes the text, and this problem is stored, shown and exported.
    const quotes = mayHoldSecrets(event) || !(cause instanceof Error)
    return err({kind: 'notJson', detail: quotes ? 'the data does not parse' : cause.message})
  }
  return isJsonObject(value) ? ok(value) : err({kind: 'notAnObject'})
}

/**
 * A gap replaces. A vector present takes the place of the whole position, `{}` too; only `resumed_at` present, `s` alone is
 * replaced; neither, nothing moves. Present but invalid is an error, not absence. (Switch note, section 5.)
 */
function classifyGap(data: JsonObject): Result<SwitchFrame, FrameProblem> {
  const resumedAt = parseSequence(member(data, 'resumed_at'))
  const position = parsePosition(member(data, 'resumed_position'))
  const said = gapNotice(data, resumedAt, position)
  if (resumedAt === undefined && Object.hasOwn(data, 'resumed_at'))
    return err({kind: 'badGap', field: 'resumed_at', said})
  if (position === undefined && Object.hasOwn(data, 'resumed_position'))
    return err({kind: 'badGap', field: 'resumed_position', said})
  return ok({kind: 'gap', event: 'gap', data, said, update: replacement(resumedAt, position)})
}

function replacement(resumedAt: Sequence | undefined, position: Position | undefined): PositionUpdate {
  if (position !== undefined) return {kind: 'replacement', resumed: position}
  if (resumedAt !== undefined) return {kind: 'ownReplacement', own: resumedAt}
  return {kind: 'none'}
}

/** `from_sequence`, `rooms`, `all_rooms` and `reason` describe; they never fail a gap. */
function gapNotice(data: JsonObject, resumedAt: Sequence | undefined, position: Position | undefined): GapNotice {
  const from = parseSequence(member(data, 'from_sequence'))
  const rooms = member(data, 'rooms')
  const allRooms = member(data, 'all_rooms')
  const reason = member(data, 'reason')
  return {
    ...(from === undefined ? {} : {from}),
    ...(resumedAt === undefined ? {} : {resumedAt}),
    ...(position === undefined ? {} : {position}),
    ...(Array.isArray(rooms) ? {rooms: rooms.filter((room) => typeof room === 'string')} : {}),
    ...(typeof allRooms === 'boolean' ? {allRooms} : {}),
    ...(typeof reason === 'string' ? {reason} : {}),
  }
}
