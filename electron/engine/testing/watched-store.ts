import type {Change} from '../../../shared/history/change.ts'
import type {ConnectionFact, FrameId, JournaledFrame, Outcome} from '../../../shared/history/fact.ts'
import {type CoordinateKey, OWN, type Position, type Sequence, takeSteps} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Store} from '../store/store.ts'

/** What was durable of one frame, as told change by change. */
export interface TrackedFrame {
  readonly frame: JournaledFrame
  readonly outcomes: readonly Outcome[]
}

/** A store of a test's own choice, and what became durable in it, in order. For one source. */
export interface WatchedStore extends Store {
  /** Every change of every commit that resolved. */
  readonly changes: readonly Change[]
  readonly frames: ReadonlyMap<FrameId, TrackedFrame>
  /** The moves, folded. */
  readonly position: () => Position
  /** Of one source, where there are several. */
  readonly positionOf: (source: SourceId) => Position
  readonly own: () => number
  readonly connection: () => ConnectionFact | undefined
  readonly commits: () => number
}

export function watchStore(store: Store, held: Position = new Map()): WatchedStore {
  const changes: Change[] = []
  const frames = new Map<FrameId, TrackedFrame>()
  const position = new Map<CoordinateKey, Sequence>(held)
  const positions = new Map<SourceId, Map<CoordinateKey, Sequence>>()
  let connection: ConnectionFact | undefined
  let commits = 0

  const note = (change: Change): void => {
    changes.push(change)
    if (change.kind === 'cursorMoved') {
      const {source, steps} = change.move
      const own = positions.get(source) ?? new Map<CoordinateKey, Sequence>()
      positions.set(source, own)
      takeSteps(own, steps)
      takeSteps(position, steps)
    }
    if (change.kind === 'connectionChanged') connection = change.connection
    if (change.kind === 'frameJournaled') frames.set(change.frame.id, {frame: change.frame, outcomes: [change.outcome]})
    if (change.kind === 'frameSettled') {
      const tracked = frames.get(change.frame)
      if (tracked !== undefined) frames.set(change.frame, {...tracked, outcomes: [...tracked.outcomes, change.outcome]})
    }
  }
  return {
    ...store,
    async commit(more) {
      await store.commit(more)
      commits += 1
      for (const change of more) note(change)
    },
    changes,
    frames,
    position: () => position,
    positionOf: (source) => positions.get(source) ?? new Map(),
    own: () => position.get(OWN) ?? 0,
    connection: () => connection,
    commits: () => commits,
  }
}
