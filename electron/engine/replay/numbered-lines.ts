import type {Cursor, Generation} from '../../../shared/cursor/cursor.ts'
import type {Admission, Unseen} from '../../../shared/cursor/lane.ts'
import type {FrameProblem} from '../../../shared/frames/frame.ts'

/*
 * The lines of `tidemark replay --protocol numbered`: the order of their fields is the order in which they are printed, and
 * what does not apply is absent.
 */

export interface NumberedFrameLine extends Unseen {
  readonly fact: 'frame'
  readonly n: number
  /** Absent where the file does not tell connections apart. */
  readonly conn?: string
  /** Its type; empty where it has none that can be read. */
  readonly event: string
  /** A numbering that begins anew is `stale` where it is not taken. */
  readonly outcome: 'handled' | 'discarded' | 'control' | 'malformed' | 'duplicate' | 'stale'
  readonly problem?: FrameProblem['kind']
  readonly generation?: Generation
  readonly sequence?: number
  readonly decision?: Admission['decision']
  /** Present where the numbering that it begins was taken, as asked. */
  readonly taken?: true
  /** What is held after it. */
  readonly cursor?: Cursor
}

/** One generation, as far as its events were admitted. Of a numbering that was taken, the same number is another one. */
export interface NumberedGenerationLine {
  readonly generation: Generation
  readonly first: number
  readonly last: number
  readonly events: number
}

export interface NumberedCounts {
  readonly frames: number
  readonly handled: number
  readonly discarded: number
  readonly control: number
  readonly malformed: number
  readonly duplicates: number
  /** Numberings that began anew and were not taken, too. */
  readonly stale: number
  /** Numberings that began anew, taken or not. */
  readonly resets: number
  readonly holes: number
  /** Numbers, as far as they are known to exist. */
  readonly notSeen: number
  readonly generationsNotSeen: number
}

export interface NumberedEndLine extends NumberedCounts {
  readonly fact: 'end'
  readonly cursor?: Cursor
  readonly generations: readonly NumberedGenerationLine[]
}

export type NumberedLine = NumberedFrameLine | NumberedEndLine

export const NOTHING_COUNTED: NumberedCounts = {
  frames: 0,
  handled: 0,
  discarded: 0,
  control: 0,
  malformed: 0,
  duplicates: 0,
  stale: 0,
  resets: 0,
  holes: 0,
  notSeen: 0,
  generationsNotSeen: 0,
}

export function countLine(counts: NumberedCounts, line: NumberedFrameLine): NumberedCounts {
  const {outcome, decision, missing = 0, missingGenerations = 0} = line
  const counter = outcome === 'duplicate' ? 'duplicates' : outcome
  return {
    ...counts,
    frames: counts.frames + 1,
    [counter]: counts[counter] + 1,
    resets: counts.resets + (decision === 'numberingReset' ? 1 : 0),
    holes: counts.holes + (missing + missingGenerations > 0 ? 1 : 0),
    notSeen: counts.notSeen + missing,
    generationsNotSeen: counts.generationsNotSeen + missingGenerations,
  }
}

/** Counts the event of an admitted line. The list grows in place: a stream may have a generation for each of its events. */
export function countGeneration(
  rows: Writable<NumberedGenerationLine>[],
  {outcome, generation, sequence, decision}: NumberedFrameLine,
): void {
  if (outcome !== 'handled' && outcome !== 'discarded') return
  if (generation === undefined || sequence === undefined) return
  const last = rows.at(-1)
  if (last === undefined || last.generation !== generation || decision === 'numberingReset') {
    rows.push({generation, first: sequence, last: sequence, events: 1})
    return
  }
  last.last = sequence
  last.events += 1
}

type Writable<Line> = {-readonly [Name in keyof Line]: Line[Name]}
