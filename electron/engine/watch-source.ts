import type {Change} from '../../shared/history/change.ts'
import type {FrameId, JournaledFrame} from '../../shared/history/fact.ts'
import type {Heartbeat, SourceInput} from '../../shared/source/source-machine.ts'
import type {Callbacks} from './callbacks.ts'
import type {ChangeRecord} from './change-record.ts'
import type {Clock} from './clock.ts'
import type {SourceRun} from './source-run.ts'

/** What watching one source needs of the rest of the engine, whatever it speaks. */
export interface WatchDeps {
  /** Absent: the durable journal is the callback, and runs of frames share a commit. */
  readonly callbacks?: Callbacks
  readonly clock: Clock
  readonly nextFrameId: () => FrameId
  /** Commits, keeps the run's counts, and tells the screens. */
  readonly commit: (changes: readonly Change[]) => Promise<void>
  /** Changes parts of what is kept about the source. */
  readonly change: ChangeRecord
  /** A frame as it was journaled. */
  readonly journaled: (frame: FrameId) => Promise<JournaledFrame | undefined>
  /** Moves the source's state machine and records it. False where the disk refused the record; the state is entered all the same. */
  readonly enter: (input: SourceInput) => Promise<boolean>
  /** Records that the server's side of the connection is known to be alive, or not. */
  readonly heartbeat: (heartbeat: Heartbeat) => void
  /** Tells the screens that something not recorded changed (the age of the last byte, a notice). */
  readonly touched: () => void
  /** Resolves with the user's next word about a held frame: it was skipped, or is to be run again. */
  readonly decided: (signal: AbortSignal) => Promise<void>
  /** An earlier process left a frame held: until this resolves, nothing is handled. Absent: nothing is held. */
  readonly heldUntil?: Promise<void>
}

/** Watches one source until it is stopped, held, or over for good. Everything below ends with the signal. */
export type WatchSource = (run: SourceRun, deps: WatchDeps, signal: AbortSignal) => Promise<void>
