import type {KeptProfile} from '../check-profile.ts'
import type {Effect, WatchedSource} from '../point.ts'

/** What a patient watches, over all its lives. */
export interface Server {
  readonly source: WatchedSource
  /** After each death: what of it is not as this server sent it, in words. */
  readonly examine: (kept: KeptProfile, effects: readonly Effect[], callbacks: boolean) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}
