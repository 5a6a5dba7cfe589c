import type {JsonObject} from '../../../shared/base/json.ts'
import type {TimedStep} from '../scenario.ts'

/** A named play of the numbered demo server: data only. */
export interface NumberedScenario {
  readonly name: string
  /** One line for a list of scenarios. */
  readonly about: string
  /** Of the snapshot that an empty store begins with; 1 where not said. After a loss it is 1. */
  readonly firstGeneration?: number
  readonly steps: readonly NumberedStep[]
  readonly loopFrom?: number
}

export type NumberedStep = TimedStep<NumberedAction>

export type NumberedAction =
  | {readonly kind: 'event'; readonly event: JsonObject}
  | {readonly kind: 'burst'; readonly count: number; readonly event: JsonObject}
  /** The next generation begins, at sequence 0: with a message that says what the state is. */
  | {readonly kind: 'snapshot'; readonly reason: string}
  /** Numbers, or generations, that never come to anybody. */
  | {readonly kind: 'skip'; readonly events: number}
  | {readonly kind: 'skipGenerations'; readonly count: number}
  /** The process ends and is back at once, with its store or without. Every reader is cut off. */
  | {readonly kind: 'restart'; readonly store: 'kept' | 'lost'}
  | {readonly kind: 'hangUp'}
  /** The next message to each reader ends after so many bytes, and the connection with it. */
  | {readonly kind: 'cut'; readonly atByte: number}
  /** One message to each reader, kept nowhere and taking no number. */
  | {readonly kind: 'bad'; readonly what: BadMessage}

export const BAD_MESSAGES = [
  'garbage',
  'missingCursor',
  'wrongTypes',
  'fractional',
  /** The last one again. */
  'duplicate',
  /** The first one that is known, long after. */
  'stale',
  /** A generation that is text. */
  'opaque',
] as const
export type BadMessage = (typeof BAD_MESSAGES)[number]
