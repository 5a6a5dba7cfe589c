/** A place in a numbered stream. */
export interface Place {
  readonly generation: number
  readonly sequence: number
}

/** What a message means for the cursor. */
export type Message =
  | {readonly kind: 'malformed'}
  /** About the connection. Where it sends the reader away, why. */
  | {readonly kind: 'control'; readonly code: string | undefined}
  | {readonly kind: 'numbered'; readonly at: Place; readonly event: string; readonly isKnown: boolean}

/** Where things stand in a message: members from the outside in, between dots. */
export interface Shape {
  /** Empty: the message itself has the cursor's members. */
  readonly cursorAt: string
  /** The cursor stands in the id of an event, with this between its numbers, and nowhere in the message. */
  readonly idBetween?: string
  /** Empty: no message tells a type. */
  readonly typeAt: string
}

/** Reads a message by the documented model alone: it shares no line with the engine's own reading. */
export function readMessage(text: string, {cursorAt, typeAt, idBetween}: Shape, id?: string): Message {
  const fields = fieldsOf(parse(text))
  if (fields === undefined) return {kind: 'malformed'}
  const own = [...fields.keys()].some((name) => /^(generation|sequence)$/.test(name)) ? fields : undefined
  const inside = cursorAt === '' ? own : valueAt(fields, cursorAt)
  const cursor = idBetween === undefined ? inside : id && numbersOf(id, idBetween)
  if (cursor === undefined) return {kind: 'control', code: textOf(fields.get('code'))}
  const at = placeOf(cursor)
  const type = typeAt === '' ? '' : textOf(valueAt(fields, typeAt))
  return at === undefined ? {kind: 'malformed'} : {kind: 'numbered', at, event: type ?? '', isKnown: type !== undefined}
}

/** What is no pair of numbers is no cursor, and not an absent one. */
function numbersOf(id: string, between: string): Fields {
  const [generation, sequence, ...more] = id.split(between)
  const isPair = more.length === 0 && [generation, sequence].every((text) => /^(?:0|[1-9][0-9]*)$/.test(text ?? ''))
  return isPair
    ? new Map([
        ['generation', Number(generation)],
        ['sequence', Number(sequence)],
      ])
    : new Map()
}

/** Below 0: `a` comes first. */
export function comparePlaces(a: Place, b: Place): number {
  return a.generation === b.generation ? a.sequence - b.sequence : a.generation - b.generation
}

/** What stands between two blank lines of an event stream, or a line. */
export function textOfBlock(block: string, over: 'socket' | 'sse' | 'file'): string {
  if (over !== 'sse') return block
  return block
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    .join('\n')
}

/** Of an event, its own: none is carried over from one before it. */
export function idOfBlock(block: string): string | undefined {
  return block
    .split('\n')
    .findLast((line) => line.startsWith('id: '))
    ?.slice(4)
}

type Fields = ReadonlyMap<string, unknown>

function placeOf(cursor: unknown): Place | undefined {
  const fields = cursor instanceof Map ? cursor : fieldsOf(cursor)
  const [generation, sequence] = [fields?.get('generation'), fields?.get('sequence')]
  return isCount(generation) && isCount(sequence) ? {generation, sequence} : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function valueAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at instanceof Map ? at : fieldsOf(at))?.get(name), fields)
}

function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? new Map(Object.entries(value)) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
