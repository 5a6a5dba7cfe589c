import type {Interval} from '../../../shared/timeline/time-scale.ts'
import type {AnsweredRange} from './timeline-data.ts'

/** What is asked of the store: a window with room on both sides, so that a small pan needs no new question. */
export interface RangeQuestion {
  readonly from: number
  readonly to: number
  readonly columns: number
}

const MARGIN = 0.5
/** The contract takes at most this many. */
const MOST_COLUMNS = 4_000

export function questionFor(window: Interval, columns: number): RangeQuestion {
  const margin = (window.to - window.from) * MARGIN
  return {
    from: Math.floor(window.from - margin),
    to: Math.ceil(window.to + margin),
    columns: Math.min(Math.max(Math.ceil(columns * (1 + 2 * MARGIN)), 1), MOST_COLUMNS),
  }
}

/** What changed since a range was answered. */
export interface Since {
  /** Epoch ms. */
  readonly now: number
  /** The highest frame id known to be missing among live rows. */
  readonly lost: number
  /** A live row told less than it should, such as a move of more steps than it carries. */
  readonly incomplete: boolean
}

/** A window this much finer than what was asked for may get finer bins, or the frames themselves. */
const FINER = 2

/** Whether an answer and the live rows after it show the window as well as the store could. */
export function covers(answered: AnsweredRange, window: Interval, columns: number, since: Since): boolean {
  const {range, askedAt, newestFrame} = answered
  if (since.lost > newestFrame || since.incomplete) return false
  if (window.from < range.from) return false
  // Up to when it was asked, the answer knows; after that, live rows do. Between its end and then, nobody.
  if (Math.min(window.to, since.now) > range.to && range.to < askedAt) return false
  const msPerColumn = (window.to - window.from) / Math.max(columns, 1)
  const asked = (range.to - range.from) / Math.max(answered.columns, 1)
  return range.binMs === undefined || asked <= msPerColumn * FINER
}
