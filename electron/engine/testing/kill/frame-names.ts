import {createHash} from 'node:crypto'
import {isJsonObject, type JsonObject, member} from '../../../../shared/base/json.ts'
import type {WatchedSource} from './point.ts'

/* What a frame is called in what children say and in what they leave. */

/** What makes an effect that of one frame, in every life: the server never gives two frames the same. */
export function nameOf(data: JsonObject): string {
  const payload = member(data, 'payload')
  const id = isJsonObject(payload) ? (member(payload, 'message_id') ?? member(payload, 'task_id')) : undefined
  return typeof id === 'string' ? id : JSON.stringify(data)
}

/** As `nameOf`, from the bytes of a frame. What is no JSON is named by its text. */
export function nameOfBytes(bytes: Uint8Array): string {
  const line = /^data: (.*)$/m.exec(Buffer.from(bytes).toString('utf8'))?.[1] ?? ''
  try {
    const parsed: unknown = JSON.parse(line)
    return isJsonObject(parsed) ? nameOf(parsed) : line
  } catch {
    return line
  }
}

const TYPE = /"type":"([^"]*)"/
const CURSOR = /"generation":("[^"]*"|\d+),"sequence":(\d+)/

/** A message of a stream of cursors is named by its type and its number; one without a number by what it says. */
export function nameOfMessage(text: string): string {
  const [, type = 'nothing'] = TYPE.exec(text) ?? []
  const [, generation, sequence] = CURSOR.exec(text) ?? []
  const digest = (): string => createHash('sha1').update(text.trim()).digest('hex').slice(0, 8)
  return generation === undefined ? `${type} ${digest()}` : `${type} ${generation}:${sequence}`
}

/** A snapshot of a daemon's session tells of no event, so no callback runs for it. */
export function isBaseline(name: string): boolean {
  return /^(session_snapshot_end|session_resynced|response) /.test(name)
}

export type NameOfFrame = (bytes: Uint8Array) => string

export function namerFor({kind}: Pick<WatchedSource, 'kind'>): NameOfFrame {
  return kind === 'bridge' ? nameOfBytes : (bytes) => nameOfMessage(Buffer.from(bytes).toString('utf8'))
}
