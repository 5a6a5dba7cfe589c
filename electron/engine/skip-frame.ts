import {heldAfter} from '../../shared/callbacks/held.ts'
import {settlementOf} from '../../shared/callbacks/settlement.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId, Move} from '../../shared/history/fact.ts'
import {owedTo} from './acknowledge.ts'
import {cursorFacts, gapOf} from './changes-of-frame.ts'
import type {Clock} from './clock.ts'
import type {SourceRun} from './source-run.ts'

export interface SkipDeps {
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
}

/**
 * Steps over the frame that holds a source, on the user's word, which is kept as the cause of the move. A rejected frame's
 * update is applied without its callback; a malformed one moves nothing and is passed over where it comes again.
 */
export async function skipHeldFrame(run: SourceRun, reason: string, deps: SkipDeps): Promise<void> {
  const [leftover] = run.leftovers
  const {state} = run // it may be another one when the disk answers
  if (state.kind !== 'held') return
  if (leftover !== undefined && leftover.journaled.id === state.frame) return skipRejected(run, reason, deps)
  const malformed = run.lastMalformed
  const at = deps.clock.now()
  const source = run.record.id
  await deps.commit(skipped(source, state.frame, reason, {at, cause: 'skipped', attempt: 0, steps: []}))
  // After a restart the frame is only known by its row: the next one that is malformed here is then the one that was meant.
  if (malformed?.frame === state.frame) run.passOver.add(malformed.identity)
  else run.passNextMalformed = true
  run.malformedInARow = 0
}

async function skipRejected(run: SourceRun, reason: string, deps: SkipDeps): Promise<void> {
  const [leftover, ...others] = run.leftovers
  if (leftover === undefined) return
  const settlement = settlementOf(run.held, leftover.frame)
  const at = deps.clock.now()
  const {steps} = settlement
  // The first frame of a numbering that the user took: that it was taken is what moved the cursor back.
  const cause = settlement.cause === 'numberingTaken' ? settlement.cause : 'skipped'
  await deps.commit([
    ...owedTo(leftover),
    ...skipped(run.record.id, leftover.journaled.id, reason, {at, cause, attempt: leftover.attempts, steps}),
    ...gapOf(leftover, settlement, 'skipped', steps.length === 0 ? undefined : at),
    ...cursorFacts(leftover.journaled, settlement, at),
  ])
  run.held = heldAfter(run.held, settlement)
  run.leftovers = others
  run.backlog?.skipped(leftover.journaled.id)
}

type Skip = Pick<Move, 'at' | 'cause' | 'steps'> & {readonly attempt: number}

function skipped(
  source: SourceRun['record']['id'],
  frame: FrameId,
  reason: string,
  {at, cause, attempt, steps}: Skip,
): Change[] {
  return [
    {kind: 'frameSettled', frame, source, outcome: 'skipped', attempt, at},
    {kind: 'cursorMoved', move: {source, at, cause, frame, steps, reason}},
  ]
}
