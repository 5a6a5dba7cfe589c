/** Where a line of a daemon stands in its stream. */
export interface Place {
  readonly generation: string
  readonly sequence: number
}

/** What a line of a watched session means for its cursor. */
export type LineMeaning =
  /** It moves nothing, and nothing waits for it. */
  | {readonly kind: 'nothing'}
  | {readonly kind: 'event'; readonly at: Place; readonly isKnown: boolean}
  | {readonly kind: 'snapshot'; readonly at: Place}

/** Reads the lines of one session in their order, by the protocol note alone: it shares no line with the engine's own reading. */
export interface LineReader {
  readonly read: (line: string) => LineMeaning
}

interface Parts {
  readonly messages: unknown
  chunks: number
  seen: number
  isWhole: boolean
}

const NOTHING: LineMeaning = {kind: 'nothing'}
const NUMBERED = /^(session_event|session_status|session_closed|session_replaced|extension_ui_request)$/

export function createLineReader(): LineReader {
  const begun = new Map<unknown, Parts>()
  return {
    read(line) {
      const {type, meta, activeSessionId, ...fields} = fieldsOf(parse(line))
      // A new connection: what was half there on the last one is gone.
      if (type === 'daemon_hello') begun.clear()
      const id = fields['snapshotId']
      switch (type) {
        case 'session_snapshot_begin':
          begun.set(id, {messages: fields['messageCount'], chunks: 0, seen: 0, isWhole: true})
          return NOTHING
        case 'session_snapshot_chunk':
          takeChunk(begun.get(id), fields)
          return NOTHING
        case 'session_snapshot_failed':
          begun.delete(id)
          return NOTHING
        case 'session_snapshot_end': {
          const whole = isWhole(begun.get(id), fields)
          const at = placeOf(fields['lastEventCursor'])
          begun.delete(id)
          return whole && at !== undefined ? {kind: 'snapshot', at} : NOTHING
        }
        default: {
          const at = typeof activeSessionId === 'string' ? placeOf(fieldsOf(meta)['cursor']) : undefined
          return at === undefined ? NOTHING : {kind: 'event', at, isKnown: NUMBERED.test(String(type))}
        }
      }
    },
  }
}

function takeChunk(parts: Parts | undefined, {index, messages}: Readonly<Record<string, unknown>>): void {
  if (parts === undefined) return
  parts.isWhole &&= index === parts.chunks
  parts.chunks += 1
  parts.seen += Array.isArray(messages) ? messages.length : 0
}

function isWhole(parts: Parts | undefined, {chunkCount}: Readonly<Record<string, unknown>>): boolean {
  return parts?.isWhole === true && parts.chunks === chunkCount && parts.seen === parts.messages
}

/** The session that goes on under the same name, and the place of the line that says so. */
export function readReplaced(line: string): {readonly by: string; readonly at: Place} | undefined {
  if (!line.includes('"session_replaced"')) return undefined
  const {type, meta, state} = fieldsOf(parse(line))
  const at = placeOf(fieldsOf(meta)['cursor'])
  const by = fieldsOf(state)['sessionId']
  return type === 'session_replaced' && at !== undefined && typeof by === 'string' ? {by, at} : undefined
}

/** It holds the owner's token, so nothing of it is kept. */
export function isSecret(line: string): boolean {
  return line.includes('supervisorOwnerToken')
}

function placeOf(cursor: unknown): Place | undefined {
  const {generation, sequence} = fieldsOf(cursor)
  const isPlace = typeof generation === 'string' && Number.isSafeInteger(sequence) && Number(sequence) >= 0
  return isPlace ? {generation, sequence: Number(sequence)} : undefined
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : {}
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
