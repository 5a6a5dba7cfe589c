import type {Clock} from './clock.ts'
import {keepNumbering as keepOldNumbering, takeNumbering as takeNewNumbering} from './numbered/decide-numbering.ts'
import {type FirstOfNumbering, firstOfNumbering, newNumbering} from './numbered/new-numbering.ts'
import {RefusedRequest} from './serve.ts'
import type {SourceController} from './source-controller.ts'

/* The user's word about what holds a source. A frame that is named must be the one: it is about what was on screen. */

const DONE = {done: true} as const

/** Where a numbering began anew there is nothing to run: the old one is kept, and the server asked again. */
export async function retry(controller: SourceController, clock: Clock): Promise<typeof DONE> {
  const first = newNumbering(controller.run, heldFrame(controller))
  if (first !== undefined) await keepOld(controller, first, clock)
  controller.start()
  return DONE
}

export async function skip(controller: SourceController, frame: number, reason: string): Promise<typeof DONE> {
  heldAt(controller, frame)
  // Stepped over it would be offered again at once: which numbering goes on is another question than what to do with a frame.
  if (newNumbering(controller.run, frame) !== undefined) throw new RefusedRequest('numberingAnew', String(frame))
  await controller.skip(reason)
  controller.start()
  return DONE
}

export async function takeNumbering(controller: SourceController, frame: number): Promise<typeof DONE> {
  const first = offeredAt(controller, frame)
  if (controller.decision.underWay() !== undefined)
    throw new RefusedRequest('notHeld', 'the old numbering is being kept')
  if (first.frame.taken !== true) takeNewNumbering(controller.run, first)
  controller.start()
  return DONE
}

export async function keepNumbering(controller: SourceController, frame: number, clock: Clock): Promise<typeof DONE> {
  const first = offeredAt(controller, frame)
  await keepOld(controller, first, clock)
  // Where it was taken before, what handles it waits for another run of it.
  if (first.frame.taken === true) controller.renewWhenDecided()
  controller.start()
  return DONE
}

function keepOld(controller: SourceController, first: FirstOfNumbering, clock: Clock): Promise<void> {
  return controller.decision.make(() => keepOldNumbering(controller, first, clock))
}

function offeredAt(controller: SourceController, frame: number): FirstOfNumbering {
  heldAt(controller, frame)
  const first = firstOfNumbering(controller.run, frame)
  if (first === undefined) throw new RefusedRequest('noNewNumbering', String(frame))
  return first
}

function heldAt(controller: SourceController, frame: number): void {
  const held = heldFrame(controller)
  if (held !== frame) throw new RefusedRequest('otherFrameHeld', String(held))
}

function heldFrame({run: {state, record, leftovers}, goesOn}: SourceController): number {
  if (state.kind !== 'held') throw new RefusedRequest('notHeld', state.kind)
  // Whoever says something else now was asked about a numbering, and that was decided.
  if (goesOn() && leftovers.some(({frame}) => frame.kind === 'sequenced' && frame.taken === true))
    throw new RefusedRequest('notHeld', 'the new numbering is being taken')
  // Whatever is decided lets it go on at once, and a paused one is not to.
  if (record.paused) throw new RefusedRequest('paused', record.name)
  return state.frame
}
