import {assertNever} from '../../../shared/base/assert-never.ts'
import type {JsonObject} from '../../../shared/base/json.ts'
import type {Entry} from './numbered-log.ts'
import {type CursorPlace, messageOf} from './render.ts'
import type {BadMessage} from './scenario.ts'

/** The text of one line that is no message of the log, or is one at the wrong time. */
export function badText(entries: readonly Entry[], what: BadMessage, place: CursorPlace): string {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) throw new Error('nothing was said that could go wrong')
  const withCursor = (cursor: JsonObject): string =>
    // Wrong on purpose, which the type does not allow.
    JSON.stringify(messageOf({...last, cursor} as unknown as Entry, place))
  switch (what) {
    case 'garbage':
      return '{"type":"event","cur'
    case 'missingCursor':
      return JSON.stringify({type: 'event', at: last.at, event: {kind: 'note', text: 'without a place'}})
    case 'wrongTypes':
      return withCursor({generation: last.cursor.generation, sequence: String(last.cursor.sequence + 1)})
    case 'fractional':
      return withCursor({generation: last.cursor.generation, sequence: last.cursor.sequence + 0.5})
    case 'duplicate':
      return JSON.stringify(messageOf(last, place))
    case 'stale':
      return JSON.stringify(messageOf(first, place))
    case 'opaque':
      return withCursor({generation: `g${last.cursor.generation}`, sequence: last.cursor.sequence + 1})
    default:
      return assertNever(what)
  }
}
