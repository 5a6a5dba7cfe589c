import type {EpochMs} from '../base/units.ts'
import type {CoordinateKey, Sequence} from '../position/position.ts'
import type {SourceId} from '../source/source.ts'
import type {FrameId} from './frame-id.ts'

/**
 * Numbers that were never seen here, observed by us: beside it stands what the server said. A hole is to be explained and is
 * not yet a loss: some numbers may never have been meant for this client (Prime note, section 8).
 */
export interface Hole {
  /** What showed it: the event behind the hole, or the snapshot that skipped the numbers. */
  readonly frame: FrameId
  readonly source: SourceId
  readonly receivedAt: EpochMs
  readonly by: 'event' | 'snapshot'
  /** Of a snapshot: `attach`, `replacement`, `resync`, or whatever else was sent. */
  readonly purpose?: string
  /** The lane in which the numbers are missing. */
  readonly lane: CoordinateKey
  /** The last number held before it on this lane; absent where the lane began with the hole. */
  readonly after?: Sequence
  /** The first number behind it: the event's own, or the last one that the snapshot says is included in it. */
  readonly upTo: Sequence
  /** How many numbers were never seen: at most so many events. 0 where only whole generations are missing. */
  readonly missing: number
  /** Numbered generations between the held one and this one, of which nothing was seen. */
  readonly missingGenerations?: number
  /** The lane held before, where this one took its place: what came after its last number is not known. */
  readonly tailOf?: CoordinateKey
  /** What the server said of the replay, word for word. */
  readonly said?: string
}
