import {assertNever} from '../base/assert-never.ts'
import type {Brand} from '../base/brand.ts'
import {compareText} from '../base/compare-text.ts'
import {isJsonObject} from '../base/json.ts'

/** A value of one coordinate: a non-negative safe integer. Holes between two values are normal. */
export type Sequence = Brand<number, 'Sequence'>

/** The name of one counter of a position: `s`, or `r:` and a room id. Other shapes are kept as they came. */
export type CoordinateKey = Brand<string, 'CoordinateKey'>

/** All coordinates of one source. A Map, because a room may be called `__proto__`. */
export type Position = ReadonlyMap<CoordinateKey, Sequence>

/** The agent's own events. Older servers know only this coordinate. */
export const OWN = 's' as CoordinateKey

export const NOWHERE: Position = new Map()

/** How coordinates are listed: `s` first, the others by name. */
export function ownFirst(a: CoordinateKey, b: CoordinateKey): number {
  return Number(b === OWN) - Number(a === OWN) || compareText(a, b)
}

/** What a frame says about the position of its source. */
export type PositionUpdate =
  | {readonly kind: 'none'}
  /** An ordinary report: the larger value per coordinate wins. */
  | {readonly kind: 'progress'; readonly reported: Position}
  /** A bare number from a server older than vectors. It means `s`, and only while no vector was ever seen on the source. */
  | {readonly kind: 'ownProgress'; readonly own: Sequence}
  /** A gap's baseline: the whole vector becomes it, back or forth. */
  | {readonly kind: 'replacement'; readonly resumed: Position}
  /** A gap's baseline from a server older than vectors: only `s` is replaced. */
  | {readonly kind: 'ownReplacement'; readonly own: Sequence}

/** One coordinate's part in a move. `before` is absent where it was not held, `after` where it was removed. */
export interface Step {
  readonly key: CoordinateKey
  readonly before?: Sequence
  readonly after?: Sequence
}

export function parseSequence(value: unknown): Sequence | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
  return (value + 0) as Sequence // + 0: JSON can say -0, and a stored cursor must not
}

/** All or nothing: one bad coordinate makes the whole vector `undefined`. An empty object is a valid, empty position. */
export function parsePosition(value: unknown): Position | undefined {
  if (!isJsonObject(value)) return undefined
  const position = new Map<CoordinateKey, Sequence>()
  for (const [key, count] of Object.entries(value)) {
    const sequence = parseSequence(count)
    if (sequence === undefined) return undefined
    position.set(key as CoordinateKey, sequence)
  }
  return position
}

/** For JSON output. Every key becomes an own member, `__proto__` too. */
export function positionToJson(position: Position): {readonly [key: string]: number} {
  return Object.fromEntries(position)
}

/**
 * The steps an update makes from a held position: exactly the coordinates whose value changes, in the order of the
 * update, removed ones last. Linear in the update (and in the held position for a replacement).
 */
export function stepsFor(held: Position, vectorSeen: boolean, update: PositionUpdate): readonly Step[] {
  switch (update.kind) {
    case 'none':
      return []
    case 'progress':
      return forward(held, update.reported)
    case 'ownProgress':
      return vectorSeen ? [] : forward(held, new Map([[OWN, update.own]]))
    case 'replacement':
      return [...changed(held, update.resumed), ...removed(held, update.resumed)]
    case 'ownReplacement':
      return changed(held, new Map([[OWN, update.own]]))
    default:
      return assertNever(update)
  }
}

/** Takes steps in place. For a draft that its caller made and nobody else holds. */
export function takeSteps(draft: Map<CoordinateKey, Sequence>, steps: readonly Step[]): void {
  for (const {key, after} of steps) {
    if (after === undefined) draft.delete(key)
    else draft.set(key, after)
  }
}

export function applyUpdate(held: Position, vectorSeen: boolean, update: PositionUpdate): Position {
  const steps = stepsFor(held, vectorSeen, update)
  if (steps.length === 0) return held
  const moved = new Map(held)
  takeSteps(moved, steps)
  return moved
}

/** Coordinates a move took back, and those it removed, each sorted by code unit. */
export function backwardSteps(steps: readonly Step[]): {
  readonly wentBack: readonly CoordinateKey[]
  readonly removed: readonly CoordinateKey[]
} {
  const wentBack = steps.filter(({before, after}) => before !== undefined && after !== undefined && after < before)
  const gone = steps.filter(({after}) => after === undefined)
  return {wentBack: wentBack.map(({key}) => key).sort(), removed: gone.map(({key}) => key).sort()}
}

function forward(held: Position, reported: Position): Step[] {
  const steps: Step[] = []
  for (const [key, after] of reported) {
    const before = held.get(key)
    if (before === undefined) steps.push({key, after})
    else if (after > before) steps.push({key, before, after})
  }
  return steps
}

function changed(held: Position, resumed: Position): Step[] {
  const steps: Step[] = []
  for (const [key, after] of resumed) {
    const before = held.get(key)
    if (before === undefined) steps.push({key, after})
    else if (after !== before) steps.push({key, before, after})
  }
  return steps
}

function removed(held: Position, resumed: Position): Step[] {
  const steps: Step[] = []
  for (const [key, before] of held) if (!resumed.has(key)) steps.push({key, before})
  return steps
}
