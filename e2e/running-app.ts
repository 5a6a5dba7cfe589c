import type {Page} from '@playwright/test'
import type {Transport} from '../shared/contract/client.ts'

/** A Tidemark in a process of its own, in whatever way its screens are shown. */
export interface RunningApp {
  /** Of its first screen. In host mode with the token in its fragment. */
  readonly url: string
  /** Where its screens are. */
  readonly page: Page
  /** A request as any screen would make it. */
  readonly request: Transport['request']
  /** As its user ends it: Ctrl-C in host mode, quitting in the desktop app. Throws where it does not end. */
  readonly stop: () => Promise<void>
  /** As a crash ends it: kill -9. */
  readonly kill: () => Promise<void>
}
