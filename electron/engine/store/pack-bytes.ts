import type {Change} from '../../../shared/history/change.ts'

type Lists = readonly (readonly Change[])[]

export interface Packed {
  readonly lists: Lists
  /** To be moved to the other thread with the lists. */
  readonly buffer: ArrayBuffer
}

/**
 * The same lists with the bytes of all frames in one buffer of their own. Without it a message would carry, for each frame,
 * the whole chunk of the transport that its bytes are a view of.
 */
export function packBytes(lists: Lists): Packed {
  const buffer = new ArrayBuffer(lists.flat().reduce((sum, change) => sum + sizeOf(change), 0))
  let at = 0
  const packed = (change: Change): Change => {
    if (change.kind !== 'frameJournaled') return change
    const {bytes} = change.frame
    const copy = new Uint8Array(buffer, at, bytes.length)
    copy.set(bytes)
    at += bytes.length
    return {...change, frame: {...change.frame, bytes: copy}}
  }
  return {lists: lists.map((list) => list.map(packed)), buffer}
}

function sizeOf(change: Change): number {
  return change.kind === 'frameJournaled' ? change.frame.bytes.length : 0
}
