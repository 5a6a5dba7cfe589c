import type {Change} from '../../../shared/history/change.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import type {Ending, Heartbeat, SourceInput} from '../../../shared/source/source-machine.ts'
import type {Callbacks} from '../callbacks.ts'
import type {Clock} from '../clock.ts'
import type {StoreError} from '../store/store.ts'
import type {SwitchTransport} from './transport.ts'

/** What watching one Switch source needs of the rest of the engine. */
export interface SwitchSourceDeps {
  readonly transport: SwitchTransport
  /** Absent: the durable journal is the callback, and runs of frames share a commit. */
  readonly callbacks?: Callbacks
  readonly clock: Clock
  readonly nextFrameId: () => FrameId
  /** Commits, keeps the run's counts, and tells the screens. */
  readonly commit: (changes: readonly Change[]) => Promise<void>
  /** Moves the source's state machine and records it. False where the disk refused the record; the state is entered all the same. */
  readonly enter: (input: SourceInput) => Promise<boolean>
  /** Records that the server's side of the connection is known to be alive, or not. */
  readonly heartbeat: (heartbeat: Heartbeat) => void
  /** Tells the screens that something not recorded changed (the age of the last byte, a notice). */
  readonly touched: () => void
}

/** The stream ended for a reason of its own, or because the source was stopped. */
export type EndedBy = Ending | {readonly kind: 'aborted'}

/** Why a stream is over, and how long it had lived. */
export interface StreamOver {
  readonly because: Ending
  /** 0 where none was opened. */
  readonly livedMs: number
}

export function storeFailed(error: StoreError): Ending {
  return {kind: 'storeFailed', detail: `${error.kind}: ${error.detail}`}
}
