/** One mark in words: a row of the table twin, and what the pointer is told. */
export interface MarkWords {
  /** Epoch ms. */
  readonly at: number
  /** The row it is drawn on; empty where it is drawn over several. */
  readonly lane: string
  readonly what: string
  readonly detail: string
  /** The frame that selecting it selects. */
  readonly frame: number | undefined
}
