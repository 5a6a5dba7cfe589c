import {type Cursor, isNumbered} from '../cursor/cursor.ts'
import {cursorOfPosition, laneOfCursor, laneOfGeneration, positionOfCursor} from '../cursor/cursor-position.ts'
import {type Admission, type Adoption, admit, adopt, type Judged, type Lane, take, type Unseen} from '../cursor/lane.ts'
import {type Retired, retiredBeyond} from '../cursor/retired.ts'
import type {SequencedFrame, SnapshotFrame} from '../frames/frame.ts'
import type {Outcome} from '../history/fact.ts'
import type {Hole} from '../history/hole.ts'
import type {NumberedCursor} from '../history/numbering.ts'
import {stepsFor} from '../position/position.ts'
import type {CursorFacts, Held, Settlement} from './held.ts'

/** An event waits for its callback where its number is new; a duplicate and a stale one are settled by their number alone. */
export function settleSequenced(held: Held, frame: SequencedFrame): Settlement {
  const settlement = frame.taken === true ? settleTaken(held, frame) : settleAdmitted(held, frame)
  if (settlement.outcome !== 'handled') return settlement
  if (frame.known) return {...settlement, callback: 'onEvent'}
  const {cause} = settlement
  return {...settlement, outcome: 'discarded', cause: cause === 'handled' ? 'discarded' : cause}
}

function settleAdmitted(held: Held, frame: SequencedFrame): Settlement {
  return settle(held, frame, admit(laneHeld(held), frame.cursor, frame.newConnection), 'event')
}

/** It does not follow from the cursor that was held: only the user's word leads there. */
function settleTaken(held: Held, frame: SequencedFrame): Settlement {
  const lane = laneHeld(held)
  const settlement = settle(held, frame, take(lane, frame.cursor), 'event')
  const taken = anew(lane.held, frame.cursor)
  const {cursor} = settlement
  return {
    ...settlement,
    cause: 'numberingTaken',
    ...(cursor === undefined || taken === undefined ? {} : {cursor: {...cursor, taken}}),
  }
}

/** The two cursors between which the user decides where a numbering began anew. */
export function anew(held: Cursor | undefined, offered: Cursor): CursorFacts['taken'] {
  return held !== undefined && hasNumber(held) && hasNumber(offered) ? {held, offered} : undefined
}

function hasNumber(cursor: Cursor): cursor is NumberedCursor {
  return isNumbered(cursor.generation)
}

/** A baseline is adopted for a cause of its own, without a callback: it tells of no event. */
export function settleSnapshot(held: Held, frame: SnapshotFrame): Settlement {
  const settlement = settle(held, frame, adopt(laneHeld(held), frame.cursor, frame.newConnection), 'snapshot')
  return {...settlement, cause: 'snapshotAdopted'}
}

/** What is held, as the lane that the next cursor is judged from. */
export function laneHeld({position, retired}: Held): Lane {
  const held = cursorOfPosition(position)
  return held === undefined ? {retired} : {held, retired}
}

function settle(
  held: Held,
  frame: SequencedFrame | SnapshotFrame,
  {verdict, lane}: Judged<Admission | Adoption>,
  by: Hole['by'],
): Settlement {
  const {cursor} = frame
  const outcome = outcomeOf(verdict)
  const moves = outcome === 'handled' && verdict.decision !== 'unchanged'
  const seenBy = outcome === 'stale' ? 'stale' : by
  const hole = 'missing' in verdict || 'missingGenerations' in verdict ? holeOf(held, frame, verdict, by) : undefined
  return {
    outcome,
    cause: 'handled',
    steps: moves ? stepsFor(held.position, false, {kind: 'replacement', resumed: positionOfCursor(cursor)}) : [],
    place: {lane: laneOfCursor(cursor), sequence: cursor.sequence},
    vectorSeen: held.vectorSeen,
    cursor: {
      ...(moves || seenBy === 'stale'
        ? {seen: {lane: laneOfGeneration(cursor.generation), sequence: cursor.sequence, by: seenBy}}
        : {}),
      ...leftAndResumed(held.retired, lane.retired),
      ...(hole === undefined ? {} : {hole}),
      numberingReset: verdict.decision === 'numberingReset',
    },
    retired: lane.retired,
  }
}

function leftAndResumed(before: Retired, after: Retired): Pick<CursorFacts, 'retired' | 'resumed'> {
  if (before === after) return {retired: [], resumed: []}
  return {retired: retiredBeyond(after, before), resumed: retiredBeyond(before, after)}
}

function outcomeOf({decision}: Admission | Adoption): Outcome {
  if (decision === 'duplicate' || decision === 'stale') return decision
  return decision === 'numberingReset' ? 'pending' : 'handled'
}

function holeOf(
  held: Held,
  frame: SequencedFrame | SnapshotFrame,
  unseen: Unseen,
  by: Hole['by'],
): CursorFacts['hole'] {
  const {cursor} = frame
  const before = cursorOfPosition(held.position)
  const said = frame.kind === 'snapshot' ? {purpose: frame.purpose, ...saidOf(frame)} : {}
  return {
    by,
    ...said,
    lane: laneOfGeneration(cursor.generation),
    ...placeBefore(before, cursor),
    upTo: cursor.sequence,
    missing: unseen.missing ?? 0,
    ...(unseen.missingGenerations === undefined ? {} : {missingGenerations: unseen.missingGenerations}),
  }
}

function saidOf({said}: SnapshotFrame): {readonly said?: string} {
  return said === undefined ? {} : {said}
}

/** In the same generation the number before the hole; in another one, what came after the last number of the former is not known. */
function placeBefore(before: Cursor | undefined, {generation}: Cursor): Pick<Hole, 'after' | 'tailOf'> {
  if (before === undefined) return {}
  return before.generation === generation ? {after: before.sequence} : {tailOf: laneOfGeneration(before.generation)}
}
