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

/**
 * Where a place in the JSON of a frame stands in the frame's text, both in UTF-16 code units: the data lines of an event are
 * read without what stands around them. `undefined`: it lies behind its end.
 */
export function placeInText(bytes: Uint8Array, position: number): number | undefined {
  const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes)
  let left = position
  let isData = false
  for (const {index, 0: line} of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const content = line.replace(/[\r\n]+$/, '')
    if (!content.startsWith('data:')) continue
    isData = true
    const head = content.startsWith('data: ') ? 6 : 5
    if (left <= content.length - head) return index + head + left
    left -= content.length - head + 1 // the line break between two of them
  }
  const mark = text.startsWith('\ufeff') ? 1 : 0
  return isData || position + mark > text.length ? undefined : position + mark
}

/** Pieces of base64, each whole by itself, as one. */
export function joined(pieces: readonly string[]): Uint8Array {
  return Uint8Array.from(pieces.map(atob).join(''), (char) => char.charCodeAt(0))
}
