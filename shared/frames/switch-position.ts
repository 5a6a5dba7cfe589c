import {isJsonObject, type JsonObject, parseJson} from '../base/json.ts'
import {err, ok, type Result} from '../base/result.ts'
import {type PositionUpdate, parsePosition, parseSequence} from '../position/position.ts'
import type {FrameProblem} from './frame.ts'

/** The field an ordinary frame is assumed to carry its vector in. The server's third revision is not public: one place to change. */
const VECTOR_FIELD = 'position'

const PLAIN_DECIMAL = /^(?:0|[1-9][0-9]*)$/

/**
 * Where an ordinary Switch frame says its position is: `data.position` if present, and then alone; otherwise an id
 * that begins with `{`, which claims to be a vector; otherwise an id that is a plain decimal, the older servers' way.
 * Any other id is just no position. (Switch note, sections 10 and 12.)
 */
export function switchPosition(id: string | undefined, data: JsonObject): Result<PositionUpdate, FrameProblem> {
  if (Object.hasOwn(data, VECTOR_FIELD)) return vector(data[VECTOR_FIELD], 'position')
  if (id === undefined) return ok({kind: 'none'})
  if (id.startsWith('{')) return vector(parseJson(id), 'id')
  const own = PLAIN_DECIMAL.test(id) ? parseSequence(Number(id)) : undefined
  return ok(own === undefined ? {kind: 'none'} : {kind: 'ownProgress', own})
}

function vector(value: unknown, field: 'position' | 'id'): Result<PositionUpdate, FrameProblem> {
  const reported = isJsonObject(value) ? parsePosition(value) : undefined
  return reported === undefined ? err({kind: 'badPosition', field}) : ok({kind: 'progress', reported})
}
