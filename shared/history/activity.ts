import type {EpochMs} from '../base/units.ts'
import type {SourceId} from '../source/source.ts'
import type {FrameId} from './frame-id.ts'

export type ActivityKind = 'turn' | 'message' | 'tool' | 'bash' | 'compaction' | 'retry'

/**
 * Something the watched agent did that lasts: told by an event where it began and another where it ended. `notSeen`: its end
 * was not seen, because the stream was cut or resynced; it may have ended or still go on. `aborted`: somebody ended it, which is no
 * failure.
 */
export interface Activity {
  readonly source: SourceId
  /** The event that told of it first: its start, or an end whose start was not seen. Names it, together with the source. */
  readonly frame: FrameId
  readonly kind: ActivityKind
  /** What it is called: the tool's name, the command, the reason. At most 200 UTF-16 code units. */
  readonly label: string
  /** Absent where the start was not seen. */
  readonly startedAt?: EpochMs
  readonly endedAt?: EpochMs
  readonly endFrame?: FrameId
  readonly state: 'open' | 'ended' | 'aborted' | 'failed' | 'notSeen'
}
