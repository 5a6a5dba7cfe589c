import {isJsonObject, parseJson} from '../../shared/base/json.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {type Reply, refusal} from './replies.ts'

/** A heartbeat whose body was found in order. */
export interface BeatAsk {
  readonly connectionId: string
  readonly cursor: number
  readonly generation?: number
}

export function readBeatAsk(body: string): Result<BeatAsk, Reply> {
  const parsed = parseJson(body)
  if (parsed === undefined) return err(invalid('json_invalid', ['body', 0], 'JSON decode error'))
  if (!isJsonObject(parsed)) return err(invalid('model_attributes_type', ['body'], 'Input should be a valid object'))
  const connectionId = parsed['connection_id']
  if (connectionId === undefined) return err(invalid('missing', ['body', 'connection_id'], 'Field required'))
  if (typeof connectionId !== 'string')
    return err(invalid('string_type', ['body', 'connection_id'], 'Input should be a valid string'))
  const cursor = parsed['cursor'] ?? 0
  const generation = parsed['generation'] ?? undefined
  if (!isInteger(cursor)) return err(notAnInteger('cursor'))
  if (generation !== undefined && !isInteger(generation)) return err(notAnInteger('generation'))
  return ok({connectionId, cursor, ...(generation === undefined ? {} : {generation})})
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

function notAnInteger(field: string): Reply {
  return invalid('int_type', ['body', field], 'Input should be a valid integer')
}

function invalid(type: string, loc: readonly (string | number)[], msg: string): Reply {
  return refusal(422, [{type, loc, msg}])
}
