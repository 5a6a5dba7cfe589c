import type {JsonObject} from '../../../shared/base/json.ts'
import type {TimedStep} from '../scenario.ts'

/** A named play of the demo daemon: data only. Gates count clients attached to any session. */
export interface PrimeScenario {
  readonly name: string
  /** One line for a list of scenarios. */
  readonly about: string
  /** There from the start. */
  readonly sessions: readonly SessionSpec[]
  readonly hello?: HelloSpec
  readonly steps: readonly PrimeStep[]
  readonly loopFrom?: number
}

export type PrimeStep = TimedStep<PrimeAction>

export interface HelloSpec {
  /** 7 where not said: the version that the hello names and envelopes must have. */
  readonly version?: number
  /** Between the connection and its hello, in ms. 0 where not said. */
  readonly delayMs?: number
  /** `heartbeats_changed` comes before it. */
  readonly heartbeatsFirst?: boolean
}

export interface SessionSpec {
  /** How the steps call it. Never on the wire. */
  readonly key: string
  readonly name: string
  readonly cwd: string
  /** Owned by the client that made it, and invisible to every other. */
  readonly owned?: boolean
  /** How many messages its transcript has from before. */
  readonly transcript?: number
  /** Size of each of those, in characters. */
  readonly transcriptText?: number
}

/** Something that happens in one session; each makes one event or a few. */
export type AgentAction =
  /** A run begins: agent, turn, and the user's message. */
  | {readonly kind: 'prompt'; readonly on: string; readonly text: string}
  /** The model begins to answer. */
  | {readonly kind: 'answer'; readonly on: string}
  /** A piece of the answer. The block it belongs to is begun, and the one before ended, as needed. */
  | {readonly kind: 'delta'; readonly on: string; readonly block: 'text' | 'thinking'; readonly text: string}
  /** The model asks for a tool. */
  | {
      readonly kind: 'callTool'
      readonly on: string
      readonly call: string
      readonly tool: string
      readonly args: JsonObject
    }
  /** The answer is complete, or broke off: `aborted` and `error` come with words. */
  | {
      readonly kind: 'answered'
      readonly on: string
      readonly broke?: {readonly how: 'aborted' | 'error'; readonly error: string}
    }
  | {readonly kind: 'toolStart'; readonly on: string; readonly call: string}
  | {readonly kind: 'toolUpdate'; readonly on: string; readonly call: string; readonly text: string}
  /** Its result; with `chars` filled up to so many characters. Results become messages once the last tool has ended. */
  | {
      readonly kind: 'toolEnd'
      readonly on: string
      readonly call: string
      readonly text: string
      readonly isError?: boolean
      readonly chars?: number
    }
  /** The turn is over; with `next`, another begins. */
  | {readonly kind: 'turnEnd'; readonly on: string; readonly next?: boolean}
  | {readonly kind: 'agentEnd'; readonly on: string}
  | {readonly kind: 'bashStart'; readonly on: string; readonly command: string}
  | {readonly kind: 'bashOutput'; readonly on: string; readonly chunk: string}
  | {readonly kind: 'bashEnd'; readonly on: string; readonly exitCode: number}
  | {readonly kind: 'compactionStart'; readonly on: string; readonly reason: CompactionReason}
  /** What the transcript held becomes one summary. */
  | {readonly kind: 'compactionEnd'; readonly on: string; readonly summary: string}
  | {readonly kind: 'retryStart'; readonly on: string; readonly attempt: number; readonly error: string}
  | {readonly kind: 'retryEnd'; readonly on: string; readonly finalError?: string}
  /** What waits for the model: said while it works, and for afterwards. */
  | {
      readonly kind: 'queue'
      readonly on: string
      readonly steering: readonly string[]
      readonly followUps: readonly string[]
    }
  | {readonly kind: 'rename'; readonly on: string; readonly name: string}
  /** Any event, as it is: for types that change nothing here, and for types that nobody knows. */
  | {readonly kind: 'event'; readonly on: string; readonly event: JsonObject}

export type CompactionReason = 'manual' | 'threshold' | 'overflow' | 'requested'

/** Something that happens to a session or its worker. */
export type SessionAction =
  | {readonly kind: 'open'; readonly session: SessionSpec}
  | {readonly kind: 'close'; readonly on: string; readonly reason: CloseReason}
  /** The worker is gone. Nobody is told: its row freezes, recovers in vain for 400 ms and is then failed. */
  | {readonly kind: 'crash'; readonly on: string}
  /** A new worker: the same session under another active id, in another generation. */
  | {readonly kind: 'reopen'; readonly on: string}
  /** Another session under the same active id and generation: a new one, or the one of that name that was here before. */
  | {readonly kind: 'replace'; readonly on: string; readonly name: string}
  /** `session_status`. */
  | {readonly kind: 'status'; readonly on: string; readonly recap: string}
  /** Takes a number, and is shown only to those that claim `extension_ui`: a hole for everybody else. */
  | {readonly kind: 'askUser'; readonly on: string; readonly title: string}
  /** Clients besides those on the socket, for `attachedClients`. */
  | {readonly kind: 'others'; readonly on: string; readonly count: number}

export type CloseReason = 'killed' | 'shutdown' | 'completed' | 'replaced' | 'update'

/** Something that happens to the public process. */
export type SupervisorAction =
  /**
   * Another process takes over; workers, generations and numbers go on. `update` is announced, `killed` is not and leaves
   * a socket file that refuses. After `downMs` it listens again, and greets `helloMs` after a connection.
   */
  | {
      readonly kind: 'supervisor'
      readonly end: 'update' | 'killed'
      readonly downMs: number
      readonly helloMs: number
    }
  /** Announced; every session is killed. Back, with what was there at the start, after `downMs`, if that is said. */
  | {readonly kind: 'shutdown'; readonly downMs?: number}
  | {readonly kind: 'heartbeats'}
  /** From now on the hello names this version. */
  | {readonly kind: 'version'; readonly version: number}

/** Trouble on purpose. */
export type FaultAction =
  /** One line to every attached client, taking no number but for `missingMeta` and `wrongTypes`, which lose theirs. */
  | {readonly kind: 'badLine'; readonly on: string; readonly what: BadLine}
  /** One valid event whose line has about so many bytes. */
  | {readonly kind: 'hugeLine'; readonly on: string; readonly bytes: number}
  /** As if each client's socket were full for the next so many events of the session; then they are told by a snapshot. */
  | {readonly kind: 'drop'; readonly on: string; readonly events: number}
  /** After so many whole lines (none where not said), the next one to each attached client ends at a byte, and its connection with it. */
  | {readonly kind: 'cut'; readonly atByte: number; readonly lines?: number}
  /** The next snapshot of the session, for whatever purpose. */
  | {readonly kind: 'spoilSnapshot'; readonly on: string; readonly how: SnapshotFault}
  /** Every connection ends; the daemon stays. */
  | {readonly kind: 'hangUp'}

export const BAD_LINES = [
  'garbage',
  'notAnObject',
  'blank',
  'invalidUtf8',
  'missingMeta',
  'wrongTypes',
  'unknownType',
  'unknownNumbered',
  'separators',
] as const
export type BadLine = (typeof BAD_LINES)[number]

export type SnapshotFault = 'failed' | 'duplicated' | 'unfinished' | 'missingChunk' | 'wrongCount'

export type PrimeAction = AgentAction | SessionAction | SupervisorAction | FaultAction
