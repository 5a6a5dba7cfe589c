import type {EpochMs} from '../base/units.ts'
import type {HandlerAction} from './handler.ts'

/** How one run of one handler ended. Only the first is a success. */
export type HandlerRunState = 'resolved' | 'rejected' | 'timedOut' | 'aborted'

/** One run of one handler inside one attempt, as it is kept. What a handler did not have is absent. */
export interface HandlerRun {
  readonly handler: string
  readonly name: string
  readonly kind: HandlerAction['kind']
  readonly state: HandlerRunState
  readonly startedAt: EpochMs
  /** By a clock that only grows. */
  readonly durationMs: number
  /** Of a command that exited, also where it was asked to. */
  readonly exitCode?: number
  /** What ended a command. */
  readonly signal?: string
  /** HTTP, where an answer began. */
  readonly status?: number
  /** Why it is no success, in one line, without secrets. */
  readonly error?: string
  /** Bytes it wrote or answered, also where not all are kept. */
  readonly outputBytes?: number
  /** The last 64 KiB of it, without secrets. */
  readonly output?: string
}

/** In bytes. */
export const OUTPUT_KEPT = 64 * 1024

/** For lists and pictures: without the output, which may be large. */
export function withoutOutput({output: _output, ...run}: HandlerRun): HandlerRun {
  return run
}
