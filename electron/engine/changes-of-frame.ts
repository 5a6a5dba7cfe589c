import type {EpochMs} from '../../shared/base/units.ts'
import type {Settlement} from '../../shared/callbacks/held.ts'
import type {Frame, FrameProblem} from '../../shared/frames/frame.ts'
import type {Change} from '../../shared/history/change.ts'
import type {GapOutcome, JournaledFrame} from '../../shared/history/fact.ts'
import type {NumberingDecision} from '../../shared/history/numbering.ts'
import type {Position} from '../../shared/position/position.ts'

/** The move of the cursor that a settled frame makes, if it makes one. */
export function movedBy(frame: JournaledFrame, settlement: Settlement, at: EpochMs): Change[] {
  const {steps, cause} = settlement
  return steps.length === 0
    ? []
    : [{kind: 'cursorMoved', move: {source: frame.source, at, cause, frame: frame.id, steps}}]
}

/** The ledger's row of a gap, as it stands with this outcome. */
export function gapOf(
  delivery: {readonly journaled: JournaledFrame; readonly frame: Frame},
  settlement: Settlement,
  outcome: GapOutcome | undefined,
  appliedAt?: EpochMs,
): Change[] {
  const {frame, journaled} = delivery
  const plan = settlement.gap
  if (frame.kind !== 'gap' || plan === undefined || outcome === undefined) return []
  const {before, after, wentBack, removed, cursorReset} = plan
  const gap = {
    frame: journaled.id,
    source: journaled.source,
    receivedAt: journaled.receivedAt,
    outcome,
    said: frame.said,
    before,
    after,
    wentBack,
    removed,
    ...(cursorReset === undefined ? {} : {cursorReset}),
    ...(appliedAt === undefined ? {} : {appliedAt}),
  }
  return [{kind: 'gapRecorded', gap}]
}

/** The ledger's row of a gap that is done. It was applied only where it moved something. */
export function appliedGap(
  delivery: {readonly journaled: JournaledFrame; readonly frame: Frame},
  settlement: Settlement,
  at: EpochMs,
): Change[] {
  return gapOf(delivery, settlement, settlement.gap?.outcome, settlement.steps.length === 0 ? undefined : at)
}

/** What the cursor of a settled frame tells of generations, and of numbers never seen. */
export function cursorFacts(
  {id: frame, source, receivedAt}: JournaledFrame,
  {cursor}: Settlement,
  at: EpochMs,
): Change[] {
  if (cursor === undefined) return []
  const {seen, retired, resumed, hole, taken} = cursor
  return [
    ...retired.map((generation): Change => ({kind: 'generationRetired', source, generation, at})),
    ...(taken === undefined ? [] : [decided({id: frame, source, receivedAt}, {decision: 'taken', ...taken}, at)]),
    ...resumed.map((generation): Change => ({kind: 'generationResumed', source, generation})),
    ...(seen === undefined ? [] : [{kind: 'generationSeen', seen: {source, at: receivedAt, ...seen}} as const]),
    ...(hole === undefined ? [] : [{kind: 'holeSeen', hole: {frame, source, receivedAt, ...hole}} as const]),
  ]
}

/** The ledger's row of a numbering that began anew with this frame. */
export function decided(
  {id: frame, source, receivedAt}: Pick<JournaledFrame, 'id' | 'source' | 'receivedAt'>,
  told: Pick<NumberingDecision, 'decision' | 'held' | 'offered'>,
  decidedAt: EpochMs,
): Change {
  return {kind: 'numberingDecided', numbering: {frame, source, receivedAt, decidedAt, ...told}}
}

/** A frame that could not be understood: kept with its bytes, moving nothing. A gap among them stands in the ledger too. */
export function malformedChanges(frame: JournaledFrame, problem: FrameProblem, held: Position): Change[] {
  const changes: Change[] = [{kind: 'frameJournaled', frame, outcome: 'malformed', attempt: 0}]
  if (problem.kind !== 'badGap') return changes
  const {id, source, receivedAt} = frame
  const nothingMoved = {before: held, after: held, wentBack: [], removed: []}
  changes.push({
    kind: 'gapRecorded',
    gap: {frame: id, source, receivedAt, outcome: 'malformed', said: problem.said, ...nothingMoved},
  })
  return changes
}
