/** In UTF-16 code units. What a server says is shown in a line or two; a page of HTML is not. */
const LONGEST = 500
/** So many are looked at: a text of megabytes is not gone through for one line. */
const LOOKED_AT = 20_000

/**
 * What a server said, as it is kept, sent to every screen and shown. Control characters (it may be aimed at a terminal) and
 * runs of white space become one space, and what is too long is cut.
 */
export function oneLine(said: string): string {
  const line = said
    .slice(0, LOOKED_AT)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > LONGEST || said.length > LOOKED_AT ? `${line.slice(0, LONGEST - 1)}…` : line
}
