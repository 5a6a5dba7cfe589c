/** The part of a block that earlier pieces of the transport brought, kept until the rest has come. */
export interface BlockTail {
  readonly length: () => number
  /** Copies, so that the piece itself can go. */
  readonly append: (piece: Uint8Array) => void
  /** What was kept from an offset on, as text. A byte sequence that is no UTF-8 becomes U+FFFD. */
  readonly textFrom: (offset: number) => string
  /** A copy of the bytes. Nothing is kept afterwards. */
  readonly take: () => Uint8Array
  readonly clear: () => void
}

/** A tail that was ever larger gives its memory back when it is emptied. */
const KEPT_BYTES = 65_536

/**
 * Grows by doubling: however many pieces a block comes in, each of its bytes is copied a bounded number of times.
 *
 * @param onWork - told how many bytes each step copied or decoded, for tests that count
 */
export function createBlockTail(onWork: (bytes: number) => void): BlockTail {
  let room = Buffer.alloc(0)
  let length = 0

  const clear = (): void => {
    length = 0
    if (room.length > KEPT_BYTES) room = Buffer.alloc(0)
  }

  return {
    length: () => length,
    append(piece) {
      const needed = length + piece.length
      if (needed > room.length) {
        const wider = Buffer.allocUnsafeSlow(Math.max(needed, 2 * room.length, 1024))
        wider.set(room.subarray(0, length))
        onWork(length)
        room = wider
      }
      room.set(piece, length)
      onWork(piece.length)
      length = needed
    },
    textFrom(offset) {
      onWork(length - offset)
      return room.toString('utf8', offset, length)
    },
    take() {
      onWork(length)
      const copy = Buffer.from(room.subarray(0, length)) // a small one comes out of Node's pool, which is far cheaper
      clear()
      return new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength)
    },
    clear,
  }
}
