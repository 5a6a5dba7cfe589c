/** One unit as cut from the wire. Nothing in it has been judged yet. */
export interface RawFrame {
  readonly event: string
  /** The frame's own id, never one carried over from an earlier frame. */
  readonly id?: string
  /** The data lines joined with a line feed; never empty. */
  readonly data: string
  /** The bytes from the first line of the block up to, not including, the blank line that ended it. */
  readonly bytes: Uint8Array
  /** Offsets inside `bytes` at which one chunk of the transport ended and the next began, ascending. */
  readonly cuts: readonly number[]
}

/** What the reader of a wire hands on: a frame, or that a block grew over the cap and was dropped up to its end. */
export type Arrival =
  | {readonly kind: 'frame'; readonly frame: RawFrame}
  | {readonly kind: 'tooLong'; readonly capBytes: number}
