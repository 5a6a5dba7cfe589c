/** One line of a report: what we take, beside the least that anybody could take, in the same run. */
export interface Figure {
  readonly what: string
  readonly unit: string
  readonly ours: number
  /** Absent where nothing can be named that the figure could be held against. */
  readonly floor?: {readonly what: string; readonly value: number}
  /** Absent where nothing was promised; the figure then only explains another one. */
  readonly goal?: Goal
}

export type Goal =
  /** Ours at most so many times the floor. */
  | {readonly kind: 'ratio'; readonly atMost: number}
  /** Ours at most so much, in the figure's unit. */
  | {readonly kind: 'value'; readonly atMost: number}
  /** Ours at least so many times the floor: where more is better. */
  | {readonly kind: 'faster'; readonly atLeast: number}

export function ratioOf({ours, floor}: Figure): number | undefined {
  return floor === undefined ? undefined : ours / floor.value
}

/** `undefined` where there is no goal, or nothing to hold against it. */
export function isMet(figure: Figure): boolean | undefined {
  const {goal, ours} = figure
  if (goal === undefined) return undefined
  if (goal.kind === 'value') return ours <= goal.atMost
  const ratio = ratioOf(figure)
  if (ratio === undefined) return undefined
  return goal.kind === 'ratio' ? ratio <= goal.atMost : ratio >= goal.atLeast
}
