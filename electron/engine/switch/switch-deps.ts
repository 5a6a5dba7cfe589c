import type {Ending} from '../../../shared/source/source-machine.ts'
import type {WatchDeps} from '../watch-source.ts'
import type {SwitchTransport} from './transport.ts'

/** What watching one Switch source needs of the rest of the engine. */
export interface SwitchSourceDeps extends Omit<WatchDeps, 'decided' | 'heldUntil' | 'journaled'> {
  readonly transport: SwitchTransport
}

/** The stream ended for a reason of its own, or because the source was stopped. */
export type EndedBy = Ending | {readonly kind: 'aborted'}

/** Why a stream is over, and how long it had lived. */
export interface StreamOver {
  readonly because: Ending
  /** 0 where none was opened. */
  readonly livedMs: number
}
