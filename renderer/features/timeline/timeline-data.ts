import type {TimelineRange} from '../../../shared/contract/contract.ts'
import type {ActivityRow, AttemptRow, ConnectionRow, FrameRow, GapRow, HoleRow} from '../../../shared/contract/rows.ts'
import {type FrameStep, type StepLine, stepsInOrder} from '../../../shared/timeline/step-line.ts'

/** What is known of one source over a range of time: the store's answer, and what came since. */
export interface TimelineData {
  /** By coordinate, `s` among them where it is held. */
  readonly lines: ReadonlyMap<string, StepLine>
  /** In the order of journaling. */
  readonly frames: readonly FrameRow[]
  /** Frames that were only counted, each bin `binMs` wide from `at`. */
  readonly bins: TimelineRange['bins']
  readonly binMs: number | undefined
  /** Of what was received before it, the frames were deleted by retention; lines and counts are left. */
  readonly detailsFrom: number | undefined
  readonly attempts: readonly AttemptRow[]
  readonly gaps: readonly GapRow[]
  /** Numbers never seen, in the order in which they showed. */
  readonly holes: readonly HoleRow[]
  /** What the watched agent did that lasts, by the frame that told of it first. */
  readonly activities: readonly ActivityRow[]
  /** By time. */
  readonly connections: readonly ConnectionRow[]
}

/** An answer to `timeline.range`, with what tells how far it can be trusted beside live rows. */
export interface AnsweredRange {
  readonly range: TimelineRange
  /** The engine's clock when it was asked, epoch ms: what happened later is not in it. */
  readonly askedAt: number
  /** How many columns it was asked for. */
  readonly columns: number
  /** The newest frame this screen had seen when it asked; -1 for none. */
  readonly newestFrame: number
}

/** Rows of the same source that came as changes, each in its own order. */
export interface LiveRows {
  readonly frames: readonly FrameRow[]
  readonly attempts: readonly AttemptRow[]
  readonly gaps: readonly GapRow[]
  readonly holes: readonly HoleRow[]
  readonly activities: readonly ActivityRow[]
  readonly connections: readonly ConnectionRow[]
}

export const NO_LIVE_ROWS: LiveRows = {
  frames: [],
  attempts: [],
  gaps: [],
  holes: [],
  activities: [],
  connections: [],
}

/** Rows that came as changes are newer than the answer's of the same identity, and take their place. */
export function mergeTimeline(answered: AnsweredRange | undefined, live: LiveRows): TimelineData {
  const range = answered?.range
  const frames = joinRows(range?.frames ?? [], liveFrames(answered, live.frames), ({id}) => id)
  const gaps = joinRows(range?.gaps ?? [], live.gaps, ({frame}) => frame)
  return {
    lines: joinLines(answered, live.frames, new Map(gaps.map((gap) => [gap.frame, gap]))),
    frames: frames.sort((a, b) => a.id - b.id),
    bins: range?.bins ?? [],
    binMs: range?.binMs,
    detailsFrom: range?.detailsFrom,
    attempts: joinRows(range?.attempts ?? [], live.attempts, ({frame, n}) => `${frame}/${n}`),
    gaps: gaps.sort((a, b) => a.frame - b.frame),
    holes: inOrder(joinRows(range?.holes ?? [], live.holes, ({frame}) => frame)),
    activities: inOrder(joinRows(range?.activities ?? [], live.activities, ({frame}) => frame)),
    connections: joinConnections(range?.connections ?? [], liveConnections(answered, live.connections)),
  }
}

/** Nothing of an ordinary outcome is lost in a bin; everything else is drawn on its own at any zoom. */
export function isOrdinary(frame: FrameRow): boolean {
  return frame.kind !== 'gap' && frame.numbering === undefined && ORDINARY.has(frame.outcome)
}

const ORDINARY: ReadonlySet<FrameRow['outcome']> = new Set(['handled', 'discarded', 'control', 'duplicate', 'stale'])

/** Ordinary frames that a binned answer has already counted stay out. */
function liveFrames(answered: AnsweredRange | undefined, frames: readonly FrameRow[]): readonly FrameRow[] {
  if (answered?.range.binMs === undefined) return frames
  return frames.filter((frame) => frame.id > answered.newestFrame || !isOrdinary(frame))
}

