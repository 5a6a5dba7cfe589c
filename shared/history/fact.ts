import type {EpochMs} from '../base/units.ts'
import type {FrameContext, FrameProblem, GapNotice} from '../frames/frame.ts'
import type {RetryRule} from '../handlers/handler.ts'
import type {HandlerRun} from '../handlers/handler-run.ts'
import type {CoordinateKey, Position, Sequence, Step} from '../position/position.ts'
import type {SourceId} from '../source/source.ts'
import type {Heartbeat, SourceState} from '../source/source-machine.ts'
import type {FrameId} from './frame-id.ts'

export type {FrameId} from './frame-id.ts'

export type FrameKind = 'event' | 'gap' | 'snapshot' | 'unknown' | 'control' | 'malformed'

/**
 * What a frame came to. `pending`: journaled, not yet handled. `skipped`: rejected too often, and stepped over by the user.
 * `duplicate` and `stale` belong to generation cursors.
 */
export type Outcome =
  | 'pending'
  | 'handled'
  | 'rejected'
  | 'skipped'
  | 'discarded'
  | 'malformed'
  | 'control'
  | 'duplicate'
  | 'stale'

/**
 * Why a cursor moved. There is no other way to write one. Where a numbering began anew below the cursor, the user's word is kept:
 * `numberingTaken` moves it there with the first frame of the new one, also where that was then skipped, with a reason;
 * `numberingKept` moves nothing, and stands beside that frame, which is stale.
 */
export type Cause =
  | 'handled'
  | 'discarded'
  | 'gapReplaced'
  | 'snapshotAdopted'
  | 'skipped'
  | 'numberingTaken'
  | 'numberingKept'
  | 'imported'

export type AttemptState = 'pending' | 'resolved' | 'rejected' | 'timedOut' | 'aborted'

/** The callback itself said no, or took too long. One that was cut off says nothing about the frame. */
export function countsAsFailure(state: AttemptState): boolean {
  return state === 'rejected' || state === 'timedOut'
}

/** One frame as it is journaled, before any callback. */
export interface JournaledFrame {
  readonly id: FrameId
  readonly source: SourceId
  readonly receivedAt: EpochMs
  readonly kind: FrameKind
  readonly event: string
  /** The lane it is drawn on: the room it would move, else `s`; absent where it moves nothing. Told when it is journaled. */
  readonly lane?: CoordinateKey
  readonly sequence?: Sequence
  /** At most 200 UTF-16 code units, for lists. */
  readonly summary: string
  /** As received; empty where the frame may hold secrets. */
  readonly bytes: Uint8Array
  /** The number of bytes on the wire, also where they were not kept. */
  readonly size: number
  readonly cuts: readonly number[]
  readonly problem?: FrameProblem
  /** Kept until the frame is handled. */
  readonly context?: FrameContext
  /** The earlier delivery of the same frame, rejected and not handled since. That one is then no longer waiting. */
  readonly redelivers?: FrameId
}

/** One run of a callback for one frame. */
export interface Attempt {
  readonly frame: FrameId
  readonly source: SourceId
  /** 1 for the first run; counted over redeliveries of the same frame. */
  readonly n: number
  readonly callback: 'onEvent' | 'onGap'
  readonly state: AttemptState
  readonly startedAt: EpochMs
  readonly endedAt?: EpochMs
  /** The message of what was thrown. */
  readonly error?: string
  /** Of the user's handlers that this attempt ran, in their order. Absent where they are not known: pending, or cut off. */
  readonly runs?: readonly HandlerRun[]
  /** What the handler that failed says about the next try: it must be known after a restart too. */
  readonly retry?: RetryRule
}

/** One move of a cursor. */
export interface Move {
  readonly source: SourceId
  readonly at: EpochMs
  readonly cause: Cause
  readonly frame?: FrameId
  readonly steps: readonly Step[]
  /** The user's word, for a skip. */
  readonly reason?: string
}

export type GapOutcome = 'pending' | 'replaced' | 'ownReplaced' | 'unmoved' | 'rejected' | 'malformed' | 'skipped'

/** A row of the gap ledger: what the server said beside what was held. */
export interface Gap {
  readonly frame: FrameId
  readonly source: SourceId
  readonly receivedAt: EpochMs
  readonly outcome: GapOutcome
  readonly said: GapNotice
  readonly before: Position
  /** The position it leads to, or (rejected, pending) would lead to. Equal to `before` for a malformed gap. */
  readonly after: Position
  readonly cursorReset?: boolean
  readonly wentBack: readonly CoordinateKey[]
  readonly removed: readonly CoordinateKey[]
  /** When the replacement became the durable position. */
  readonly appliedAt?: EpochMs
}

/** The user's word on how the loss of a gap was made good. It is no knowledge of Tidemark's, and moves nothing. */
export interface GapAccount {
  readonly at: EpochMs
  readonly note: string
}

/** The connection of a source from `at` on, until the next one. */
export interface ConnectionFact {
  readonly source: SourceId
  readonly at: EpochMs
  readonly state: SourceState
  readonly heartbeat: Heartbeat
}
