/** One stretch of received bytes as text, up to where a chunk of the transport ended. */
export interface Piece {
  readonly text: string
  /** A chunk ended here and the next began. */
  readonly cutAfter: boolean
}

/**
 * Received bytes as text, in the pieces they came in. A character cut in two stands whole after its cut. Control
 * characters that have no look get one, so that nothing is hidden.
 *
 * @param limit - in bytes: what lies behind it is left out
 */
export function cutText(bytes: Uint8Array, cuts: readonly number[], limit: number): readonly Piece[] {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true})
  const end = Math.min(bytes.length, limit)
  const inside = cuts.filter((cut) => cut > 0 && cut < end)
  const edges = [0, ...inside, end]
  return edges.slice(1).map((edge, index) => ({
    text: visible(decoder.decode(bytes.subarray(edges[index], edge), {stream: edge < end})),
    cutAfter: edge < end,
  }))
}

const FIRST_PICTURE = 0x2400

function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f]/g, (char) =>
    String.fromCodePoint(FIRST_PICTURE + char.charCodeAt(0)),
  )
}

/** Where the JSON of a frame stands: in the data lines of a server-sent event, else in the line itself. */
export function jsonIn(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const data = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'))
  return data.length === 0 ? text : data.map((line) => line.slice(5).replace(/^ /, '')).join('\n')
}

/** Pieces of base64, each whole by itself, as one. */
export function joined(pieces: readonly string[]): Uint8Array {
  return Uint8Array.from(pieces.map(atob).join(''), (char) => char.charCodeAt(0))
}
