import {OUTPUT_KEPT} from '../../../shared/handlers/handler-run.ts'
import {longestForm, scrubSecrets} from '../../../shared/handlers/scrub-secrets.ts'

export interface OutputTail {
  readonly push: (chunk: Uint8Array) => void
  /** Bytes pushed so far. */
  readonly bytes: () => number
  /** The last 64 KiB of it as text, without secrets. What is no UTF-8, or would steer a terminal, is U+FFFD. */
  readonly text: () => string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be kept
const STEERING = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Keeps the end of what a program writes, however much that is. */
export function createOutputTail(secrets: readonly string[]): OutputTail {
  // More than is shown, so that a secret that begins before the tail is still known by its whole.
  const room = OUTPUT_KEPT + 4 * longestForm(secrets) + 1_024
  let chunks: Uint8Array[] = []
  let held = 0
  let total = 0
  const compact = (): Buffer => {
    const whole = Buffer.concat(chunks)
    const kept = whole.subarray(Math.max(0, whole.length - room))
    chunks = [kept]
    held = kept.length
    return kept
  }
  return {
    push(chunk) {
      total += chunk.length
      chunks.push(chunk)
      held += chunk.length
      if (held > 4 * room) compact()
    },
    bytes: () => total,
    text() {
      const scrubbed = scrubSecrets(compact().toString('utf8'), secrets).replaceAll(STEERING, '\ufffd')
      return lastBytes(scrubbed, OUTPUT_KEPT)
    },
  }
}

/** At most so many bytes of UTF-8, from the end, never beginning inside a character. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  let from = bytes.length - limit
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
  return bytes.subarray(from).toString('utf8')
}
