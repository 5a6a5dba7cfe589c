import type {Frame} from '../../shared/frames/frame.ts'
import type {RetryRule} from '../../shared/handlers/handler.ts'
import type {Attempt, JournaledFrame} from '../../shared/history/fact.ts'

/** A journaled frame that is still to be handled: rejected, or cut off with the process that ran its callback. */
export interface Leftover {
  readonly journaled: JournaledFrame
  readonly frame: Frame
  /** What makes two deliveries the same frame. */
  readonly identity: string
  /** Runs begun so far. */
  readonly attempts: number
  /** Those of them that failed by themselves; runs that were cut off do not count. */
  readonly rejections: number
  /** What the last failure said about the next try. Absent: as usual. */
  readonly retry?: RetryRule
  /** How the last run ended, where the disk refused to record it. */
  readonly unrecorded?: Attempt
}
