import {OUTPUT_KEPT} from '../../../shared/handlers/handler-run.ts'
import {HIDDEN, scrubSecrets} from '../../../shared/handlers/scrub-secrets.ts'
import {longestForm} from '../../../shared/handlers/secret-forms.ts'

export interface OutputTail {
  readonly push: (chunk: Uint8Array) => void
  /** Bytes pushed so far. */
  readonly bytes: () => number
  /** The last 64 KiB of it as text, without secrets. What is no UTF-8, or would steer a terminal, is U+FFFD. */
  readonly text: () => string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be kept
const STEERING = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** For one that is known by its name, in bytes. */
const NAMED_ROOM = 1_024

/** Keeps the end of what a program writes, however much that is. */
export function createOutputTail(secrets: readonly string[]): OutputTail {
  // More than is shown, so that a secret that begins before the tail is still known by its whole.
  const longest = longestForm(secrets)
  const room = OUTPUT_KEPT + longest + NAMED_ROOM
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
      const scrubbed = scrubSecrets(compact().toString('utf8'), secrets)
      const whole = total > held ? withoutCut(scrubbed, longest) : scrubbed
      return lastBytes(whole.replaceAll(STEERING, '\ufffd'), OUTPUT_KEPT)
    },
  }
}

/**
 * What is kept may begin inside a secret, whose rest nothing would know; and it is shown where so many others were taken out that
 * less than 64 KiB is left. So much at the beginning is not shown then.
 */
function withoutCut(scrubbed: string, longest: number): string {
  const known = scrubbed.indexOf(HIDDEN)
  return scrubbed.slice(known < 0 ? longest : Math.min(longest, known))
}

/** At most so many bytes of UTF-8, from the end, never beginning inside a character. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  let from = bytes.length - limit
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
  return bytes.subarray(from).toString('utf8')
}
