import type {FrameId} from '../../../shared/history/fact.ts'
import {type Ending, type SourceInput, type SourceState, step} from '../../../shared/source/source-machine.ts'
import type {SourceRun} from '../source-run.ts'
import type {WatchDeps} from '../watch-source.ts'

/**
 * The state of a source that reads on while a frame is held. What the connection does meanwhile is kept here, and is the
 * source's state again once the user has decided.
 */
export interface Overlay {
  /** How the connection stands, held or not. */
  readonly connection: () => SourceState
  readonly enter: (input: SourceInput) => Promise<void>
  readonly hold: (because: Ending, frame: FrameId) => Promise<void>
  readonly release: () => Promise<void>
}

export function createOverlay(run: SourceRun, {enter}: Pick<WatchDeps, 'enter'>): Overlay {
  let connection: SourceState = run.state.kind === 'held' ? {kind: 'stopped', because: {kind: 'notStarted'}} : run.state
  return {
    connection: () => connection,
    async enter(input) {
      connection = step(connection, input)
      if (run.state.kind !== 'held') await enter(input)
    },
    async hold(because, frame) {
      await enter({kind: 'held', because, frame})
    },
    async release() {
      await enter({kind: 'released', into: connection})
    },
  }
}
