/**
 * What a server's frame means, by the protocol note alone. This is the simulation's own reading: it shares no line with the
 * engine's, so that the two cannot share a mistake.
 */
export type Meaning =
  | {readonly kind: 'malformed'}
  | {readonly kind: 'control'; readonly event: string}
  | {readonly kind: 'event'; readonly says: Says}
  | {readonly kind: 'unknown'; readonly says: Says}
  | {readonly kind: 'gap'; readonly says: Says}

/** What it says about the position. */
export type Says =
  | {readonly kind: 'nothing'}
  | {readonly kind: 'vector'; readonly vector: Vector}
  | {readonly kind: 'number'; readonly own: number}
  | {readonly kind: 'replacedBy'; readonly vector: Vector}
  | {readonly kind: 'ownReplacedBy'; readonly own: number}

export type Vector = ReadonlyMap<string, number>

/** What rules may ask of a frame, as far as it says it itself. */
export interface About {
  readonly names: readonly string[]
  readonly rooms: readonly string[]
  readonly addressed: boolean | undefined
}

/** A frame as it was written to a stream. */
export interface Told {
  readonly text: string
  /** Event and data: what a callback sees of it. */
  readonly key: string
  readonly meaning: Meaning
  readonly about: About
  /** Its text must not be kept. */
  readonly isSecret: boolean
  /** Of an event that the server retains: which run of its numbers, and its number there. */
  readonly numbered?: {readonly run: string; readonly own: number}
}

const CONTROL =
  /^(connection_state|evicted|subscription_changed|room_released|approval_outcome|session_commands?|worker_attached|relay|relay_cancel|wake|mailbox_cancel|operation|credential)$/
const SECRET = /^(worker_attached|relay|relay_cancel|wake|mailbox_cancel|operation|credential)$/

/** One block between two blank lines; `undefined` where it is no frame. */
export function readTold(text: string): Told | undefined {
  let event = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of text.split('\n')) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'id') id = value
    if (field === 'data') data.push(value)
  }
  const joined = data.join('\n')
  if (joined === '') return undefined
  const parsed = parse(joined)
  const meaning = meaningOf(event, id, parsed)
  const key = `${event} ${parsed === undefined ? joined : JSON.stringify(parsed)}`
  const numbered = numberOf(text)
  const about = aboutOf(event, meaning, parsed)
  return {text, key, meaning, about, isSecret: SECRET.test(event), ...(numbered === undefined ? {} : {numbered})}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function meaningOf(event: string, id: string | undefined, data: unknown): Meaning {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {kind: 'malformed'}
  const fields = new Map<string, unknown>(Object.entries(data))
  if (CONTROL.test(event)) return {kind: 'control', event}
  const says = event === 'gap' ? saidByGap(fields) : saidByReport(id, fields)
  if (says === undefined) return {kind: 'malformed'}
  if (event === 'gap') return {kind: 'gap', says}
  return {kind: typeof fields.get('type') === 'string' ? 'event' : 'unknown', says}
}

function aboutOf(event: string, {kind}: Meaning, data: unknown): About {
  const fields = fieldsOf(data)
  const sent = [fieldsOf(fields.get('payload')).get('addressed'), fields.get('addressed')]
  const addressed = sent.find((one) => typeof one === 'boolean')
  const type = kind === 'event' ? textsOf(fields.get('type')) : []
  const rooms = [...textsOf(fields.get('room_id')), ...(kind === 'gap' ? textsOf(fields.get('rooms')) : [])]
  return {names: [event, ...type], rooms, addressed: addressed === true || (addressed === false ? false : undefined)}
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((one) => typeof one === 'string')
}

function saidByGap(fields: ReadonlyMap<string, unknown>): Says | undefined {
  const own = fields.get('resumed_at')
  if (fields.has('resumed_at') && !isCount(own)) return undefined
  if (fields.has('resumed_position')) {
    const vector = vectorOf(fields.get('resumed_position'))
    return vector && {kind: 'replacedBy', vector}
  }
  return isCount(own) ? {kind: 'ownReplacedBy', own} : {kind: 'nothing'}
}

function saidByReport(id: string | undefined, fields: ReadonlyMap<string, unknown>): Says | undefined {
  if (fields.has('position') || id?.startsWith('{')) {
    const vector = vectorOf(fields.has('position') ? fields.get('position') : parse(id ?? ''))
    return vector && {kind: 'vector', vector}
  }
  const own = id !== undefined && /^(0|[1-9]\d*)$/.test(id) ? Number(id) : undefined
  return isCount(own) ? {kind: 'number', own} : {kind: 'nothing'}
}

function vectorOf(value: unknown): Vector | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  return entries.every((entry): entry is [string, number] => isCount(entry[1])) ? new Map(entries) : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/**
 * The demo's server counts its events through (`n`), whatever their numbers: so the difference names the run of numbers.
 * Also read from frames whose data is cut.
 */
function numberOf(text: string): Told['numbered'] {
  const own = /^id: (\d+)$/m.exec(text)?.[1]
  const n = /"(?:message_id|task_id)":"\$?[^"]*-(\d+)"/.exec(text)?.[1]
  return own === undefined || n === undefined ? undefined : {run: String(Number(own) - Number(n)), own: Number(own)}
}
