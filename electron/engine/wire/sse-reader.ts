import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import {createSseBlocks, type SseBlocks} from './sse-blocks.ts'

export interface SseReader {
  /**
   * Takes the next piece of the body, cut anywhere, and tells what it completed. The frames look into the piece instead of
   * copying it: it must not be written to again.
   */
  readonly feed: (chunk: Uint8Array) => readonly Arrival[]
  /** The body ended. A block without its blank line is dropped: it may be half of one. */
  readonly end: () => readonly Arrival[]
}

export interface SseReaderOptions {
  /** A block of more bytes than this between two blank lines is dropped and reported once, as soon as it is too long. */
  readonly capBytes?: number
  /** Told how many bytes each step searched, copied or decoded, for tests that count. */
  readonly onWork?: (bytes: number) => void
}

export const FRAME_CAP_BYTES = 8_388_608

/**
 * Bytes looked at in one go, and so the most that a frame keeps alive beyond itself: its bytes and its text are views of the
 * piece they came in. A copy of each would cost twice as much as parsing it, so what is larger is copied a window at a time.
 */
const WINDOW_BYTES = 65_536

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Reads server-sent events by the WHATWG standard, with two rules of the Switch note, section 10: an id belongs to its own
 * frame, and joined data that is empty makes no frame. Pure: no clock, no socket. Every byte is searched at most twice (for
 * LF and for CR) and copied a bounded number of times, however the body is cut.
 */
export function createSseReader({capBytes = FRAME_CAP_BYTES, onWork = noWork}: SseReaderOptions = {}): SseReader {
  const blocks = createSseBlocks(capBytes, onWork)
  /** Pieces that so far are the beginning of a byte order mark; `undefined` once the body's first bytes are past. */
  let beginning: readonly Uint8Array[] | undefined = []

  return {
    feed(chunk) {
      if (chunk.length === 0) return []
      const arrivals: Arrival[] = []
      if (beginning === undefined) {
        readChunk(blocks, chunk, arrivals)
        return arrivals
      }
      const start = Buffer.concat([...beginning, chunk.subarray(0, BOM.length)])
      if (start.length < BOM.length && BOM.subarray(0, start.length).equals(start)) {
        beginning = [...beginning, chunk]
        return []
      }
      const pieces = withoutBom([...beginning, chunk], start)
      beginning = undefined
      for (const piece of pieces) readChunk(blocks, piece, arrivals)
      return arrivals
    },
    end() {
      beginning = []
      blocks.forget()
      return []
    },
  }
}

function noWork(): void {}

/** A byte order mark is skipped once, at the very beginning. `start` is at least the first three bytes of the pieces. */
function withoutBom(pieces: readonly Uint8Array[], start: Uint8Array): readonly Uint8Array[] {
  if (!BOM.equals(start.subarray(0, BOM.length))) return pieces
  const last = pieces[pieces.length - 1] ?? start
  const before = pieces.slice(0, -1).reduce((sum, piece) => sum + piece.length, 0)
  return [last.subarray(BOM.length - before)]
}

function readChunk(blocks: SseBlocks, chunk: Uint8Array, arrivals: Arrival[]): void {
  const shared = chunk.buffer.byteLength > WINDOW_BYTES
  for (let at = 0; at < chunk.length; at += WINDOW_BYTES) {
    const view = chunk.subarray(at, at + WINDOW_BYTES)
    const window = shared ? view.slice() : view
    blocks.read(Buffer.from(window.buffer, window.byteOffset, window.byteLength), arrivals)
  }
  blocks.cut()
}
