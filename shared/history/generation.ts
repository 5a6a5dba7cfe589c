import type {EpochMs} from '../base/units.ts'
import type {CoordinateKey, Sequence} from '../position/position.ts'
import type {SourceId} from '../source/source.ts'

/**
 * An event of a generation was admitted, or a snapshot adopted its cursor there, or something came from it when it was over. Rows
 * of the Generations table are made of these.
 */
export interface GenerationSeen {
  readonly source: SourceId
  /** The generation's lane. */
  readonly lane: CoordinateKey
  readonly sequence: Sequence
  readonly at: EpochMs
  /** A snapshot is a baseline, and never counts as an event seen. What is stale counts beside both, and tells nothing of its numbers. */
  readonly by: 'event' | 'snapshot' | 'stale'
}
