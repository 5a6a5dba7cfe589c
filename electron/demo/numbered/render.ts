import type {JsonObject} from '../../../shared/base/json.ts'
import type {Entry} from './numbered-log.ts'

/**
 * Where a message has its cursor: members from the outside in; none, and generation and sequence are its own. Or nowhere in it,
 * and only in the id of an event, with this between the two numbers.
 */
export type CursorPlace = readonly string[] | {readonly idBetween: ':' | '-' | '/'}

export const USUAL_PLACE: CursorPlace = ['cursor']

export function messageOf({type, cursor, at, body}: Entry, place: CursorPlace): JsonObject {
  if ('idBetween' in place) return {type, at, ...body}
  const nested = place.reduceRight<JsonObject>((inner, name) => ({[name]: inner}), {...cursor})
  return {type, ...nested, at, ...body}
}

/** One frame of an event stream: the cursor is its id too, or there alone. */
export function frameOf({type, cursor}: Pick<Entry, 'type' | 'cursor'>, text: string, place: CursorPlace): string {
  const {generation, sequence} = cursor
  const id = 'idBetween' in place ? `${generation}${place.idBetween}${sequence}` : JSON.stringify(cursor)
  return `id: ${id}\nevent: ${type}\ndata: ${text}\n\n`
}
