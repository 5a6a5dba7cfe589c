import {assertNever} from '../base/assert-never.ts'
import {bringsVector, type Frame} from '../frames/frame.ts'
import {type Place, placeOf} from '../frames/place-of-frame.ts'
import type {Cause, Outcome} from '../history/fact.ts'
import {type GapPlan, planGap} from '../position/gap-plan.ts'
import {type Position, type Step, stepsFor} from '../position/position.ts'

/** What is acknowledged of one source: the position, and whether a vector was ever seen on its wire. Equal to what is durable. */
export interface Held {
  readonly position: Position
  readonly vectorSeen: boolean
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
}

export function settlementOf(held: Held, frame: Frame): Settlement {
  if (frame.kind === 'control')
    return {outcome: 'control', cause: 'handled', steps: [], place: {}, vectorSeen: held.vectorSeen}
  const vectorSeen = held.vectorSeen || bringsVector(frame.update)
  const steps = stepsFor(held.position, held.vectorSeen, frame.update)
  const place = placeOf(frame, steps)
  switch (frame.kind) {
    case 'event':
      return {outcome: 'handled', cause: 'handled', steps, place, vectorSeen, callback: 'onEvent'}
    case 'unknown':
      return {outcome: 'discarded', cause: 'discarded', steps, place, vectorSeen}
    case 'gap': {
      const gap = planGap(held.position, held.vectorSeen, frame.said, frame.update)
      return {outcome: 'handled', cause: 'gapReplaced', steps, place, vectorSeen, callback: 'onGap', gap}
    }
    default:
      return assertNever(frame)
  }
}
