import {epochMs} from '../../../shared/base/units.ts'
import {type Held, nothingHeld} from '../../../shared/callbacks/held.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import {NOWHERE, type Position, stepsFor} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Clock} from '../clock.ts'
import {createMemoryStore} from '../store/memory-store.ts'

/** Where a replay writes what it acknowledges. */
export interface ReplayTarget {
  readonly source: SourceId
  readonly held: Held
  readonly clock: Clock
  readonly nextFrameId: () => FrameId
  readonly commit: (changes: readonly Change[]) => Promise<void>
}

/** Keeps positions and what is unhandled, and forgets the rest: a file may be larger than the memory. */
export async function memoryTarget(position: Position): Promise<ReplayTarget> {
  const {commit} = createMemoryStore({history: false})
  const source = 'replay' as SourceId // a replay has one source, and no profile to name it in
  const steps = stepsFor(NOWHERE, false, {kind: 'replacement', resumed: position})
  await commit([{kind: 'cursorMoved', move: {source, at: NO_TIME.now(), cause: 'imported', steps}}])
  let id = 0
  const nextFrameId = (): FrameId => {
    id += 1
    return id as FrameId // made here
  }
  return {source, held: {...nothingHeld(), position}, clock: NO_TIME, nextFrameId, commit}
}

/** A file has no arrival times of its own, and a replay takes none. */
const NO_TIME: Clock = {
  now: () => epochMs(0),
  monotonic: () => 0,
  wait: () => Promise.resolve(),
  random: () => 0,
  uuid: () => '',
}
