import {type JsonObject, textOf} from '../base/json.ts'
import {oneLine} from './one-line.ts'

/** What an `evicted` frame means for this client (Switch note, section 7). */
export interface Eviction {
  /** Reopening the same connection would itself be a takeover: only the user may go on, under a new id. */
  readonly terminal: boolean
  readonly code: string
  readonly reason: string
}

/** Newer servers send a code; the first ones prose only, matched by how it begins. An unknown code is recoverable unless it says `superseded`. */
export function readEviction(data: JsonObject): Eviction {
  const reason = textOf(data, 'reason') ?? ''
  const code = textOf(data, 'code') || codeOfProse(reason)
  const terminal = code === 'taken_over' || code.includes('superseded')
  return {terminal, code: oneLine(code), reason: oneLine(reason)}
}

function codeOfProse(reason: string): string {
  if (reason.startsWith('another stream attached')) return 'taken_over'
  if (reason.startsWith('heartbeat lapsed')) return 'heartbeat_lapsed'
  return 'closed'
}
