import type {JsonObject} from '../../../shared/base/json.ts'
import type {Entry} from './numbered-log.ts'

/** Where a message has its cursor: members from the outside in; none, and generation and sequence are its own. */
export type CursorPlace = readonly string[]

export const USUAL_PLACE: CursorPlace = ['cursor']

export function messageOf({type, cursor, at, body}: Entry, place: CursorPlace): JsonObject {
  const nested = place.reduceRight<JsonObject>((inner, name) => ({[name]: inner}), {...cursor})
  return {type, ...nested, at, ...body}
}

/** One frame of an event stream: the cursor is its id too. */
export function frameOf({type, cursor}: Pick<Entry, 'type' | 'cursor'>, text: string): string {
  return `id: ${JSON.stringify(cursor)}\nevent: ${type}\ndata: ${text}\n\n`
}
