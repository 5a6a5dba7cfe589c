/** What happened in a simulated world, line by line. */
export interface Trace {
  /** The line is only made where somebody reads it. */
  readonly note: (line: () => string) => void
  /** The last lines, oldest first. */
  readonly tail: () => readonly string[]
  /** Of all lines. Two runs with one hash took the same way. */
  readonly hash: () => string
}

const KEPT_LINES = 400

export function createTrace(now: () => number): Trace {
  const lines: string[] = []
  let hash: Hash = [0x811c9dc5, 0x9e3779b9]
  return {
    note(line) {
      const text = `${now().toFixed(3).padStart(12)}  ${line()}`
      hash = hashed(hash, text)
      lines.push(text)
      if (lines.length > 2 * KEPT_LINES) lines.splice(0, KEPT_LINES)
    },
    tail: () => lines.slice(-KEPT_LINES),
    hash: () => hash.map((half) => half.toString(16).padStart(8, '0')).join(''),
  }
}

export const NO_TRACE: Trace = {note: () => {}, tail: () => [], hash: () => ''}

type Hash = readonly [number, number]

/** FNV-1a over two halves of 32 bits that begin, and go on, differently. */
function hashed([left, right]: Hash, text: string): Hash {
  let [a, b] = [left, right]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193) >>> 0
    b = Math.imul(b ^ unit ^ (a >>> 16), 0x01000193) >>> 0
  }
  return [a, b]
}
