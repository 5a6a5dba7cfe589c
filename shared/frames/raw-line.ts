/** One line as cut from a stream of JSON lines. Nothing in it has been judged yet. */
export interface RawLine {
  /** Without its LF and without one CR before it. A byte sequence that is no UTF-8 is U+FFFD here. */
  readonly text: string
  /** The bytes up to, not including, the LF. */
  readonly bytes: Uint8Array
  /** Offsets inside `bytes` at which one chunk of the transport ended and the next began, ascending. */
  readonly cuts: readonly number[]
}

/** What the splitter hands on: a line, or that one grew over the cap and is dropped up to its LF. */
export type LineArrival =
  | {readonly kind: 'line'; readonly line: RawLine}
  | {readonly kind: 'tooLong'; readonly capBytes: number}
