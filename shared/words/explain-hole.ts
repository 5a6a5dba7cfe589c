import type {HoleRow} from '../contract/rows.ts'
import {nameLane} from './name-cursor.ts'

type Hole = Pick<HoleRow, 'by' | 'lane' | 'after' | 'upTo' | 'missing' | 'missingGenerations' | 'tailOf'>

/** `4 not seen`, where there is little room. */
export function shortHole({missing, missingGenerations}: Hole): string {
  const whole = missingGenerations === undefined ? [] : [`${counted(missingGenerations, 'generation')} not seen`]
  return [...(missing > 0 ? [`${missing} not seen`] : []), ...whole].join(', ')
}

/** The heading of a hole. */
export function titleOfHole({missing, missingGenerations}: Hole): string {
  const numbers = missing > 0 ? [counted(missing, 'number')] : []
  const whole = missingGenerations === undefined ? [] : [`${counted(missingGenerations, 'whole generation')}`]
  return `Hole: ${[...numbers, ...whole].join(' and ')} not seen`
}

/** What we saw of it: the numbers before and after. */
export function seenOfHole(hole: Hole): string {
  const {by, after, upTo, tailOf} = hole
  const next = by === 'event' ? `${upTo} came` : `the snapshot’s cursor is ${upTo}`
  if (after !== undefined) return `held ${after}, then ${next}`
  if (tailOf !== undefined) return `held generation ${nameLane(tailOf)}, then ${next} in another one`
  return `nothing held before it, then ${next}`
}

/** Which numbers they are, first and last. `undefined`: only whole generations are missing. */
export function numbersOfHole({by, after, upTo, missing}: Hole): string | undefined {
  if (missing === 0) return undefined
  const last = by === 'event' ? upTo - 1 : upTo
  const first = after === undefined ? last - missing + 1 : after + 1
  return first === last ? String(first) : `${first} … ${last}`
}

/** The same, with the generation they are numbers of. */
export function rangeOfHole(hole: Hole): string | undefined {
  const numbers = numbersOfHole(hole)
  return numbers === undefined ? undefined : `${numbers} of generation ${nameLane(hole.lane)}`
}

/** What the hole means, never more than is known. */
export function explainHole(hole: Hole): string {
  const {by, missing, missingGenerations, tailOf} = hole
  const snapshot =
    'The snapshot tells the state after them, not what they were: it is a baseline, and counts no event as seen.'
  const numbers =
    'Numbers that were never seen here, so at most so many events. Some numbers may never have been meant for this client: a hole is to be explained, and is not yet a loss.'
  return [
    ...(missing > 0 ? [numbers] : []),
    ...(missingGenerations === undefined
      ? []
      : ['Of whole generations nothing was seen; how much was in them is not known.']),
    ...(tailOf === undefined
      ? []
      : [`What came in generation ${nameLane(tailOf)} after the last number held is not known either.`]),
    ...(by === 'snapshot' ? [snapshot] : []),
  ].join(' ')
}

interface Replay {
  readonly said: string
  readonly own?: {readonly lane: string; readonly sequence: number} | undefined
  readonly server?: {readonly lane: string; readonly sequence: number} | undefined
  readonly missing: number
}

/** What the server's word about the replay is worth beside what we saw. */
export function explainReplay({said, own, server, missing}: Replay): string {
  const word = `The server said “${said}”.`
  if (server === undefined) return `${word} It named no cursor of its own, so what is missing is not known.`
  if (own === undefined) return `${word} Nothing was held here before, so there was nothing to miss.`
  const tail =
    own.lane === server.lane ? '' : ` What came in generation ${nameLane(own.lane)} after ${own.sequence} is not known.`
  const seen =
    missing === 0
      ? own.lane === server.lane
        ? ' By our own cursor nothing is missing.'
        : ''
      : ` By our own cursor ${missing === 1 ? '1 number was' : `${missing} numbers were`} not seen: its word does not take what we held into account.`
  return `${word}${seen}${tail}`
}

function counted(value: number, one: string): string {
  return `${value} ${one}${value === 1 ? '' : 's'}`
}
