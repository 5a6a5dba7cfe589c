import {assertNever} from '../../shared/base/assert-never.ts'
import type {NumberedSettings} from '../../shared/source/numbered.ts'
import {nameCursorPlace} from '../../shared/words/name-cursor-place.ts'

/** Where a numbered stream comes from, in one line. */
export function numberedText({from, cursorAt}: NumberedSettings): string {
  const cursor = `cursor ${nameCursorPlace(cursorAt)}`
  switch (from.over) {
    case 'socket':
      return `${from.address} · lines of JSON · ${cursor}`
    case 'file':
      return `${from.path} · lines of JSON · ${cursor}`
    case 'sse':
      return `${from.url} · server-sent events · ${cursor}`
    default:
      return assertNever(from)
  }
}
