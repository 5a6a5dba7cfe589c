import {isJsonObject, type JsonObject, member, textOf} from '../../../shared/base/json.ts'
import {messageOf} from '../../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {fail, PROTOCOL_NAME} from './wire.ts'

/** One command, out of its envelope. */
export interface Command {
  /** The envelope's. */
  readonly id: string | undefined
  readonly type: string
  /** Named by the envelope; otherwise the connection's own counts. */
  readonly clientId: string | undefined
  readonly body: JsonObject
}

/** The texts are those of a real daemon (Prime note, section 0 point 3, and section 2). An error is the whole answer. */
export function readCommand(line: string, version: number): Result<Command, JsonObject> {
  const parsed = parse(line)
  if (!parsed.ok) return err(fail(undefined, 'parse', parsed.error))
  const envelope: JsonObject = isJsonObject(parsed.value) ? parsed.value : {}
  const id = textOf(envelope, 'id')
  const refused = err(fail(id, 'parse', `Daemon commands require protocol ${version} or newer`))
  const protocol = member(envelope, 'protocol')
  // A newer one is refused with the same words.
  if (!isJsonObject(protocol) || protocol['name'] !== PROTOCOL_NAME || protocol['version'] !== version) return refused
  const body = member(envelope, 'command')
  const type = isJsonObject(body) ? textOf(body, 'type') : undefined
  if (!isJsonObject(body) || type === undefined) return refused
  return ok({id, type, clientId: textOf(envelope, 'clientId'), body})
}

function parse(line: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(line))
  } catch (error) {
    return err(messageOf(error))
  }
}
