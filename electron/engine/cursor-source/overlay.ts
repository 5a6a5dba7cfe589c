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

export function createOverlay(run: SourceRun, {enter, touched}: Pick<WatchDeps, 'enter' | 'touched'>): Overlay {
  // What is held from the start on is connected beneath like any other.
  let connection = run.state.kind === 'held' ? step(run.state, {kind: 'start'}) : run.state
  return {
    connection: () => connection,
    async enter(input) {
      connection = step(connection, input)
      if (run.state.kind !== 'held') return void (await enter(input))
      run.readsOn = connection.kind === 'live'
      touched()
    },
    async hold(because, frame) {
      run.readsOn = connection.kind === 'live'
      await enter({kind: 'held', because, frame})
    },
    async release() {
      run.readsOn = false
      await enter({kind: 'released', into: connection})
    },
  }
}
