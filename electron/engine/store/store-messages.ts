import type {FrameDetail, FramesPage, TimelineRange} from '../../../shared/contract/contract.ts'
import type {ActivityRow, GapRow, HoleRow, NumberingRow} from '../../../shared/contract/rows.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import type {PruneOrder} from '../../../shared/history/retention.ts'
import type {PackedLists} from './pack-changes.ts'
import type {PruneStep} from './prune.ts'
import type {BytesQuery, FramesQuery} from './read-frames.ts'
import type {GapsQuery, LedgerQuery} from './read-ledger.ts'
import type {TimelineQuery} from './read-timeline.ts'
import type {GenerationList, StoredProfile, StoreError} from './store.ts'
import type {ViewedProfile} from './view-profile.ts'

/** What a store worker is started with. */
export interface WorkerStart {
  readonly path: string
  /** `check` reads the whole file once, says what it found, and ends. */
  readonly role: 'write' | 'read' | 'check'
}

/** Each question a worker answers, with its answer. */
export interface Questions {
  readonly write: {readonly ask: PackedLists; readonly answer: readonly (StoreError | undefined)[]}
  readonly prune: {readonly ask: PruneOrder; readonly answer: PruneStep}
  readonly load: {readonly ask: undefined; readonly answer: StoredProfile}
  readonly view: {readonly ask: undefined; readonly answer: ViewedProfile}
  readonly framesPage: {readonly ask: FramesQuery; readonly answer: FramesPage}
  readonly frameDetail: {readonly ask: number; readonly answer: FrameDetail | undefined}
  readonly frameBytes: {readonly ask: BytesQuery; readonly answer: Uint8Array | undefined}
  readonly timeline: {readonly ask: TimelineQuery; readonly answer: TimelineRange}
  readonly gaps: {readonly ask: GapsQuery; readonly answer: {readonly gaps: readonly GapRow[]; readonly next?: number}}
  readonly holes: {
    readonly ask: LedgerQuery
    readonly answer: {readonly holes: readonly HoleRow[]; readonly next?: number}
  }
  readonly numberings: {
    readonly ask: LedgerQuery
    readonly answer: {readonly numberings: readonly NumberingRow[]; readonly next?: number}
  }
  readonly generations: {
    readonly ask: {readonly source: string; readonly limit: number}
    readonly answer: GenerationList
  }
  readonly openActivities: {readonly ask: string; readonly answer: readonly ActivityRow[]}
  readonly journaled: {readonly ask: number; readonly answer: JournaledFrame | undefined}
  readonly size: {
    readonly ask: undefined
    readonly answer: {readonly storeBytes: number; readonly storedFrames: number}
  }
  /** The last question: the worker closes its file and ends. */
  readonly close: {readonly ask: undefined; readonly answer: undefined}
}

export type Question = keyof Questions

export interface Asked {
  readonly id: number
  readonly question: Question
  readonly ask: unknown
}

/** What a worker says: once how it started, then one answer for each question. */
export type Said =
  | {readonly kind: 'started'}
  | {readonly kind: 'refused'; readonly error: StoreError}
  | {readonly kind: 'answer'; readonly id: number; readonly answer: unknown}
  | {readonly kind: 'failed'; readonly id: number; readonly error: StoreError}
