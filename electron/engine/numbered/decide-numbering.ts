import type {SequencedFrame} from '../../../shared/frames/frame.ts'
import type {Clock} from '../clock.ts'
import type {Leftover} from '../leftover.ts'
import type {SourceController} from '../source-controller.ts'
import type {SourceRun} from '../source-run.ts'

/** The frame with which a numbering began anew, where the source is held for it. */
export function newNumbering(run: SourceRun): (Leftover & {readonly frame: SequencedFrame}) | undefined {
  const {state} = run
  if (state.kind !== 'held' || state.because.kind !== 'numberingReset') return undefined
  const found = run.leftovers.find(({journaled}) => journaled.id === state.frame)
  return found !== undefined && found.frame.kind === 'sequenced' ? {...found, frame: found.frame} : undefined
}

/**
 * The user takes the new numbering: its first frame is handled like any other, and then the cursor is there. Should the
 * process end before that, nothing was taken, and the user is asked again.
 */
export function takeNumbering(run: SourceRun, first: Leftover & {readonly frame: SequencedFrame}): void {
  run.leftovers = [{...first, frame: {...first.frame, taken: true}}]
  run.backlog = undefined
}

/** The user keeps the old numbering: in it, what came is stale, and the word is kept beside it. The server is asked again. */
export async function keepNumbering(
  {run, commit}: Pick<SourceController, 'run' | 'commit'>,
  {journaled, attempts}: Leftover,
  clock: Clock,
): Promise<void> {
  const {id: frame, source} = journaled
  const at = clock.now()
  await commit([
    {kind: 'frameSettled', frame, source, outcome: 'stale', attempt: attempts, at},
    {kind: 'cursorMoved', move: {source, at, cause: 'numberingKept', frame, steps: []}},
  ])
  run.leftovers = []
}
