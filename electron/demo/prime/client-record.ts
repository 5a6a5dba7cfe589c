import {isJsonObject, type JsonObject, parseJson, textOf} from '../../../shared/base/json.ts'

/** Everything that clients did, in order, so that a test can hold a client to being passive. `at` is in ms of the demo's clock. */
export type ClientRecord =
  | {readonly kind: 'connected'; readonly connection: number; readonly at: number}
  /** The daemon's hello left. */
  | {readonly kind: 'greeted'; readonly connection: number; readonly at: number; readonly version: number}
  | {
      readonly kind: 'sent'
      readonly connection: number
      readonly at: number
      /** As it came, without its LF. */
      readonly line: string
      /** The type of the command; `undefined` where the line is no command. */
      readonly command: string | undefined
      /** Names of the members of the envelope, and of the command in it. */
      readonly envelopeFields: readonly string[]
      readonly commandFields: readonly string[]
    }
  /** By the client or by the daemon. */
  | {readonly kind: 'closed'; readonly connection: number; readonly at: number; readonly by: 'client' | 'daemon'}

export function recordLine(connection: number, at: number, line: string): ClientRecord {
  const parsed = parseJson(line)
  const envelope: JsonObject = isJsonObject(parsed) ? parsed : {}
  const inner = envelope['command']
  const command: JsonObject = isJsonObject(inner) ? inner : {}
  return {
    kind: 'sent',
    connection,
    at,
    line,
    command: textOf(command, 'type'),
    envelopeFields: Object.keys(envelope),
    commandFields: Object.keys(command),
  }
}
