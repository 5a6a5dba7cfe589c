import type {GapNotice} from '../frames/frame.ts'
import {
  applyUpdate,
  backwardSteps,
  type CoordinateKey,
  OWN,
  ownFirst,
  type Position,
  type PositionUpdate,
  type Step,
  stepsFor,
} from './position.ts'

/** What a gap will do to the held position, worked out before its callback runs and applied after it resolved. */
export interface GapPlan {
  readonly outcome: 'replaced' | 'ownReplaced' | 'unmoved'
  readonly before: Position
  readonly after: Position
  readonly steps: readonly Step[]
  /** Present exactly where the gap said `resumed_at`: it is behind the `s` held before. It means "went backward", not "restarted". */
  readonly cursorReset?: boolean
  /** Coordinates whose value goes back, sorted. A room can go back while `s` goes on. */
  readonly wentBack: readonly CoordinateKey[]
  /** Coordinates the replacement leaves out, sorted. */
  readonly removed: readonly CoordinateKey[]
}

export function planGap(held: Position, vectorSeen: boolean, said: GapNotice, update: PositionUpdate): GapPlan {
  const steps = stepsFor(held, vectorSeen, update)
  const own = held.get(OWN)
  return {
    outcome: update.kind === 'replacement' ? 'replaced' : update.kind === 'ownReplacement' ? 'ownReplaced' : 'unmoved',
    before: held,
    after: applyUpdate(held, vectorSeen, update),
    steps,
    ...(said.resumedAt === undefined ? {} : {cursorReset: own !== undefined && said.resumedAt < own}),
    ...backwardSteps(steps),
  }
}

/** One row of the before-and-after table of a gap. */
export interface GapRow {
  readonly key: CoordinateKey
  readonly before?: number
  readonly after?: number
  /** What taking the larger value would have kept: the loss an ordinary merge would hide. */
  readonly mergeWouldKeep: number
}

/** Every coordinate held before or after, sorted with `s` first. */
export function gapRows(before: Position, after: Position): readonly GapRow[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(ownFirst)
  return keys.map((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    return {
      key,
      ...(was === undefined ? {} : {before: was}),
      ...(is === undefined ? {} : {after: is}),
      mergeWouldKeep: Math.max(was ?? 0, is ?? 0),
    }
  })
}
