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

/** The JSON of a server-sent event: its data lines joined. Undefined where there is none. */
export function dataOf(bytes: Uint8Array): string | undefined {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''))
  return data.length === 0 ? undefined : data.join('\n')
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
