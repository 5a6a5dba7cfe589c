import {isJsonObject, type JsonObject, jsonText, member, parseJson, textOf} from '../base/json.ts'
import {type Cursor, parseCursor} from '../cursor/cursor.ts'
import {cursorOfId, type IdForm} from '../cursor/cursor-id.ts'
import type {NumberedShape} from '../source/numbered.ts'
import {isDense, MOST_PARTS} from './dense-json.ts'
import type {FrameProblem} from './frame.ts'
import {clip} from './summary.ts'

/** One message of a numbered stream, as understood. */
export type NumberedMessage =
  | {
      readonly kind: 'numbered'
      readonly event: string
      /** Its type can be read. */
      readonly known: boolean
      readonly cursor: Cursor
      readonly data: JsonObject
    }
  /** Without a cursor: about the connection, not the stream. */
  | {readonly kind: 'control'; readonly event: string; readonly data: JsonObject}
  | {readonly kind: 'malformed'; readonly problem: FrameProblem}

/**
 * Reads a message by where its cursor and its type stand. Absent and invalid are two things: without a cursor a message is
 * control; one that is there in part, or is none, makes the message malformed.
 *
 * @param id - of a server-sent event, its own
 */
export function classifyNumbered(text: string, {cursorAt, typeAt}: NumberedShape, id = ''): NumberedMessage {
  if (isDense(text)) return malformed({kind: 'tooDense', most: MOST_PARTS})
  const data = parseJson(text)
  if (data === undefined) return malformed({kind: 'notJson', detail: problemOf(text)})
  if (!isJsonObject(data)) return malformed({kind: 'notAnObject'})
  const type = typeAt === '' ? '' : textAt(data, namesOf(typeAt))
  const found = typeof cursorAt === 'string' ? cursorIn(data, cursorAt) : cursorInId(id, cursorAt.id)
  if (found === undefined) return {kind: 'control', event: type ?? '', data}
  if ('problem' in found) return malformed(found.problem)
  return {kind: 'numbered', event: type ?? '', known: type !== undefined, cursor: found.cursor, data}
}

/** Why a server sends a reader away, said on the stream itself before anything else. */
export function refusalIn(data: JsonObject): {readonly code: string; readonly message: string} | undefined {
  const inner = member(data, 'error')
  const said = isJsonObject(inner) ? inner : data
  const code = textOf(said, 'code')
  if (code !== 'future_cursor' && code !== 'bad_cursor') return undefined
  return {code, message: clip(textOf(said, 'message') ?? code)}
}

/** One line for lists. Only what was sent; nothing is derived. */
export function numberedSummary({
  event,
  data,
}: Pick<Extract<NumberedMessage, {data: unknown}>, 'event' | 'data'>): string {
  const inner = member(data, 'event')
  const body = isJsonObject(inner) ? inner : data
  const said = ['text', 'message', 'reason', 'body', 'kind'].map((name) => textOf(body, name) ?? textOf(data, name))
  return clip(said.find((text) => text !== undefined && text !== '') ?? (event === '' ? jsonText(data) : event))
}

function malformed(problem: FrameProblem): NumberedMessage {
  return {kind: 'malformed', problem}
}

function problemOf(text: string): string {
  return text.trim() === '' ? 'a blank line' : clip(text)
}

function namesOf(path: string): readonly string[] {
  return path.split('.')
}

/** `undefined`: none is there. */
type FoundCursor = {readonly cursor: Cursor} | {readonly problem: FrameProblem} | undefined

function cursorIn(data: JsonObject, at: string): FoundCursor {
  const found = at === '' ? ownCursor(data) : valueAt(data, namesOf(at))
  if (found === undefined) return undefined
  const cursor = parseCursor(found)
  return cursor === undefined ? {problem: {kind: 'badCursor', at}} : {cursor}
}

/** An empty id takes the last one back, and is none. (WHATWG server-sent events, "id" field.) */
function cursorInId(id: string, form: IdForm): FoundCursor {
  if (id === '') return undefined
  const cursor = cursorOfId(id, form)
  return cursor === undefined ? {problem: {kind: 'badCursorId', form, id: clip(id)}} : {cursor}
}

/** Generation and sequence of the message itself. One of them alone is no cursor, and is not an absent one. */
function ownCursor(data: JsonObject): unknown {
  const [generation, sequence] = [member(data, 'generation'), member(data, 'sequence')]
  return generation === undefined && sequence === undefined ? undefined : {generation, sequence}
}

function valueAt(data: JsonObject, names: readonly string[]): unknown {
  let at: unknown = data
  for (const name of names) {
    if (!isJsonObject(at)) return undefined
    at = member(at, name)
  }
  return at
}

function textAt(data: JsonObject, names: readonly string[]): string | undefined {
  const value = valueAt(data, names)
  return typeof value === 'string' ? value : undefined
}
