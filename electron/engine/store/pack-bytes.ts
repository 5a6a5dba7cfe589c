import type {Change} from '../../../shared/history/change.ts'

type Lists = readonly (readonly Change[])[]

/** Lists of changes as they cross to another thread: the bytes of all frames, in order, in one buffer that is moved. */
export interface PackedLists {
  /** Frames are without their bytes here. */
  readonly lists: Lists
  readonly buffer: ArrayBuffer
  /** How many bytes of the buffer belong to each frame. */
  readonly lengths: readonly number[]
}

/**
 * Takes the bytes out of the frames. Left in, a message would carry for each frame the whole chunk of the transport that its
 * bytes are a view of; and views are the slowest thing to copy: four times all the rest of a frame.
 */
export function packBytes(lists: Lists): PackedLists {
  const all = lists.flat().flatMap((change) => (change.kind === 'frameJournaled' ? [change.frame.bytes] : []))
  const packed = new Uint8Array(all.reduce((sum, bytes) => sum + bytes.length, 0))
  let at = 0
  for (const bytes of all) {
    packed.set(bytes, at)
    at += bytes.length
  }
  const lengths = all.map((bytes) => bytes.length)
  return {lists: lists.map((list) => list.map(withBytes(() => NOTHING))), buffer: packed.buffer, lengths}
}

const NOTHING = new Uint8Array()

export function unpackBytes({lists, buffer, lengths}: PackedLists): Lists {
  let frame = 0
  let at = 0
  const next = (): Uint8Array => {
    const length = lengths[frame++] ?? 0
    at += length
    return new Uint8Array(buffer, at - length, length)
  }
  return lists.map((list) => list.map(withBytes(next)))
}

function withBytes(bytes: () => Uint8Array): (change: Change) => Change {
  return (change) => (change.kind === 'frameJournaled' ? {...change, frame: {...change.frame, bytes: bytes()}} : change)
}
