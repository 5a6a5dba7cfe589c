import type {StoredSource} from '../../store/store.ts'
import type {SourceChange} from './durable-rules.ts'
import type {HandlerLists} from './handler-lists.ts'
import type {Vector} from './reading.ts'
import type {Run} from './runs.ts'
import type {Begun} from './turns.ts'

/** Watches the disk on behalf of one source, and holds it to the rules, whatever its wire. It knows nothing of how the engine does it. */
export interface Witness {
  readonly lifeOver: () => void
  /** The engine asks for these to be written. */
  readonly asked: (changes: readonly SourceChange[]) => void
  /** These are on the disk now. */
  readonly durable: (changes: readonly SourceChange[]) => void
  readonly abortedOpen: () => void
  readonly began: (begun: Begun) => Run
  readonly userSkips: (frame: number) => void
  /** What is held is to run again. */
  readonly userRetries: () => void
  readonly lists: HandlerLists
  readonly checkLoaded: (stored: StoredSource) => void
  readonly position: () => Vector
  readonly vectorSeen: () => boolean
  readonly unhandled: () => number
}
