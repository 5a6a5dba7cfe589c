import type {Frame} from '../../shared/frames/frame.ts'
import type {SourceId} from '../../shared/source/source.ts'

/** What a callback is told. The position it may look at is still the old one. */
export interface Delivery {
  readonly source: SourceId
  readonly frame: Frame
  /** 1 for the first run. Above 1 the effect of an earlier run may already stand. */
  readonly attempt: number
}

/**
 * The work that must be done before a cursor may move. A promise that resolves says "handled"; one that rejects says
 * "not handled", and the frame will come again. A source without callbacks has none of this: there, durable is handled.
 */
export interface Callbacks {
  readonly onEvent: (delivery: Delivery, signal: AbortSignal) => Promise<void>
  readonly onGap: (delivery: Delivery, signal: AbortSignal) => Promise<void>
}
