import type {Generation} from '../cursor/cursor.ts'
import {noneRetired, type Retired} from '../cursor/retired.ts'
import type {Place} from '../frames/place-of-frame.ts'
import type {Cause, Outcome} from '../history/fact.ts'
import type {GenerationSeen} from '../history/generation.ts'
import type {Hole} from '../history/hole.ts'
import type {NumberingDecision} from '../history/numbering.ts'
import type {GapPlan} from '../position/gap-plan.ts'
import {NOWHERE, type Position, type Step, takeSteps} from '../position/position.ts'

/** What is acknowledged of one source. Equal to what is durable. */
export interface Held {
  readonly position: Position
  /** A vector was on its wire once: from then on a bare number moves nothing. */
  readonly vectorSeen: boolean
  /** Generations that are over, in the order in which they ended: what still comes from one is stale. */
  readonly retired: Retired
}

/** A source of which nothing is acknowledged. */
export function nothingHeld(): Held {
  return {position: NOWHERE, vectorSeen: false, retired: noneRetired()}
}

/** What a frame comes to once nothing stands in its way: worked out before its callback runs, applied after. */
export interface Settlement {
  readonly outcome: Outcome
  readonly cause: Cause
  readonly steps: readonly Step[]
  /** Where it is drawn. */
  readonly place: Place
  /** A valid vector was in it. Remembered from the moment the frame is journaled, whatever its callback does. */
  readonly vectorSeen: boolean
  /** Whether a callback must resolve first, and which. */
  readonly callback?: 'onEvent' | 'onGap'
  readonly gap?: GapPlan
  /** Of a frame with a cursor {generation, sequence}. */
  readonly cursor?: CursorFacts
  /** The generations that are over once it is settled. */
  readonly retired: Retired
}

/** What a cursor {generation, sequence} tells of generations and of numbers never seen. */
export interface CursorFacts {
  /** Absent where the cursor moved nothing: it is seen once. Present too where it is stale. */
  readonly seen?: Pick<GenerationSeen, 'lane' | 'sequence' | 'by'>
  /** Left with this frame. */
  readonly retired: readonly Generation[]
  /** A taken numbering reached generations that the lost one had: they are over no longer. */
  readonly resumed: readonly Generation[]
  readonly hole?: Omit<Hole, 'frame' | 'source' | 'receivedAt'>
  /** It begins a numbering that the user took. */
  readonly taken?: Pick<NumberingDecision, 'held' | 'offered'>
  /** The server numbers anew, below what is held. The frame is not settled: the user decides whether the new numbers are taken. */
  readonly numberingReset: boolean
}

/** What is acknowledged once a settlement's steps are taken. Linear in the position, and nothing new where it does not move. */
export function heldAfter(held: Held, {steps, vectorSeen, retired}: Settlement): Held {
  if (steps.length === 0 && vectorSeen === held.vectorSeen && retired === held.retired) return held
  const position = new Map(held.position)
  takeSteps(position, steps)
  return {position, vectorSeen, retired}
}
