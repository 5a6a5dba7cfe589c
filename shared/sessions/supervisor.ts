import type {EpochMs} from '../base/units.ts'

/** The public process of a daemon, as it names itself. Another one resets nothing. (Prime note, section 3.) */
export interface Supervisor {
  readonly generation: string
  /** When it was first met. */
  readonly metAt: EpochMs
  /** When the one before it was last heard; absent where none was known. Somewhere between the two it was replaced. */
  readonly after?: EpochMs
}
