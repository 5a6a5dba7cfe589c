import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {FutureChoice} from '../../../../shared/source/numbered.ts'
import type {NumberedAction} from '../../../demo/numbered/scenario.ts'
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

export type SourcePlan = SwitchPlan | PrimePlan | NumberedPlan

/** A session of a daemon of its own. */
export interface PrimePlan {
  readonly wire: 'prime'
  readonly name: string
  readonly handlers: readonly Handler[]
  /** Messages from before. */
  readonly transcript: number
}

/** A stream of the documented model, and its server. */
export interface NumberedPlan {
  readonly wire: 'numbered'
  readonly name: string
  readonly handlers: readonly Handler[]
  readonly over: 'socket' | 'sse' | 'file'
  /** Over events: the cursor is asked behind by a header, and not in the address. */
  readonly byHeader: boolean
  readonly future: FutureChoice
  /** The server is told that choice. */
  readonly saysFuture: boolean
  /** Where it is not. */
  readonly serverFuture: 'fail' | 'all'
  readonly cursorAt: string
  /** Over events: the cursor stands in their id alone, with this between its numbers. Absent: in the message, at `cursorAt`. */
  readonly idBetween?: ':' | '-' | '/'
  readonly typeAt: string
  readonly firstGeneration: number
}

export type NumberedAct =
  | Exclude<NumberedAction, {kind: 'restart'}>
  | {readonly kind: 'restart'; readonly store: 'kept'}
  /** The store is lost, and the process with it. */
  | {readonly kind: 'lose'; readonly firstGeneration: number; readonly inPlace: boolean}
  /** The store is an older copy, without so many of the last messages. A file is written anew in its place, or replaced. */
  | {readonly kind: 'backUp'; readonly without: number; readonly inPlace: boolean}
  /** The file is put aside, and goes on in another one. */
  | {readonly kind: 'rotate'}
  /** Nobody listens. */
  | {readonly kind: 'down'; readonly forMs: number}
  /** `failing`: it cannot serve now. `refusing`: it calls every cursor a bad one. */
  | {readonly kind: 'refuse'; readonly how: 'failing' | 'refusing'; readonly forMs: number}

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
  | {readonly at: number; readonly kind: 'numbered'; readonly source: string; readonly act: NumberedAct}
  | {readonly at: number; readonly kind: 'handlers'; readonly source: string; readonly handlers: readonly Handler[]}
  | {readonly at: number; readonly kind: 'user'; readonly source: string; readonly does: UserAct}
  /** The user removes a source: `own`, or the one that the engine made for another session of that daemon. */
  | {readonly at: number; readonly kind: 'remove'; readonly source: string; readonly which: 'own' | 'other'}
  /** The user wants the sessions of that daemon watched whose sources were removed. */
  | {readonly at: number; readonly kind: 'watchAgain'; readonly source: string}
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

/** The how manieth event of a tag after the item's time, and so many events of any kind later. */
export interface Moment {
  readonly tag: Tag | Mark | 'any'
  readonly skip: number
  readonly later: number
}

/** What an event may bring: the engine knows that a failed attempt is durable, or the user decided about what is held. */
export type Mark = 'failed' | 'decided'

export type UserAct =
  | 'pause'
  | 'resume'
  | 'retry'
  | 'skip'
  | 'skipTwice'
  | 'retryAndSkip'
  | 'skipAndRetry'
  | 'newConnection'
  /** A numbering that began anew is the one to go on with. A retry keeps the old one. */
  | 'take'
  | 'takeTwice'
  | 'takeAndRetry'
  | 'retryAndTake'
  | 'retryTwice'
  /** The old numbering after all, where the first frame of the new one failed too often. */
  | 'keep'
  | 'keepAndRetry'
  | 'retryAndKeep'

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
