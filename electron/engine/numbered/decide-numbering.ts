import {anew, laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {owedTo} from '../acknowledge.ts'
import {decided} from '../changes-of-frame.ts'
import type {Clock} from '../clock.ts'
import type {SourceController} from '../source-controller.ts'
import type {SourceRun} from '../source-run.ts'
import type {FirstOfNumbering} from './new-numbering.ts'

/**
 * The user takes the new numbering: its first frame is handled like any other, and then the cursor is there. Should the
 * process end before that, nothing was taken, and the user is asked again.
 */
export function takeNumbering(run: SourceRun, first: FirstOfNumbering): void {
  run.leftovers = [{...first, frame: {...first.frame, taken: true}}]
  run.backlog = undefined
}

/** The user keeps the old numbering, also after taking the new one in vain: in it, what came is stale, and the word is kept beside it. The server is asked again. */
export async function keepNumbering(
  {run, commit}: Pick<SourceController, 'run' | 'commit'>,
  first: FirstOfNumbering,
  clock: Clock,
): Promise<void> {
  const {
    journaled,
    attempts,
    frame: {cursor},
  } = first
  const {id: frame, source} = journaled
  const at = clock.now()
  const between = anew(laneHeld(run.held).held, cursor)
  await commit([
    ...owedTo(first),
    {kind: 'frameSettled', frame, source, outcome: 'stale', attempt: attempts, at},
    {kind: 'cursorMoved', move: {source, at, cause: 'numberingKept', frame, steps: []}},
    ...(between === undefined ? [] : [decided(journaled, {decision: 'kept', ...between}, at)]),
  ])
  run.leftovers = []
  run.backlog = undefined
}
