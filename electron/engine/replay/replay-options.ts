import {isJsonObject, parseJson} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {type Cursor, parseCursor} from '../../../shared/cursor/cursor.ts'
import {type Lane, laneAt} from '../../../shared/cursor/lane.ts'
import {type Position, parsePosition} from '../../../shared/position/position.ts'

/** What a replayed callback does. `reject-once` rejects the first delivery of each distinct frame. */
export type ReplayCallback = 'ok' | 'reject' | 'reject-once'

/** The position held before the first byte, as `--start` gives it. It says nothing about vectors seen on the wire. */
export function parseStart(text: string): Result<Position, string> {
  const value = parseJson(text)
  if (!isJsonObject(value)) return err('the start must be a JSON object such as {"s":18,"r:room-a":43}')
  const position = parsePosition(value)
  return position === undefined
    ? err('every coordinate of the start must be a non-negative safe integer')
    : ok(position)
}

/** The cursors that sessions held before the first byte, by durable id, as `--start` gives them. */
export function parsePrimeStart(text: string): Result<ReadonlyMap<string, Lane>, string> {
  const value = parseJson(text)
  if (!isJsonObject(value))
    return err('the start must be a JSON object such as {"<sessionId>":{"generation":"da65790f3c68","sequence":59}}')
  const lanes = new Map<string, Lane>()
  for (const [session, said] of Object.entries(value)) {
    const cursor = parseCursor(said)
    if (cursor === undefined) return err('every session of the start must have a generation and a sequence')
    lanes.set(session, laneAt(cursor))
  }
  return ok(lanes)
}

/** The cursor held before the first byte of a numbered stream. */
export function parseNumberedStart(text: string): Result<Cursor, string> {
  const cursor = parseCursor(parseJson(text))
  return cursor === undefined ? err('the start must be a cursor such as {"generation":5,"sequence":12}') : ok(cursor)
}

const SIZES = /^[0-9]+(?:,[0-9]+)*$/

/** Sizes of chunks in bytes, repeating, as `--chunks` gives them: `1,2,7,3,11`. */
export function parseChunks(text: string): Result<readonly number[], string> {
  const sizes = SIZES.test(text) ? text.split(',').map(Number) : []
  const valid = sizes.length > 0 && sizes.every((size) => Number.isSafeInteger(size) && size > 0)
  return valid ? ok(sizes) : err('the chunks must be sizes in bytes above 0, such as 1,2,7,3,11')
}

export function parseReplayCallback(text: string): Result<ReplayCallback, string> {
  const valid = text === 'ok' || text === 'reject' || text === 'reject-once'
  return valid ? ok(text) : err('a callback is one of ok, reject, reject-once')
}
