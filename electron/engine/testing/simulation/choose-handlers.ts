import type {Handler} from '../../../../shared/handlers/handler.ts'

/** What the rules of handlers look at, by the simulation's own reading of a frame. */
export interface Subject {
  /** The frame's name, and its type. */
  readonly names: readonly string[]
  readonly rooms: readonly string[]
  /** As the server sent it. */
  readonly addressed: boolean | undefined
  /** What the frame comes to once it is handled. */
  readonly comesTo: string
}

/** Those of a list that are to run for a frame, in their order. Nothing chooses what is no frame for handlers. */
export function chosenOf(handlers: readonly Handler[], subject: Subject | undefined): readonly Handler[] {
  return subject === undefined ? [] : handlers.filter((handler) => isChosen(handler, subject))
}

function isChosen({rule}: Handler, {names, rooms, addressed, comesTo}: Subject): boolean {
  if (rule.outcomes === undefined && comesTo === 'discarded') return false
  const wanted: readonly (readonly [list: readonly string[] | undefined, has: readonly string[]])[] = [
    [rule.outcomes, [comesTo]],
    [rule.rooms, rooms],
    [rule.events, names],
  ]
  const fits = wanted.every(([list, has]) => list === undefined || list.some((one) => has.includes(one)))
  return fits && (rule.addressed === undefined || rule.addressed === addressed)
}
