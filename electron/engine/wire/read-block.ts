import type {RawFrame} from '../../../shared/frames/raw-frame.ts'
import {createSseReader} from './sse-reader.ts'

/** Before a block that once stood inside a body: what its first bytes say is then no byte order mark. */
const LINE_END = new Uint8Array([0x0a])
/** Two, because a block may end in a bare CR, which the first LF only completes. */
const BLANK_LINES = new Uint8Array([0x0a, 0x0a])

/** Reads one frame again from the bytes that were kept of it. `undefined` where they are none, as of a frame that may hold secrets. */
export function readBlock(bytes: Uint8Array): RawFrame | undefined {
  const reader = createSseReader({capBytes: bytes.length + LINE_END.length})
  const arrivals = [LINE_END, bytes, BLANK_LINES].flatMap((piece) => reader.feed(piece))
  const [first] = arrivals
  return first?.kind === 'frame' ? {...first.frame, bytes, cuts: []} : undefined
}
