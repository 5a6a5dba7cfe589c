/** The three generations of the server a client can meet (Switch note, its first table). */
export type Revision = 'r1' | 'r2' | 'r3'

/** Where a server's numbers stand: `s` for the agent's events, `r:<room>` for each room. Older revisions show only `s`. */
export interface Numbers {
  readonly s: number
  readonly rooms: Readonly<Record<string, number>>
}

/** A named play of the demo server: data only, so that a client's tests, the product's demo and a simulation share it. */
export interface Scenario {
  readonly name: string
  /** One line for a list of scenarios. */
  readonly about: string
  readonly revision: Revision
  /** Where the numbers stand before the first step. */
  readonly start: Numbers
  readonly steps: readonly Step[]
  /** After the last step it goes on from this one, for ever. Otherwise the server stays, and says nothing more. */
  readonly loopFrom?: number
  readonly callbacks?: readonly CallbackRule[]
  readonly retain?: Partial<Retention>
}

export interface Retention {
  /** In events. */
  readonly count: number
  /** In ms. */
  readonly ageMs: number
  /** Events handed to a stream in one go while it catches up. */
  readonly batch: number
  /** Between two such batches, in ms. A real server has no pause; one makes a catch-up long enough to be disturbed. */
  readonly batchPauseMs: number
}

/**
 * When a step may run. `attached`: a stream is attached and every attached one has been sent all there is. `streaming`: a
 * stream is attached. `reopened`: as `attached`, by a stream opened after the last step. `away`: nobody is attached.
 * `always`: at once.
 */
export type Gate = 'attached' | 'streaming' | 'reopened' | 'away' | 'always'

export interface TimedStep<A> {
  /** Counted from when the gate opened after the last step; the count begins anew when it shuts. In ms. */
  readonly afterMs: number
  /** `attached` where not said. */
  readonly when?: Gate
  readonly do: A
}

export type Step = TimedStep<Action>

export type Action =
  | {readonly kind: 'publish'; readonly event: EventSpec}
  | {readonly kind: 'burst'; readonly count: number; readonly event: EventSpec}
  /** The numbering is replaced and the retained events are gone; attached streams are told by a gap. */
  | {
      readonly kind: 'gap'
      readonly reason: string
      readonly to: Numbers
      readonly rooms: readonly string[]
      readonly says?: GapFields
    }
  /** Bytes written to attached streams and kept nowhere. */
  | {readonly kind: 'raw'; readonly text: string}
  /** One frame of so many bytes, kept nowhere. */
  | {readonly kind: 'oversized'; readonly bytes: number}
  | {readonly kind: 'evict'; readonly code: EvictionCode}
  /** A clean end of every body. */
  | {readonly kind: 'close'}
  /** A reset of every socket, in the middle of a frame where `half`. */
  | {readonly kind: 'reset'; readonly half: boolean}
  /** Every stream is closed as soon as it is attached, from now on. */
  | {readonly kind: 'closeOnOpen'}
  /** The process dies and comes back with nothing retained. Its numbers are `to`, where the revision does not number boots. */
  | {readonly kind: 'restart'; readonly to: Numbers}
  /** No byte leaves for so long, neither frames nor the answers of beats: half-open. */
  | {readonly kind: 'silence'; readonly forMs: number}
  | {
      readonly kind: 'refuse'
      readonly what: 'opens' | 'beats' | 'all'
      readonly status: RefusalStatus
      readonly forMs: number
    }

/** Which fields of a gap are sent; all that the revision knows where not said. */
export type GapFields = 'neither' | 'resumedAt'

export type EvictionCode = 'taken_over' | 'heartbeat_lapsed' | 'closed'

export type RefusalStatus = 401 | 403 | 404 | 409 | 410 | 429 | 500 | 503

/** One event of the agent. Each takes the next `s`; one in a conversation takes the room's next number too. */
export interface EventSpec {
  /** The SSE event, and the `type` in the data. */
  readonly event: 'message' | 'command' | 'room_join' | 'task_delegate' | 'task_update' | 'presence_hint'
  readonly room: string
  /** Whom it is from. */
  readonly from: string
  /** What is said: a message's body, a command with its arguments, a task's summary. */
  readonly text: string
  /** Shown as sent. */
  readonly addressed?: boolean
  /** Begins its message id, or task id, so that a callback rule can find it; `m` where not said. */
  readonly label?: string
  /** How many numbers of the room went to a session that held it meanwhile. */
  readonly passedBy?: number
  /** Without a `type`: what a client does not know it must discard. */
  readonly untyped?: boolean
  /** Retained, but with its data cut in half: malformed at every delivery. */
  readonly garbled?: boolean
  /** The body is filled up to so many bytes. */
  readonly bytes?: number
}

/** What the demo's callbacks do with a frame, found by its label (a gap's is `gap`). */
export interface CallbackRule {
  readonly label: string
  readonly delayMs: number
  /** Rejects this and every earlier attempt. */
  readonly rejectUpTo?: number
  readonly error?: string
}

/** What an event is called that its scenario does not name. */
export const PLAIN_LABEL = 'm'
