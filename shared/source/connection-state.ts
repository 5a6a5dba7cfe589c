import {isJsonObject, type JsonObject, member} from '../base/json.ts'
import {parseSequence, type Sequence} from '../position/position.ts'
import {oneLine} from './one-line.ts'

/** What a Switch server says first on a stream, as far as this client uses it (Switch note, section 3). */
export interface ConnectionState {
  readonly agentId?: string
  /** The incarnation of the connection, sent back on beats and reopens so that a successor's stream is never mistaken for ours. */
  readonly generation?: number
  readonly protocol?: number
  readonly serverVersion?: string
  /** Where the stream was asked to begin, and at an open "from now on" what number that is. Before any gap: never a position. */
  readonly cursor?: Sequence
  /** Between two beats, in ms; clamped to 500 to 2,000. */
  readonly beatIntervalMs: number
  /** It holds a member that looks like a position vector: a hint that this server keeps positions in a way not known yet. */
  readonly positionHint: boolean
}

const USUAL_BEAT_S = 2

export function readConnectionState(data: JsonObject): ConnectionState {
  const agentId = member(data, 'agent_id')
  const generation = member(data, 'generation')
  const protocol = member(data, 'protocol')
  const server = member(data, 'server')
  const version = isJsonObject(server) ? member(server, 'version') : undefined
  const cursor = parseSequence(member(data, 'cursor'))
  const interval = member(data, 'heartbeat_interval_seconds')
  return {
    ...(typeof agentId === 'string' ? {agentId} : {}),
    ...(Number.isSafeInteger(generation) ? {generation: Number(generation)} : {}),
    ...(Number.isSafeInteger(protocol) ? {protocol: Number(protocol)} : {}),
    ...(typeof version === 'string' ? {serverVersion: oneLine(version)} : {}),
    ...(cursor === undefined ? {} : {cursor}),
    beatIntervalMs: 1000 * Math.min(Math.max(sane(interval), 0.5), USUAL_BEAT_S),
    positionHint: isJsonObject(member(data, 'position')) || isJsonObject(member(data, 'positions')),
  }
}

function sane(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 ? seconds : USUAL_BEAT_S
}
