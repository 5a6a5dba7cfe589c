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
  let hash = 0xcbf29ce484222325n
  return {
    note(line) {
      const text = `${now().toFixed(3).padStart(12)}  ${line()}`
      hash = hashed(hash, text)
      lines.push(text)
      if (lines.length > 2 * KEPT_LINES) lines.splice(0, KEPT_LINES)
    },
    tail: () => lines.slice(-KEPT_LINES),
    hash: () => hash.toString(16),
  }
}

export const NO_TRACE: Trace = {note: () => {}, tail: () => [], hash: () => ''}

/** FNV-1a, 64 bits. */
function hashed(before: bigint, text: string): bigint {
  let hash = before
  for (let at = 0; at < text.length; at++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  return hash
}
