import type {EpochMs} from '../../shared/base/units.ts'
import type {Held} from '../../shared/callbacks/held.ts'
import type {SessionFacts, SourceCounts, SourceView} from '../../shared/contract/rows.ts'
import type {Change} from '../../shared/history/change.ts'
import {countersOf} from '../../shared/history/counts.ts'
import type {Attempt, ConnectionFact, FrameId} from '../../shared/history/fact.ts'
import type {Sequence} from '../../shared/position/position.ts'
import type {SourceRecord, WatchedSession} from '../../shared/source/source.ts'
import type {Heartbeat, SourceState} from '../../shared/source/source-machine.ts'
import type {Backlog} from './cursor-source/backlog.ts'
import type {Leftover} from './leftover.ts'

/** After this many failures of one frame in a row the source is held: going on would be a loss that nobody decided. */
export const FAILURES_UNTIL_HELD = 3

/** A handler of the user's says by itself how often it may fail. */
export function isOverLimit({rejections, retry}: Leftover): boolean {
  return rejections >= (retry?.attempts ?? FAILURES_UNTIL_HELD)
}

export type NoticeKind = SourceView['notices'][number]['kind']

/**
 * What is known of one source while the engine runs. Only its own runner writes it; screens read it. `held` is never ahead
 * of the disk: it changes when a commit resolved.
 */
export interface SourceRun {
  record: SourceRecord
  state: SourceState
  heartbeat: Heartbeat
  connection: ConnectionFact
  held: Held
  leftovers: readonly Leftover[]
  /** Rejected frames that a former process left, and whose bytes read no more: no leftovers, and still open. */
  readonly unreadable: Set<FrameId>
  readonly counts: {-readonly [K in keyof SourceCounts]: SourceCounts[K]}
  openAttempt: Attempt | undefined
  /** Read from the wire and not taken up yet. */
  queued: number
  /** Taken up and not acknowledged yet. */
  inHand: number
  lastByteAt: EpochMs | undefined
  readonly notices: Map<NoticeKind, string>
  /** The incarnation of our connection, where the server numbers them. Not known after a start. */
  generation: number | undefined
  /** The own number that the journal brought in the middle of the stream at hand, which did not bring it itself. */
  ownBrought: Sequence | undefined
  /** Where the first stream of this process began. Asked for again while nothing is acknowledged. */
  beganAt: Sequence | undefined
  /** Held, and read on all the same: its stream is attached, and what comes is journaled. */
  readsOn: boolean
  lastMalformed: {readonly frame: FrameId; readonly identity: string} | undefined
  /** Malformed frames since the position last moved. */
  malformedInARow: number
  /** Identities of malformed frames that the user chose to pass over, while the position stays where they did. */
  readonly passOver: Set<string>
  /** The user skipped a malformed frame that this process knows by its row only: the next one here is the one that was meant. */
  passNextMalformed: boolean
  /** The frame that was last brought from our journal and handled. The server may still send it: its effect would run again. */
  broughtFromJournal: BroughtFrame | undefined
  /** Of a source that reads ahead: what is journaled and still to be handled. Kept over stops and starts. */
  backlog: Backlog | undefined
  /** Of a Prime session: what is known beside its cursor. */
  session: SessionFacts | undefined
  /** Of a Prime session: when the supervisor that was last met was heard for certain. */
  supervisorHeardAt: EpochMs | undefined
  /** The session that a demo's daemon holds for this source, once it was started. */
  demoSession: WatchedSession | undefined
  /** The newest gap that took the place of the position: what is numbered after it is another run of numbers. */
  lastReplacement: FrameId | undefined
  /** How an earlier process left it: held, until the user decides. */
  heldBefore: Extract<SourceState, {kind: 'held'}> | undefined
}

export interface BroughtFrame {
  readonly identity: string
  readonly frame: FrameId
  readonly attempts: number
}

/** What was said about the place where the position stood is said no more once it moved. */
export function noteMoved(run: SourceRun): void {
  run.malformedInARow = 0
  run.passOver.clear()
  run.passNextMalformed = false
}

/** Keeps counts, and what is open, in step with what was committed. */
export function noteCommitted(run: SourceRun, changes: readonly Change[]): void {
  for (const change of changes) {
    for (const counter of countersOf(change)) run.counts[counter] += 1
    if (change.kind === 'frameSettled') run.unreadable.delete(change.frame)
    if (change.kind === 'attemptStarted') run.openAttempt = change.attempt
    if (change.kind === 'attemptEnded') run.openAttempt = undefined
    if (change.kind === 'supervisorMet' && change.source === run.record.id)
      run.record = {...run.record, supervisor: change.supervisor}
    if (change.kind === 'gapRecorded' && change.gap.appliedAt !== undefined) run.lastReplacement = change.gap.frame
  }
}