/** Where the answer ends before it was asked, what came between is not known, and later states would seem to follow at once. */
function liveConnections(
  answered: AnsweredRange | undefined,
  rows: readonly ConnectionRow[],
): readonly ConnectionRow[] {
  if (answered === undefined || answered.range.to >= answered.askedAt) return rows
  return rows.filter(({at}) => at <= answered.range.to)
}

function inOrder<Row extends {readonly frame: number}>(rows: Row[]): readonly Row[] {
  return rows.sort((a, b) => a.frame - b.frame)
}

function joinRows<Row>(older: readonly Row[], newer: readonly Row[], identity: (row: Row) => string | number): Row[] {
  const rows = new Map<string | number, Row>()
  for (const row of older) rows.set(identity(row), row)
  for (const row of newer) rows.set(identity(row), row)
  return [...rows.values()]
}

function joinConnections(older: readonly ConnectionRow[], newer: readonly ConnectionRow[]): readonly ConnectionRow[] {
  const rows = joinRows(older, newer, ({at, state, heartbeat, attempt}) => `${at}/${state}/${heartbeat}/${attempt}`)
  return rows.sort((a, b) => a.at - b.at)
}

function joinLines(
  answered: AnsweredRange | undefined,
  frames: readonly FrameRow[],
  gaps: ReadonlyMap<number, GapRow>,
): ReadonlyMap<string, StepLine> {
  const starts = new Map<string, number | undefined>()
  const steps = new Map<string, FrameStep[]>()
  for (const lane of answered?.range.lanes ?? []) {
    starts.set(lane.lane, lane.start)
    steps.set(
      lane.lane,
      lane.steps.map(({at, value, frame}) => ({at, value: value ?? undefined, frame})),
    )
  }
  const fresh = freshSteps(answered, steps)
  for (const frame of frames) {
    const at = frame.settledAt ?? frame.receivedAt
    for (const [key, before, after] of stepsOf(frame, gaps.get(frame.id))) {
      if (!fresh(key, frame.id, at)) continue
      const list = steps.get(key) ?? []
      if (list.length === 0) steps.set(key, list)
      if (list.length === 0 && !starts.has(key)) starts.set(key, before ?? undefined)
      list.push({at, value: after ?? undefined, frame: frame.id})
    }
  }
  return new Map([...steps].map(([key, list]) => [key, {start: starts.get(key), steps: stepsInOrder(list)}]))
}

/** How far the clocks of screen and engine may be apart, with what is under way between them. */
const OVERLAP_MS = 1_000

/**
 * Whether a live step adds to the answer. An exact answer names the frame of each step; a binned one has the last value of
 * each bin, which a step that is also in it only repeats.
 */
function freshSteps(answered: AnsweredRange | undefined, steps: ReadonlyMap<string, readonly FrameStep[]>) {
  if (answered?.range.binMs !== undefined) {
    const since = answered.askedAt - OVERLAP_MS
    return (_key: string, frame: number, at: number) => at > since || frame > answered.newestFrame
  }
  const known = new Map([...steps].map(([key, list]) => [key, new Set(list.map(({frame}) => frame))]))
  return (key: string, frame: number, _at: number) => known.get(key)?.has(frame) !== true
}

type StepTriple = readonly [key: string, before: number | null, after: number | null]

/** A row carries at most 8 steps; a gap's own before and after tell the others. */
function stepsOf(frame: FrameRow, gap: GapRow | undefined): readonly StepTriple[] {
  const steps = frame.cause === undefined ? [] : (frame.steps ?? [])
  return gap !== undefined && hasMoreSteps(frame) ? gapSteps(gap) : steps
}

/** True where the row names fewer steps than the move made. */
export function hasMoreSteps(frame: FrameRow): boolean {
  return (frame.stepCount ?? 0) > (frame.steps?.length ?? 0)
}

/** The coordinates a gap changed: `null` where one was not held before, or is removed. */
export function gapSteps(gap: GapRow): readonly StepTriple[] {
  const [before, after] = [new Map(gap.before), new Map(gap.after)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key): StepTriple => [key, before.get(key) ?? null, after.get(key) ?? null])
    .filter(([, was, is]) => was !== is)
}
