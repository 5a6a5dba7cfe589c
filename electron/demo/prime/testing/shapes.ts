import {isJsonObject, type JsonObject} from '../../../../shared/base/json.ts'

/** What objects at one place of one kind of message have for members, over many messages. */
interface Shape {
  /** Members of every one, and of at least one. */
  readonly always: ReadonlySet<string>
  readonly sometimes: ReadonlySet<string>
  /** By member: the JSON types its values had. */
  readonly types: ReadonlyMap<string, ReadonlySet<string>>
}

export type Shapes = ReadonlyMap<string, Shape>

/** What a tool is asked and answers is its own: no protocol says what is in it. */
const FREE = new Set(['arguments', 'args', 'details'])

export function shapesOf(messages: Iterable<JsonObject>): Shapes {
  const shapes = new Map<string, Shape>()
  for (const message of messages) collect(shapes, nameOf(message), message)
  return shapes
}

/** The kind of a message: its type, and what tells messages of one type apart. */
export function nameOf(message: JsonObject): string {
  const {type, command, success, event, purpose} = message
  if (type === 'response') return `response ${command} ${success === true ? 'ok' : 'failed'}`
  if (purpose !== undefined) return `${type}`
  if (!isJsonObject(event)) return String(type)
  const inner = event['assistantMessageEvent']
  return isJsonObject(inner) ? `${event['type']} ${inner['type']}` : String(event['type'])
}

function collect(shapes: Map<string, Shape>, at: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(shapes, `${at}[${labelOf(one)}]`, one)
    return
  }
  if (!isJsonObject(value)) return
  // A message of one role looks the same wherever it stands.
  const place = typeof value['role'] === 'string' ? `<${value['role']}>` : at
  const keys = Object.keys(value)
  const before = shapes.get(place)
  const types = new Map(before?.types)
  for (const key of keys) types.set(key, new Set([...(types.get(key) ?? []), typeOf(value[key])]))
  shapes.set(place, {
    always: new Set(before === undefined ? keys : keys.filter((key) => before.always.has(key))),
    sometimes: new Set([...(before?.sometimes ?? []), ...keys]),
    types,
  })
  for (const key of keys) if (!FREE.has(key)) collect(shapes, `${place}.${key}`, value[key])
}

/** Blocks of different kinds stand in one list. */
function labelOf(value: unknown): string {
  return isJsonObject(value) ? String(value['type'] ?? '') : ''
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Where `made` has what `real` never has, lacks what it always has, or has it with another type. */
export function differences(real: Shapes, made: Shapes): readonly string[] {
  return [...made].flatMap(([place, {always, sometimes, types}]) => {
    const other = real.get(place)
    if (other === undefined) return [`${place}: no capture has it`]
    const extra = [...sometimes].filter((key) => !other.sometimes.has(key)).map((key) => `${place}.${key}: never`)
    const missing = [...other.always].filter((key) => !always.has(key)).map((key) => `${place}.${key}: always`)
    const wrong = [...types].flatMap(([key, found]) => {
      const allowed = other.types.get(key)
      const odd = [...found].filter((type) => allowed !== undefined && !allowed.has(type))
      return odd.map((type) => `${place}.${key}: never ${type}`)
    })
    return [...extra, ...missing, ...wrong]
  })
}
