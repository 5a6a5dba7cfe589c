import type {EpochMs} from '../base/units.ts'
import type {NumberedGeneration} from '../cursor/cursor.ts'
import type {Sequence} from '../position/position.ts'
import type {SourceId} from '../source/source.ts'
import type {FrameId} from './frame-id.ts'

export interface NumberedCursor {
  readonly generation: NumberedGeneration
  readonly sequence: Sequence
}

/**
 * A numbering began anew below the cursor, and the user said which of the two goes on: a row of the ledger, written in the
 * transaction that settles the first frame of the new one.
 */
export interface NumberingDecision {
  readonly frame: FrameId
  readonly source: SourceId
  readonly receivedAt: EpochMs
  readonly decidedAt: EpochMs
  readonly decision: 'taken' | 'kept'
  /** The cursor when it was decided. */
  readonly held: NumberedCursor
  /** That of the first frame of the new numbering. */
  readonly offered: NumberedCursor
}
