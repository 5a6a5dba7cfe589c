/**
 * The same text in memory of its own. A piece of a string is kept by engines as a view of the whole, so 200 characters out of a
 * line of 64 MiB would keep all of it alive for as long as they are. Writing the piece into a longer string copies it.
 */
export function ownText(piece: string): string {
  return ` ${piece}`.slice(1)
}
