import type {Frame} from '../../shared/frames/frame.ts'
import type {Attempt, JournaledFrame} from '../../shared/history/fact.ts'

/** A journaled frame that is still to be handled: rejected, or cut off with the process that ran its callback. */
export interface Leftover {
  readonly journaled: JournaledFrame
  readonly frame: Frame
  /** What makes two deliveries the same frame. */
  readonly identity: string
  /** Runs begun so far. */
  readonly attempts: number
  readonly rejections: number
  /** How the last run ended, where the disk refused to record it. */
  readonly unrecorded?: Attempt
}
