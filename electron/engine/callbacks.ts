import type {Settlement} from '../../shared/callbacks/held.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import type {RetryRule} from '../../shared/handlers/handler.ts'
import type {HandlerRun} from '../../shared/handlers/handler-run.ts'
import type {JournaledFrame} from '../../shared/history/fact.ts'
import type {SourceId} from '../../shared/source/source.ts'

/** What a callback is told. The position it may look at is still the old one. */
export interface Delivery {
  readonly source: SourceId
  readonly frame: Frame
  /** As it stands in the journal, with its place. */
  readonly journaled: JournaledFrame
  /** What will come of it once the callback resolved. */
  readonly settlement: Settlement
  /** 1 for the first run. Above 1 the effect of an earlier run may already stand. */
  readonly attempt: number
}

/** What a callback that resolved has to tell, if anything: the user's handlers that it ran. */
export interface CallbackReport {
  readonly runs: readonly HandlerRun[]
}

// biome-ignore lint/suspicious/noConfusingVoidType: a callback that has nothing to tell returns nothing
export type RunCallback = (delivery: Delivery, signal: AbortSignal) => Promise<CallbackReport | void>

/**
 * The work that must be done before a cursor may move. A promise that resolves says "handled"; one that rejects says
 * "not handled", and the frame will come again. A source without callbacks has none of this: there, durable is handled.
 */
export interface Callbacks {
  readonly onEvent: RunCallback
  readonly onGap: RunCallback
  /** Whether anything is run for this frame. Absent: for every event and every gap. Where nothing is, durable is handled. */
  readonly chooses?: (frame: Frame, settlement: Settlement) => boolean
}

/** Thrown by a callback that can tell more of its failure than a message. */
export class CallbackFailure extends Error {
  readonly told: {
    readonly state: 'rejected' | 'timedOut' | 'aborted'
    readonly runs: readonly HandlerRun[]
    readonly retry?: RetryRule
  }
  constructor(message: string, told: CallbackFailure['told']) {
    super(message)
    this.told = told
  }
}
