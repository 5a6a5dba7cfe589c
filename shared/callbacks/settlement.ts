import {assertNever} from '../base/assert-never.ts'
import {noneRetired, type Retired} from '../cursor/retired.ts'
import {bringsVector, type Frame, type SwitchFrame} from '../frames/frame.ts'
import {type Place, placeOf} from '../frames/place-of-frame.ts'
import type {Cause, Outcome} from '../history/fact.ts'
import {type GapPlan, planGap} from '../position/gap-plan.ts'
import {NOWHERE, type Position, type Step, stepsFor, takeSteps} from '../position/position.ts'
import {type CursorFacts, settleSequenced, settleSnapshot} from './settle-cursor.ts'

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

export function settlementOf(held: Held, frame: Frame): Settlement {
  const {vectorSeen, retired} = held
  switch (frame.kind) {
    case 'control':
      return {outcome: 'control', cause: 'handled', steps: [], place: {}, vectorSeen, retired}
    case 'sequenced':
      return settleSequenced(held, frame)
    case 'snapshot':
      return settleSnapshot(held, frame)
    default:
      return settleVector(held, frame)
  }
}

function settleVector(held: Held, frame: Exclude<SwitchFrame, {kind: 'control'}>): Settlement {
  const {retired} = held
  const vectorSeen = held.vectorSeen || bringsVector(frame.update)
  const steps = stepsFor(held.position, held.vectorSeen, frame.update)
  const at = {steps, place: placeOf(frame, steps), vectorSeen, retired}
  switch (frame.kind) {
    case 'event':
      return {outcome: 'handled', cause: 'handled', ...at, callback: 'onEvent'}
    case 'unknown':
      return {outcome: 'discarded', cause: 'discarded', ...at}
    case 'gap': {
      const gap = planGap(held.position, held.vectorSeen, frame.said, frame.update)
      return {outcome: 'handled', cause: 'gapReplaced', ...at, callback: 'onGap', gap}
    }
    default:
      return assertNever(frame)
  }
}

/** What is acknowledged once a settlement's steps are taken. Linear in the position, and nothing new where it does not move. */
export function heldAfter(held: Held, {steps, vectorSeen, retired}: Settlement): Held {
  if (steps.length === 0 && vectorSeen === held.vectorSeen && retired === held.retired) return held
  const position = new Map(held.position)
  takeSteps(position, steps)
  return {position, vectorSeen, retired}
}
