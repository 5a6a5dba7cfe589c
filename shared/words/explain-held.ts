import type {Wire} from '../source/source.ts'
import {type AnyEnding, explainEnding} from './explain.ts'
import type {Explanation} from './explanation.ts'

/**
 * Why a source is held. What of an ending is said elsewhere to go on by itself does not, here.
 *
 * @param readsOn - its stream is attached all the same
 */
export function explainHeld(because: AnyEnding | undefined, readsOn = false): Explanation {
  const reading = readsOn
    ? 'What comes is still read and journaled, and nothing of it is handled.'
    : 'No stream is attached, and nothing is read.'
  const detail = `${reading} The position stays before that frame until somebody decides.`
  const whatToDo = 'Look at the frame, then retry it, or skip it with a reason.'
  if (because === undefined) return {title: 'Held at one frame, for a reason that is not known', detail, whatToDo}
  switch (because.kind) {
    case 'rejected':
      return {title: 'Held: the callback rejected one frame too often', detail, whatToDo}
    case 'malformed':
      return {title: 'Held: one frame came malformed too often', detail, whatToDo}
    case 'numberingReset':
      // Neither of the two ways out is a retry of a callback or a skip.
      return {...explainEnding(because), title: `Held. ${explainEnding(because).title}`}
    default:
      return {...explainEnding(because), detail, whatToDo, title: `Held. ${explainEnding(because).title}`}
  }
}

/** Over the ways out. A bridge keeps what is not read; where the server does not, reading may go on. */
export function sayHeldHere(wire: Wire | undefined): string {
  return `Held here. Nothing is ${wire === 'switch' ? 'read' : 'handled'} until you decide.`
}
