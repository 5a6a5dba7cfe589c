import type {FrameDetail} from '../contract/contract.ts'
import type {FrameRow, HoleRow} from '../contract/rows.ts'
import {GENERATION, isCursorLane} from '../cursor/cursor-position.ts'
import type {StateWords} from './name-state.ts'

type Judged = Pick<FrameRow, 'kind' | 'lane' | 'outcome' | 'cause'>

/** What the number of a frame meant to the cursor held before it. `undefined`: it has no number, or nothing was decided on it. */
export function nameDecision(
  {kind, lane, outcome, cause}: Judged,
  steps: FrameDetail['steps'],
  hole: HoleRow | undefined,
): StateWords | undefined {
  if (lane === undefined || !isCursorLane(lane)) return undefined
  if (cause === 'numberingTaken')
    return {
      word: 'first of a new numbering',
      meaning: 'It lies below the cursor that was held. The order begins anew with it, because the user took it.',
    }
  if (cause === 'numberingKept')
    return {
      word: 'not taken',
      meaning:
        'It would have begun a new numbering below the cursor that was held. The user kept the old one, in which it is stale.',
    }
  switch (outcome) {
    case 'duplicate':
      return {
        word: 'duplicate',
        meaning: 'Its number is not above the one that was held in this generation. It was ignored.',
      }
    case 'stale':
      return {word: 'stale', meaning: 'Its generation had been left before, or is a lower one. It was ignored.'}
    case 'pending':
    case 'rejected':
      return {word: 'not settled', meaning: 'It has not been handled, so the cursor does not stand on it.'}
    case 'handled':
    case 'discarded':
    case 'skipped':
      return kind === 'snapshot' ? adoption(steps, hole) : admission(steps, hole)
    case 'malformed':
    case 'control':
      return undefined
  }
}

/** What came of a snapshot, in one word. */
export const ADOPTED: StateWords = {word: 'adopted', meaning: 'Its cursor was taken as the baseline.'}
export const NOTHING_NEW: StateWords = {
  word: 'nothing new',
  meaning: 'Its cursor is not ahead of the one held, so nothing moved.',
}

function adoption(steps: FrameDetail['steps'], hole: HoleRow | undefined): StateWords {
  if (steps.length === 0) return NOTHING_NEW
  const skipped =
    hole === undefined ? '' : ' What lies between is in the snapshot, if anywhere, and was not seen as events.'
  if (entersGeneration(steps))
    return {
      word: 'adopted, in another generation',
      meaning: `Its cursor was taken as the baseline, and the generation held before is over.${skipped}`,
    }
  return {...ADOPTED, meaning: `${ADOPTED.meaning}${skipped}`}
}

function admission(steps: FrameDetail['steps'], hole: HoleRow | undefined): StateWords | undefined {
  if (steps.length === 0) return undefined
  const [, before = null, after = null] = steps.find(([key]) => key === GENERATION) ?? []
  if (before !== null && after !== null) return numberedBoundary(before, after)
  if (entersGeneration(steps))
    return {
      word: 'new generation',
      meaning:
        'It is of another generation than the one held, which is over. Numbers of opaque generations have no order between them.',
    }
  if (steps.some(([key, before]) => isCursorLane(key) && before === null))
    return {word: 'first', meaning: 'Nothing was held before it.'}
  if (hole !== undefined) return {word: 'after a hole', meaning: 'Its number is further on than the next one.'}
  return {word: 'next', meaning: 'Its number follows the one that was held.'}
}

/** Numbered generations are one order; only a numbering that was taken goes back in it. */
function numberedBoundary(before: number, after: number): StateWords {
  return after > before
    ? {
        word: 'new generation',
        meaning: `It is of a higher generation than ${before}, which was held: the order goes on.`,
      }
    : {
        word: 'new numbering',
        meaning: `It is of a lower generation than ${before}, which was held: the order begins anew.`,
      }
}

/** One generation takes the place of another: an opaque one removes the former, a numbered one steps on. */
function entersGeneration(steps: FrameDetail['steps']): boolean {
  return steps.some(
    ([key, before, after]) => isCursorLane(key) && before !== null && (after === null || key === GENERATION),
  )
}
