import type {Callbacks} from './callbacks.ts'
import type {SwitchTarget} from './switch/transport.ts'

/** How the engine reaches the built-in demo without knowing it: a server like any other, and callbacks that really delay and throw. */
export interface DemoPort {
  /** Starts the server of a scenario, or tells where it already runs. */
  readonly start: (scenario: string) => Promise<{readonly target: SwitchTarget; readonly callbacks: Callbacks}>
  readonly stop: () => Promise<void>
}
