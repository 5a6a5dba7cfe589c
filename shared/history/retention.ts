import {type EpochMs, epochMs} from '../base/units.ts'
import type {Outcome} from './fact.ts'
import type {FrameId} from './frame-id.ts'

/**
 * How much history is kept; absent: all of it. Cursors, sources, the ledger of gaps and numberings with its frames, frames that wait for their
 * callback and skips with their reasons are kept whatever it says.
 */
export interface RetentionLimits {
  readonly maxAgeDays?: number
  /** Of the store on disk, in bytes. */
  readonly maxBytes?: number
}

export const USUAL_LIMITS = {maxAgeDays: 90, maxBytes: 20 * 1024 ** 3} satisfies RetentionLimits

/** Limits at an instant. */
export interface PruneOrder {
  readonly now: EpochMs
  /** What was received before it is too old. */
  readonly before?: EpochMs
  readonly maxBytes?: number
}

const DAY_MS = 86_400_000

export function pruneOrder({maxAgeDays, maxBytes}: RetentionLimits, now: EpochMs): PruneOrder {
  return {
    now,
    ...(maxAgeDays === undefined ? {} : {before: epochMs(now - maxAgeDays * DAY_MS)}),
    ...(maxBytes === undefined ? {} : {maxBytes}),
  }
}

/** What retention looks at of a frame. */
export interface OldFrame {
  readonly id: FrameId
  readonly receivedAt: number
  readonly outcome: Outcome
  readonly size: number
  /** It stands in the ledger: a gap, or the first of a numbering that the user decided on. */
  readonly inLedger: boolean
  /** Its callback has not resolved. */
  readonly unhandled: boolean
}

export interface Pruning {
  readonly deleted: readonly OldFrame[]
  /** The first frame that was not decided on: the next look begins there. `undefined`: all were. */
  readonly next: FrameId | undefined
}

/** What a row takes beside its bytes, with its places in the indexes. About; the file itself is measured between two looks. */
const ROW_BYTES = 300

/**
 * Decides on the oldest frames, given in the order of journaling. It goes on as long as they are too old, or too much is kept, and
 * stops at the first that is neither: what was journaled later is younger, whatever the wall clock said. A time that is still to
 * come tells nothing about an age; such a frame goes with those journaled after it.
 *
 * @param excessBytes - how much more is kept than may be; 0 or less where that is no reason
 */
export function chooseDeleted(frames: readonly OldFrame[], order: PruneOrder, excessBytes: number): Pruning {
  const {now, before = Number.NEGATIVE_INFINITY} = order
  let excess = excessBytes
  let decided = 0 // how many, from the first on
  for (const [index, frame] of frames.entries()) {
    if (staysForGood(frame)) {
      if (decided === index) decided += 1
    } else if (frame.receivedAt < before || excess > 0) {
      decided = index + 1
      excess -= frame.size + ROW_BYTES
    } else if (frame.receivedAt <= now) break
  }
  return {deleted: frames.slice(0, decided).filter((frame) => !staysForGood(frame)), next: frames[decided]?.id}
}

function staysForGood({inLedger, outcome, unhandled}: OldFrame): boolean {
  return unhandled || inLedger || outcome === 'skipped'
}
