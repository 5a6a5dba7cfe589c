import {isJsonObject, type JsonObject, member, parseJson, textOf} from '../../../shared/base/json.ts'
import {classifyPrimeLine, classifyPrimeValue} from '../../../shared/frames/classify-prime-line.ts'
import {isDense} from '../../../shared/frames/dense-json.ts'
import type {PrimeMessage} from '../../../shared/frames/prime-message.ts'

/** One line of a stored stream of the Prime daemon. */
export interface StoredLine {
  /** The connection it came on, where the file tells them apart. */
  readonly conn?: string
  readonly message: PrimeMessage
}

/**
 * A line as the daemon sent it, or a record `{t, dir, conn, line}` around one, told apart by what every message has, a `type`, and
 * every record, a `dir`. `undefined` for a record of anything but what came in.
 */
export function readStoredLine(text: string): StoredLine | undefined {
  const value = isDense(text) ? undefined : parseJson(text)
  if (!isRecord(value)) return {message: value === undefined ? classifyPrimeLine(text) : classifyPrimeValue(value)}
  if (member(value, 'dir') !== 'in') return undefined
  const [conn, line] = [member(value, 'conn'), textOf(value, 'line')]
  return {
    ...(typeof conn === 'string' || typeof conn === 'number' ? {conn: String(conn)} : {}),
    message: line === undefined ? NO_LINE : classifyPrimeLine(line.endsWith('\r') ? line.slice(0, -1) : line),
  }
}

const NO_LINE: PrimeMessage = {kind: 'malformed', problem: {kind: 'notJson', detail: 'the record holds no line'}}

function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof member(value, 'dir') === 'string' && !Object.hasOwn(value, 'type')
}
