import {err, ok, type Result} from '../../shared/base/result.ts'
import {json, type Reply, refusal} from './replies.ts'

/** A request to open a stream whose parameters were found in order. */
export interface OpenAsk {
  readonly connectionId: string
  readonly scope: 'single' | 'all'
  readonly filter: 'all' | 'addressed'
  readonly from: number | 'head'
  readonly expectedGeneration?: number
}

/** Checks an open's parameters as the bridge does, in its order (Switch note, sections 2 and 9). */
export function readOpenAsk(query: URLSearchParams, lastEventId: string | undefined): Result<OpenAsk, Reply> {
  const connectionId = query.get('connection_id') ?? ''
  if (connectionId === '') return err(refusal(400, 'connection_id is required to open an event stream'))
  const scope = query.get('scope') ?? 'single'
  if (scope !== 'single' && scope !== 'all') return err(refusal(400, `scope must be 'single' or 'all', got '${scope}'`))
  const filter = query.get('filter') ?? 'all'
  if (filter !== 'all' && filter !== 'addressed')
    return err(refusal(400, `filter must be 'all' or 'addressed', got '${filter}'`))
  const claimed = query.get('rooms') ?? ''
  if (claimed !== '') return err(refusal(403, `Room not found: ${claimed}`))
  const asked = lastEventId || query.get('start_from') || 'head'
  const from = readFrom(asked)
  if (from === undefined) return err(refusal(400, `start_from must be 'head' or a sequence number, got '${asked}'`))
  for (const name of ['expected_generation', 'protocol', 'protocol_accepts']) {
    const said = query.get(name)
    if (said !== null && !INTEGER.test(said)) return err(notAnInteger(name, said))
  }
  const expected = query.get('expected_generation')
  return ok({connectionId, scope, filter, from, ...(expected === null ? {} : {expectedGeneration: Number(expected)})})
}

const INTEGER = /^[+-]?[0-9]+$/

function readFrom(asked: string): number | 'head' | undefined {
  if (asked === 'head') return 'head'
  return INTEGER.test(asked) ? Math.max(0, Number(asked)) : undefined
}

function notAnInteger(name: string, input: string): Reply {
  const msg = 'Input should be a valid integer, unable to parse string as an integer'
  return json(422, {detail: [{type: 'int_parsing', loc: ['query', name], input, msg}]})
}
