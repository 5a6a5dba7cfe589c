/** A line of the longest length, all of it text that means something, has far fewer. */
export const MOST_PARTS = 2_000_000

/**
 * Whether a text, read as JSON, would have more objects, lists and members than that. Each costs a hundred bytes and a
 * microsecond once it is parsed, so 64 MiB of `{},` would stop everything for half a minute: it is refused by this count, which
 * does not parse. What stands in strings is text. Linear.
 */
export function isDense(text: string, most: number = MOST_PARTS): boolean {
  if (text.length <= most) return false
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OBJECT || code === LIST || code === COLON) parts += 1
    if (parts > most) return true
  }
  return false
}

const QUOTE = 0x22
const OBJECT = 0x7b
const LIST = 0x5b
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Where the quote stands that ends the string; behind the text where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}
