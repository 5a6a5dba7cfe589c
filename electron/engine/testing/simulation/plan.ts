import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {PrimeAction} from '../../../demo/prime/scenario.ts'
import type {Action, Numbers, Retention, Revision} from '../../../demo/scenario.ts'
import type {Tag} from './schedule.ts'

/** Everything that is decided before a world begins. The rest is thrown as it goes, each part of the world with its own dice. */
export interface Plan {
  readonly seed: number
  readonly sources: readonly SourcePlan[]
  readonly items: readonly Item[]
  readonly weather: Weather
  /** From then on nothing goes wrong any more, and everything must catch up. Ms since the world began. */
  readonly calmAt: number
}

export type SourcePlan = SwitchPlan | PrimePlan

/** A session of a daemon of its own. */
export interface PrimePlan {
  readonly wire: 'prime'
  readonly name: string
  readonly handlers: readonly Handler[]
  /** Messages from before. */
  readonly transcript: number
}

export interface SwitchPlan {
  readonly wire: 'switch'
  readonly name: string
  readonly hasCallbacks: boolean
  /** The user's, when it begins. */
  readonly handlers: readonly Handler[]
  readonly revision: Revision
  readonly start: Numbers
  readonly retain: Partial<Retention>
  readonly startsAtHead: boolean
  /** Its first connection id belongs to another agent. */
  readonly hasForeignId: boolean
}

/** One thing that happens. `at` in ms since the world began. */
export type Item =
  | {readonly at: number; readonly kind: 'server'; readonly source: string; readonly act: Action}
  | {readonly at: number; readonly kind: 'daemon'; readonly source: string; readonly act: PrimeAction}
  /** The daemon says an event again that it said earlier, maybe in another generation. */
  | {readonly at: number; readonly kind: 'late'; readonly source: string; readonly which: number}
  | {readonly at: number; readonly kind: 'handlers'; readonly source: string; readonly handlers: readonly Handler[]}
  | {readonly at: number; readonly kind: 'user'; readonly source: string; readonly does: UserAct}
  | {
      readonly at: number
      readonly kind: 'restart'
      readonly how: RestartHow
      readonly moment: Moment
      readonly downMs: number
    }
  | {readonly at: number; readonly kind: 'disk'; readonly error: 'full' | 'io'; readonly forMs: number}
  /** The wall clock jumps. */
  | {readonly at: number; readonly kind: 'wall'; readonly byMs: number}
  /** The machine sleeps: the server's time goes on, ours does not. */
  | {readonly at: number; readonly kind: 'sleep'; readonly forMs: number}
  /** What is open breaks, or falls silent without an end. */
  | {readonly at: number; readonly kind: 'line'; readonly source: string; readonly how: 'break' | 'stall'}

/** `vanish`: no socket is closed, as when the power goes. */
export type RestartHow = 'kill' | 'vanish' | 'close'

/** The how manieth event of a tag after the item's time. */
export interface Moment {
  readonly tag: Tag | 'any'
  readonly skip: number
}

export type UserAct =
  | 'pause'
  | 'resume'
  | 'retry'
  | 'skip'
  | 'skipTwice'
  | 'retryAndSkip'
  | 'skipAndRetry'
  | 'newConnection'

/** How often things go wrong, in [0, 1], and how long they take. */
export interface Weather {
  /** Streams that break at a random byte. */
  readonly cuts: number
  /** Opens and beats that are lost, or whose answer is. */
  readonly losses: number
  /** Lists that the disk refuses. */
  readonly diskErrors: number
  /** Callbacks that reject, hang, or resolve late. */
  readonly callbackFaults: number
  /** The same of a gap's: rejected while all else goes well, it shows most. */
  readonly gapFaults: number
  readonly slowDisk: boolean
  readonly slowNet: boolean
  /** Timers that come late. */
  readonly lateTimers: number
}
