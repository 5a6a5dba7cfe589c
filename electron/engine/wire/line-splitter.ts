import type {LineArrival, RawLine} from '../../../shared/frames/raw-line.ts'
import {createBlockTail} from './block-tail.ts'

export interface LineSplitter {
  /** Takes the next piece of the stream, cut anywhere, and tells which lines it completed. */
  readonly feed: (chunk: Uint8Array) => readonly LineArrival[]
  /** The stream ended: what stands behind the last LF is a line, as in a file. Begins a new stream. */
  readonly end: () => readonly LineArrival[]
  /** The stream broke: what stands behind the last LF may be half of a line, and is dropped. Begins a new stream. */
  readonly forget: () => void
}

export interface LineSplitterOptions {
  /** A line of more bytes than this is dropped up to its LF and reported once, as soon as it is too long. */
  readonly capBytes?: number
  /** Told how many bytes each step searched, copied or decoded, for tests that count. */
  readonly onWork?: (bytes: number) => void
}

/** The daemon has no limit of its own: an attach without chunks is a whole transcript in one line. */
export const LINE_CAP_BYTES = 67_108_864

/** The most that a line keeps alive beyond itself: out of a larger piece it is copied. */
const SHARED_BYTES = 65_536

const LF = 0x0a
const CR = '\r'

/**
 * Splits JSON lines by the Prime daemon's framing (note, section 2): LF alone ends a line, since U+2028 may stand raw in a
 * string, and bytes are split before they are decoded, so that no character is cut. Pure: no clock, no socket. Every byte is
 * searched once and copied a bounded number of times, however the stream is cut.
 */
export function createLineSplitter({
  capBytes = LINE_CAP_BYTES,
  onWork = noWork,
}: LineSplitterOptions = {}): LineSplitter {
  const tail = createBlockTail(onWork)
  let cuts: number[] = []
  /** Over the cap: nothing of the line is kept, only its LF is looked for. */
  let dropping = false

  const forget = (): void => {
    tail.clear()
    cuts = []
    dropping = false
  }

  /** The line's last part; what earlier pieces brought of it is in the tail. */
  const complete = (part: Uint8Array, arrivals: LineArrival[]): void => {
    if (tail.length() + part.length > capBytes && !dropping) arrivals.push({kind: 'tooLong', capBytes})
    else if (!dropping) arrivals.push({kind: 'line', line: tail.length() === 0 ? lineIn(part, onWork) : joined(part)})
    forget()
  }

  const joined = (part: Uint8Array): RawLine => {
    tail.append(part)
    const inside = cuts.at(-1) === tail.length() ? cuts.slice(0, -1) : cuts // the last may lie right before the LF
    return {text: withoutCr(tail.textFrom(0)), bytes: tail.take(), cuts: inside}
  }

  const keep = (rest: Uint8Array, arrivals: LineArrival[]): void => {
    if (dropping || rest.length === 0) return
    if (tail.length() + rest.length > capBytes) {
      arrivals.push({kind: 'tooLong', capBytes})
      forget()
      dropping = true
      return
    }
    tail.append(rest)
    cuts.push(tail.length())
  }

  return {
    feed(chunk) {
      const arrivals: LineArrival[] = []
      onWork(chunk.length)
      let from = 0
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        complete(chunk.subarray(from, at), arrivals)
        from = at + 1
      }
      keep(chunk.subarray(from), arrivals)
      return arrivals
    },
    end() {
      const arrivals: LineArrival[] = []
      if (tail.length() > 0) complete(new Uint8Array(0), arrivals)
      forget()
      return arrivals
    },
    forget,
  }
}

function noWork(): void {}

function lineIn(part: Uint8Array, onWork: (bytes: number) => void): RawLine {
  const bytes = part.buffer.byteLength > SHARED_BYTES ? part.slice() : part
  onWork(part.length)
  return {
    text: withoutCr(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
    bytes,
    cuts: [],
  }
}

function withoutCr(text: string): string {
  return text.endsWith(CR) ? text.slice(0, -1) : text
}
