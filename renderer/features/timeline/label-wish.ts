import type {LabelWish, Place} from '../../../shared/timeline/place-labels.ts'
import type {Tone} from './mark.ts'

/** A label before it has its place, and how it is to look. */
export interface ToneWish extends LabelWish {
  readonly tone: Tone
  readonly strong: boolean
}

/** Who chooses a place first. */
export const PRIORITY = {
  replaced: 0,
  removed: 1,
  numbering: 2,
  connection: 3,
  failed: 4,
  pending: 5,
  hole: 6,
  gapSpan: 7,
  gap: 8,
  generation: 9,
  duration: 10,
  activity: 11,
} as const

export function wish(
  what: keyof typeof PRIORITY,
  text: string,
  tone: Tone,
  places: readonly Place[],
  shorter?: string,
): ToneWish {
  const insists = what === 'replaced' || what === 'removed' || what === 'numbering'
  const strong = insists || what === 'gap'
  return {text, tone, strong, insists, priority: PRIORITY[what], places, ...(shorter === undefined ? {} : {shorter})}
}

/** Beside a mark: right of it, on its own height or a little above or below; else left of it. */
export function beside(x0: number, x1: number, y: number): readonly Place[] {
  const shifts = [0, -7, 7, -14]
  return [
    ...shifts.map((shift): Place => ({x: x1 + 6, end: 'left', y: y + shift})),
    ...shifts.map((shift): Place => ({x: x0 - 6, end: 'right', y: y + shift})),
  ]
}
