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
  connection: 2,
  pending: 3,
  gapSpan: 4,
  failed: 5,
  gap: 6,
  duration: 7,
} as const

export function wish(
  what: keyof typeof PRIORITY,
  text: string,
  tone: Tone,
  places: readonly Place[],
  shorter?: string,
): ToneWish {
  const strong = what === 'replaced' || what === 'removed' || what === 'gap'
  return {text, tone, strong, priority: PRIORITY[what], places, ...(shorter === undefined ? {} : {shorter})}
}

/** Beside a mark: right of it first, else left of it; on its own height, else a little above or below. */
export function beside(x0: number, x1: number, y: number, shifts: readonly number[] = [0]): readonly Place[] {
  return shifts.flatMap((shift): readonly Place[] => [
    {x: x1 + 6, end: 'left', y: y + shift},
    {x: x0 - 6, end: 'right', y: y + shift},
  ])
}
