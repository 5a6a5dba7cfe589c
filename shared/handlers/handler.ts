/**
 * One thing of the user's that is done for a frame before its cursor may move. The handlers of a source run in their order,
 * one after another; a frame is handled when all of those that chose it resolved.
 */
export interface Handler extends RetryRule {
  /** Made once; names it in the history, also after it was changed or removed. */
  readonly id: string
  /** The user's own word for it. */
  readonly name: string
  readonly rule: HandlerRule
  /** One run takes no longer than this, in ms; then it is ended and timed out. */
  readonly deadlineMs: number
  readonly action: HandlerAction
}

/** How failures of a frame are answered. */
export interface RetryRule {
  /** After so many of one frame in a row the source is held. At least 1. */
  readonly attempts: number
  /** The pause before the second attempt, in ms; it doubles from one to the next, up to 30 s. */
  readonly backoffMs: number
}

export type HandlerAction =
  | {
      readonly kind: 'command'
      /** The program and its arguments, handed over as they are: no shell reads them. */
      readonly argv: readonly string[]
      /** Absent: the user's home. */
      readonly cwd?: string
      /** Beside the clean environment. In clear: a secret goes apart, as `TIDEMARK_SECRET`. */
      readonly env: readonly (readonly [name: string, value: string])[]
      /** A secret for it is kept where tokens are. */
      readonly hasSecret: boolean
    }
  /** Its body is signed with a key that is kept where tokens are. */
  | {readonly kind: 'webhook'; readonly url: string}
  | {readonly kind: 'notification'}

/** What a frame comes to once its handlers resolved. A gap may replace the position, only `s`, or nothing. */
export type ChosenOutcome = 'handled' | 'replaced' | 'ownReplaced' | 'unmoved' | 'discarded'

/** Which frames a handler runs for. What is absent does not narrow, but for outcomes: then every event and gap, and nothing discarded. */
export interface HandlerRule {
  /** Rooms by their names, of which a frame must move or name one. */
  readonly rooms?: readonly string[]
  /** Names of events, or types of them, of which a frame must have one. A gap is called `gap`. */
  readonly events?: readonly string[]
  /** As the server sent it; what it did not send is neither. */
  readonly addressed?: boolean
  readonly outcomes?: readonly ChosenOutcome[]
}

export const HANDLER_LIMITS = {
  handlers: 20,
  /** In UTF-16 code units. */
  nameLength: 100,
  deadlineMs: {least: 100, most: 3_600_000},
  attempts: {least: 1, most: 100},
  backoffMs: {least: 0, most: 30_000},
} as const

export const USUAL_HANDLER = {deadlineMs: 30_000, attempts: 3, backoffMs: 1_000} as const

/** Of frames of the past that a handler can be tried on: what a list says that they came to. */
export const TRIED_OUTCOMES = ['handled', 'replaced', 'unmoved', 'rejected', 'skipped', 'discarded', 'pending'] as const

const LONGEST_BACKOFF_MS = 30_000

/** Tried so often, and this is the pause in ms before the next attempt: half fixed, half random. `jitter` is in [0, 1). */
export function retryDelayMs({backoffMs}: RetryRule, failures: number, jitter: number): number {
  const whole = Math.min(backoffMs * 2 ** Math.max(0, failures - 1), LONGEST_BACKOFF_MS)
  return whole / 2 + (whole / 2) * jitter
}
