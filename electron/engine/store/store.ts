import type {EpochMs} from '../../../shared/base/units.ts'
import type {FrameDetail, FrameFilter, FramesPage, TimelineRange} from '../../../shared/contract/contract.ts'
import type {
  ActivityRow,
  GapRow,
  GenerationRow,
  HoleRow,
  NumberingRow,
  SourceCounts,
} from '../../../shared/contract/rows.ts'
import type {Generation} from '../../../shared/cursor/cursor.ts'
import type {RetryRule} from '../../../shared/handlers/handler.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {ConnectionFact, FrameId, JournaledFrame, Outcome} from '../../../shared/history/fact.ts'
import type {PruneOrder} from '../../../shared/history/retention.ts'
import type {Position} from '../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'

/** A journaled frame whose callback has not resolved: pending when the process died, or rejected. */
export interface UnhandledFrame {
  readonly frame: JournaledFrame
  readonly outcome: Outcome
  /** Runs begun so far, over all deliveries of this frame. The last may have no end: then it was aborted. */
  readonly attempts: number
  /** Those of them that failed by themselves. */
  readonly rejections: number
  /** What the last failure said about the next try. */
  readonly retry?: RetryRule
}

/** A source as the disk knows it. */
export interface StoredSource {
  readonly record: SourceRecord
  readonly position: Position
  readonly vectorSeen: boolean
  /** Generations that are over, in the order in which they ended. Empty for sources without generations. */
  readonly retired: readonly Generation[]
  /** In the order of journaling. */
  readonly unhandled: readonly UnhandledFrame[]
  readonly counts: SourceCounts
  /** The newest gap that took the place of the position, if one ever did: numbers after it are of another run than those before. */
  readonly lastReplacement?: FrameId
  /** Bytes of malformed frames that the user skipped and behind which nothing moved yet: they may come again. */
  readonly passedOver?: readonly Uint8Array[]
  readonly lastConnection?: ConnectionFact
  /** The latest time of anything recorded about it: until then, at least, somebody was watching. */
  readonly lastFactAt?: EpochMs
  /** When the supervisor in its record was heard for certain: the newest frame with a place, as far as frames are kept. */
  readonly supervisorHeardAt?: EpochMs
}

export interface StoredProfile {
  readonly sources: readonly StoredSource[]
  /** Those that left the board. What was lost on them stays in the ledger. */
  readonly removed: readonly SourceRecord[]
  /** Greater than every frame id ever used. */
  readonly nextFrameId: FrameId
}

/** The disk said no. `kind` tells what a person can do about it. */
export interface StoreError {
  readonly kind: 'full' | 'readOnly' | 'busy' | 'corrupt' | 'newerSchema' | 'olderSchema' | 'io' | 'closed'
  readonly detail: string
}

/** Thrown by `commit`: nothing of that list is durable. */
export class StoreFailure extends Error {
  readonly error: StoreError
  constructor(error: StoreError) {
    super(`${error.kind}: ${error.detail}`)
    this.error = error
  }
}

/**
 * The durable side of the engine. `commit` resolves only when all of its changes survive a power cut, and rejects with
 * `StoreFailure` when none does. Lists committed one after another are applied in that order; several may share a sync.
 */
export interface Store {
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly load: () => Promise<StoredProfile>
  readonly read: StoreReader
  /** Deletes history that is older or more than is to be kept, in pieces so short that commits go on meanwhile. */
  readonly prune: (order: PruneOrder) => Promise<Pruned>
  readonly close: () => Promise<void>
}

/** What retention deleted. The bytes are free for what comes; the file does not shrink. */
export interface Pruned {
  readonly frames: number
  readonly bytes: number
}

/** What screens and the command line ask. Never blocks a commit. */
/** What is shown of a source's generations, beside how many there are. */
export interface GenerationList {
  readonly generations: readonly GenerationRow[]
  readonly total: number
}

export interface StoreReader {
  readonly framesPage: (filter: FrameFilter, before: FrameId | undefined, limit: number) => Promise<FramesPage>
  readonly frameDetail: (frame: FrameId) => Promise<FrameDetail | undefined>
  /** At most 256 KiB of its bytes, from there on; empty at their end. `undefined`: there is no such frame. */
  readonly frameBytes: (frame: FrameId, from: number) => Promise<Uint8Array | undefined>
  /** @param columns - how many bins a screen can show; more frames than that come binned */
  readonly timeline: (source: SourceId, from: EpochMs, to: EpochMs, columns: number) => Promise<TimelineRange>
  /** @param whole - every coordinate of every gap, and not only what a screen can show; default false */
  readonly gaps: (
    source: SourceId | undefined,
    before: FrameId | undefined,
    limit: number,
    whole?: boolean,
  ) => Promise<{readonly gaps: readonly GapRow[]; readonly next?: number}>
  /** Newest first. */
  readonly holes: (
    source: SourceId | undefined,
    before: FrameId | undefined,
    limit: number,
  ) => Promise<{readonly holes: readonly HoleRow[]; readonly next?: number}>
  /** Newest first. */
  readonly numberings: (
    source: SourceId | undefined,
    before: FrameId | undefined,
    limit: number,
  ) => Promise<{readonly numberings: readonly NumberingRow[]; readonly next?: number}>
  /** The newest of them, at most so many, oldest first. */
  readonly generations: (source: SourceId, limit: number) => Promise<GenerationList>
  /** Those whose end nobody told yet. */
  readonly openActivities: (source: SourceId) => Promise<readonly ActivityRow[]>
  /** A frame as it was journaled, with all of its bytes. */
  readonly journaled: (frame: FrameId) => Promise<JournaledFrame | undefined>
  readonly size: () => Promise<{readonly storeBytes: number; readonly storedFrames: number}>
}
