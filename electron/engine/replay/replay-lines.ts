import type {FrameProblem, GapFrame, GapNotice} from '../../../shared/frames/frame.ts'
import type {GapPlan} from '../../../shared/position/gap-plan.ts'
import {type Position, positionToJson} from '../../../shared/position/position.ts'

/*
 * The lines of `tidemark replay --protocol switch`, as the replay contract says them: the order of their fields is the order
 * in which they are printed, and what does not apply is absent.
 */

type JsonPosition = {readonly [key: string]: number}

export type FrameOutcome = 'handled' | 'rejected' | 'discarded' | 'malformed' | 'control'

export interface FrameLine {
  readonly fact: 'frame'
  readonly n: number
  /** Empty where the frame was too long to be read. */
  readonly event: string
  readonly outcome: FrameOutcome
  /** Only on handled and rejected frames. */
  readonly attempt?: number
  /** Only where the position moved. */
  readonly cause?: 'handled' | 'discarded'
  /** The whole position after the frame. */
  readonly position: JsonPosition
}

export interface SaidLine {
  readonly from?: number
  readonly resumedAt?: number
  readonly position?: JsonPosition
  readonly rooms?: readonly string[]
  readonly allRooms?: boolean
  readonly reason?: string
}

export interface GapLine {
  readonly fact: 'gap'
  readonly n: number
  readonly outcome: GapPlan['outcome'] | 'rejected' | 'malformed'
  readonly said: SaidLine
  readonly before: JsonPosition
  readonly position: JsonPosition
  readonly cursorReset?: boolean
  readonly wentBack?: readonly string[]
  readonly removed?: readonly string[]
}

export interface ReplayCounts {
  readonly frames: number
  readonly handled: number
  /** Rejected gaps too. */
  readonly rejected: number
  readonly discarded: number
  /** Malformed gaps too. */
  readonly malformed: number
  readonly control: number
  /** Gaps whose fields were valid, rejected ones too. */
  readonly gaps: number
}

export interface EndLine extends ReplayCounts {
  readonly fact: 'end'
  readonly position: JsonPosition
  /** A callback was made to reject: a live source would have waited where this went on. */
  readonly hypothetical?: true
}

export type ReplayLine = FrameLine | GapLine | EndLine

export function frameLine(
  n: number,
  event: string,
  came: {readonly outcome: FrameOutcome; readonly attempt?: number; readonly moved?: boolean},
  position: Position,
): FrameLine {
  const {outcome, attempt, moved} = came
  return {
    fact: 'frame',
    n,
    event,
    outcome,
    ...(attempt === undefined ? {} : {attempt}),
    ...(moved && (outcome === 'handled' || outcome === 'discarded') ? {cause: outcome} : {}),
    position: positionToJson(position),
  }
}

/** A gap that was understood, and what it did or (rejected) would have done. */
export function gapLine(n: number, {said}: GapFrame, plan: GapPlan, rejected: boolean, after: Position): GapLine {
  const {outcome, before, cursorReset, wentBack, removed} = plan
  return {
    fact: 'gap',
    n,
    outcome: rejected ? 'rejected' : outcome,
    said: saidLine(said),
    before: positionToJson(before),
    position: positionToJson(after),
    ...(cursorReset === undefined ? {} : {cursorReset}),
    ...(wentBack.length === 0 ? {} : {wentBack}),
    ...(removed.length === 0 ? {} : {removed}),
  }
}

/** A gap with an invalid field is a gap line; whatever else could not be understood is a frame line. */
export function malformedLine(n: number, event: string, problem: FrameProblem, held: Position): FrameLine | GapLine {
  if (problem.kind !== 'badGap') return frameLine(n, event, {outcome: 'malformed'}, held)
  const position = positionToJson(held)
  return {fact: 'gap', n, outcome: 'malformed', said: saidLine(problem.said), before: position, position}
}

function saidLine({position, ...rest}: GapNotice): SaidLine {
  const {from, resumedAt, ...others} = rest
  return {
    ...(from === undefined ? {} : {from}),
    ...(resumedAt === undefined ? {} : {resumedAt}),
    ...(position === undefined ? {} : {position: positionToJson(position)}),
    ...others,
  }
}

/** What a finished line adds to the counts of the end line. */
export function counted(counts: ReplayCounts, line: FrameLine | GapLine): ReplayCounts {
  const more = {...counts, frames: counts.frames + 1}
  if (line.fact === 'frame') return {...more, [line.outcome]: counts[line.outcome] + 1}
  if (line.outcome === 'malformed') return {...more, malformed: counts.malformed + 1}
  return {...more, gaps: counts.gaps + 1, rejected: counts.rejected + (line.outcome === 'rejected' ? 1 : 0)}
}

export function endLine(counts: ReplayCounts, position: Position, hypothetical: boolean): EndLine {
  return {fact: 'end', position: positionToJson(position), ...counts, ...(hypothetical ? {hypothetical} : {})}
}
