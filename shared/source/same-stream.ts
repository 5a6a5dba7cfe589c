import {compareSessions} from '../sessions/session-key.ts'
import {shapeOf} from './numbered.ts'
import type {SourceSettings} from './source.ts'

/**
 * Whether settings may take the place of others under the same cursor. What names the stream is the agent of a bridge, the
 * session of a daemon, or the place of a numbered stream, which has no other name.
 */
export function isSameStream(before: SourceSettings, after: SourceSettings): boolean {
  if (before.kind === 'switch') return after.kind === 'switch' && after.agentId === before.agentId
  if (before.kind === 'prime') return after.kind === 'prime' && compareSessions(before, after) === 'same'
  if (before.kind === 'numbered') return after.kind === 'numbered' && placeOf(before) === placeOf(after)
  return false
}

function placeOf({from}: Extract<SourceSettings, {kind: 'numbered'}>): string {
  const {over} = from
  return `${over} ${over === 'socket' ? from.address : over === 'file' ? from.path : from.url}`
}

/** Its messages are read as before: what was journaled, and waits, is understood again by the same rules. */
export function isReadAlike(before: SourceSettings, after: SourceSettings): boolean {
  if (before.kind !== 'numbered' || after.kind !== 'numbered') return before.kind === after.kind
  return JSON.stringify(shapeOf(before)) === JSON.stringify(shapeOf(after))
}

/** The same door of the same server: who holds a token for one, may send it there. */
export function isSameDoor(before: SourceSettings, after: SourceSettings): boolean {
  if (before.kind !== 'switch' || after.kind !== 'switch') return true
  return doorOf(before.url) === doorOf(after.url)
}

function doorOf(url: string): string {
  return (/^https?:\/\/[^/]+/i.exec(url)?.[0] ?? url).toLowerCase()
}
