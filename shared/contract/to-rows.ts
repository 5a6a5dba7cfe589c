import {cutName} from '../frames/summary.ts'
import {withoutOutput} from '../handlers/handler-run.ts'
import type {Activity} from '../history/activity.ts'
import type {Attempt, ConnectionFact, Gap, JournaledFrame, Move, Outcome} from '../history/fact.ts'
import type {Hole} from '../history/hole.ts'
import type {NumberingDecision} from '../history/numbering.ts'
import {type CoordinateKey, OWN, ownFirst, type Position, type Step} from '../position/position.ts'
import type {ActivityRow, AttemptRow, ConnectionRow, FrameRow, GapRow, HoleRow, NumberingRow} from './rows.ts'

/** A row shows this many steps; the inspector asks for all of them. */
export const STEPS_SHOWN = 8
/** A gap's positions are cut to `s` and so many of those that changed where they are larger than this. */
const WHOLE_POSITION_UP_TO = 1_000

export function frameRowOf(frame: JournaledFrame, outcome: Outcome, attempt: number): FrameRow {
  return {
    id: frame.id,
    source: frame.source,
    receivedAt: frame.receivedAt,
    kind: frame.kind,
    event: cutName(frame.event),
    ...(frame.lane === undefined ? {} : {lane: frame.lane}),
    ...(frame.sequence === undefined ? {} : {sequence: frame.sequence}),
    summary: frame.summary,
    outcome,
    attempt,
    size: frame.size,
    ...(frame.redelivers === undefined ? {} : {redelivers: frame.redelivers}),
  }
}

/** The row of a frame that moved the cursor. */
export function withMove(row: FrameRow, move: Move): FrameRow {
  const steps = move.steps.slice(0, STEPS_SHOWN).map(stepTripleOf)
  return {...row, cause: move.cause, steps, stepCount: move.steps.length}
}

/** The row of a frame with which a numbering began anew, once the user decided. */
export function withNumbering(row: FrameRow, {decision, held, offered}: NumberingDecision): FrameRow {
  return {...row, numbering: {decision, held, offered}}
}

export function numberingRowOf(decision: NumberingDecision): NumberingRow {
  return {...decision}
}

export function stepTripleOf({key, before, after}: Step): [string, number | null, number | null] {
  return [key, before ?? null, after ?? null]
}

/** With what handlers wrote, for whoever asked for this frame. */
export function wholeAttemptRowOf(attempt: Attempt): AttemptRow {
  return {...attempt}
}

export function holeRowOf(hole: Hole): HoleRow {
  return {...hole}
}

export function activityRowOf(activity: Activity): ActivityRow {
  return {...activity}
}

/** As it goes to every screen: what handlers wrote is asked for. */
export function attemptRowOf({runs, ...attempt}: Attempt): AttemptRow {
  return runs === undefined ? attempt : {...attempt, runs: runs.map(withoutOutput)}
}

export function connectionRowOf({source, at, state, heartbeat}: ConnectionFact): ConnectionRow {
  return {
    source,
    at,
    state: state.kind,
    heartbeat,
    ...('attempt' in state ? {attempt: state.attempt} : {}),
    ...('delayMs' in state ? {delayMs: state.delayMs} : {}),
    ...('because' in state ? {because: state.because} : {}),
    ...('frame' in state ? {frame: state.frame} : {}),
  }
}

/** As a screen is told it: large positions are cut. */
export function gapRowOf(gap: Gap): GapRow {
  const {before, after} = gap
  if (before.size + after.size <= 2 * WHOLE_POSITION_UP_TO) return wholeGapRowOf(gap)
  const keys = new Set([...before.keys(), ...after.keys()])
  return {...gapRowWith(gap, changedKeys(keys, before, after)), coordinatesTotal: keys.size}
}

/** With every coordinate, as the ledger keeps it. */
export function wholeGapRowOf(gap: Gap): GapRow {
  return gapRowWith(gap, undefined)
}

function gapRowWith(gap: Gap, shown: ReadonlySet<CoordinateKey> | undefined): GapRow {
  const {position, from, resumedAt, rooms, allRooms, reason} = gap.said
  return {
    frame: gap.frame,
    source: gap.source,
    receivedAt: gap.receivedAt,
    outcome: gap.outcome,
    said: {
      ...(from === undefined ? {} : {from}),
      ...(resumedAt === undefined ? {} : {resumedAt}),
      ...(position === undefined ? {} : {position: pairsOf(position, shown)}),
      ...(rooms === undefined ? {} : {rooms}),
      ...(allRooms === undefined ? {} : {allRooms}),
      ...(reason === undefined ? {} : {reason}),
    },
    before: pairsOf(gap.before, shown),
    after: pairsOf(gap.after, shown),
    ...(gap.cursorReset === undefined ? {} : {cursorReset: gap.cursorReset}),
    wentBack: gap.wentBack,
    removed: gap.removed,
    ...(gap.appliedAt === undefined ? {} : {appliedAt: gap.appliedAt}),
  }
}

/** Pairs with `s` first, the rest sorted; only of the keys shown, where those are given. */
export function pairsOf(position: Position, shown?: ReadonlySet<CoordinateKey>): [string, number][] {
  const pairs = [...position].filter(([key]) => shown === undefined || shown.has(key))
  return pairs.sort(([a], [b]) => ownFirst(a, b))
}

function changedKeys(keys: ReadonlySet<CoordinateKey>, before: Position, after: Position): ReadonlySet<CoordinateKey> {
  const changed = [...keys].filter((key) => before.get(key) !== after.get(key))
  return new Set([OWN, ...changed.slice(0, WHOLE_POSITION_UP_TO)])
}
