import {assertNever} from '../base/assert-never.ts'
import {bringsVector, type Frame, type SwitchFrame} from '../frames/frame.ts'
import {placeOf} from '../frames/place-of-frame.ts'
import {planGap} from '../position/gap-plan.ts'
import {stepsFor} from '../position/position.ts'
import type {Held, Settlement} from './held.ts'
import {settleSequenced, settleSnapshot} from './settle-cursor.ts'

/** What a frame comes to from what is held. */
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
