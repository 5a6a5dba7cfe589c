import type {EpochMs} from '../base/units.ts'
import type {Generation} from '../cursor/cursor.ts'
import type {Supervisor} from '../sessions/supervisor.ts'
import type {SourceId, SourceRecord} from '../source/source.ts'
import type {Activity} from './activity.ts'
import type {Attempt, ConnectionFact, FrameId, Gap, GapAccount, JournaledFrame, Move, Outcome} from './fact.ts'
import type {GenerationSeen} from './generation.ts'
import type {Hole} from './hole.ts'
import type {NumberingDecision} from './numbering.ts'

/**
 * Everything that can be written to a store. A list of changes is one transaction: all of it is durable, or nothing.
 * A move is the only change that writes a cursor.
 */
export type Change =
  | {readonly kind: 'sourceAdded'; readonly source: SourceRecord}
  /** Replaces the record of the same id, but for whom its daemon answers by. Cursor and history stay. */
  | {readonly kind: 'sourceChanged'; readonly source: SourceRecord}
  /** The only change that writes this part of a record: with the frame that told of it, or not at all. */
  | {readonly kind: 'supervisorMet'; readonly source: SourceId; readonly supervisor: Supervisor}
  /** It leaves the board. Its cursor, gaps and history stay. */
  | {readonly kind: 'sourceRemoved'; readonly source: SourceId; readonly at: EpochMs}
  /** The frame itself, with what it already came to; `pending` where its callback is still to run. Takes the place of the one it redelivers. */
  | {
      readonly kind: 'frameJournaled'
      readonly frame: JournaledFrame
      readonly outcome: Outcome
      readonly attempt: number
    }
  /** A rejected frame stays unhandled until a later delivery of it, or a later attempt on it, is settled otherwise. */
  | {
      readonly kind: 'frameSettled'
      readonly frame: FrameId
      readonly source: SourceId
      readonly outcome: Outcome
      readonly attempt: number
      readonly at: EpochMs
    }
  /** A valid vector was on the wire of this source. Never unset. */
  | {readonly kind: 'vectorSeen'; readonly source: SourceId}
  /** It is over: what still comes from it is stale. */
  | {
      readonly kind: 'generationRetired'
      readonly source: SourceId
      readonly generation: Generation
      readonly at: EpochMs
    }
  /** A stream that goes on under another name brings a generation back that had been left under this one. */
  | {readonly kind: 'generationResumed'; readonly source: SourceId; readonly generation: Generation}
  | {readonly kind: 'generationSeen'; readonly seen: GenerationSeen}
  | {readonly kind: 'holeSeen'; readonly hole: Hole}
  /** Beside the move of its cause. Where the new numbering was taken, the generations that come after it in the list are of that one. */
  | {readonly kind: 'numberingDecided'; readonly numbering: NumberingDecision}
  /** Written where it is first told of, and again (same source and frame) when more is known. */
  | {readonly kind: 'activityChanged'; readonly activity: Activity}
  | {readonly kind: 'attemptStarted'; readonly attempt: Attempt}
  | {readonly kind: 'attemptEnded'; readonly attempt: Attempt}
  | {readonly kind: 'cursorMoved'; readonly move: Move}
  /** Written when the gap is journaled, and again (same frame) whenever its outcome changes. */
  | {readonly kind: 'gapRecorded'; readonly gap: Gap}
  /** Said again, the newer word stands. */
  | {
      readonly kind: 'gapAccounted'
      readonly source: SourceId
      readonly frame: FrameId
      readonly account: GapAccount
    }
  | {readonly kind: 'connectionChanged'; readonly connection: ConnectionFact}
  /** At start-up: every run of a callback without an end was cut off when the process that ran it ended, at a time nobody knows. */
  | {readonly kind: 'openAttemptsAborted'}
