import type {JsonObject} from '../base/json.ts'
import type {Cursor} from '../cursor/cursor.ts'

/** One line of the Prime daemon, as understood. (Prime note, sections 3 to 8.) */
export type PrimeMessage =
  | PrimeHello
  | PrimeResponse
  | PrimeSequenced
  | PrimeReplaced
  | PrimeResynced
  | SnapshotBegin
  | SnapshotChunk
  | SnapshotEnd
  | SnapshotFailed
  | PrimeUnknown
  /** Another line end in a row. Nothing was said. */
  | {readonly kind: 'blank'}
  | {readonly kind: 'malformed'; readonly problem: PrimeProblem}
  | {readonly kind: 'detached'; readonly activeSession?: string}
  /** To every client, attached or not: a hint that the list changed. May come before hello. */
  | {readonly kind: 'heartbeatsChanged'}
  | {readonly kind: 'daemonClosing'; readonly reason?: string}
  /** Named in the note, carries no number, and moves nothing: progress of a side question, an old form of attach. */
  | {readonly kind: 'unsequenced'; readonly type: string; readonly data: JsonObject}

/** A connection begins. The owner's token that it brings is left out: it is never stored or shown. */
export interface PrimeHello {
  readonly kind: 'hello'
  readonly protocolName?: string
  readonly protocolVersion?: number
  readonly schemaId?: string
  readonly schemaRevision?: number
  readonly appVersion?: string
  readonly clientId?: string
  /** Names the public process only: workers, generations and numbers carry on when it changes. */
  readonly supervisorGeneration?: string
  readonly supervisorPid?: number
}

export interface PrimeResponse {
  readonly kind: 'response'
  readonly id?: string
  readonly command?: string
  readonly success: boolean
  readonly error?: string
  readonly errorCode?: string
  readonly data?: JsonObject
  /** Which active sessions its summaries pair with which sessions. */
  readonly pairings: readonly Pairing[]
  /** What the snapshot of an attach said about itself, chunked or not. */
  readonly snapshot?: SnapshotHead & {readonly inline: boolean}
}

export interface Pairing {
  readonly activeSession: string
  readonly session: string
}

/** An event that took the next number of its active session. */
export interface Numbered {
  readonly type?: string
  readonly activeSession: string
  readonly cursor: Cursor
  /** ISO 8601, as the daemon stamped it. */
  readonly emittedAt?: string
  readonly data: JsonObject
}

export interface PrimeSequenced extends Numbered {
  readonly kind: 'sequenced'
  readonly type: string
  /** The type of the event inside a `session_event`. */
  readonly event?: string
}

/** The active session goes on as another session. Live it takes the next number; caught up it repeats the last. */
export interface PrimeReplaced extends Numbered {
  readonly kind: 'replaced'
  readonly type: string
  /** Its new identity, where it said one. */
  readonly session?: string
  readonly sessionFile?: string
  /** No snapshot follows: the new transcript is in the message itself. */
  readonly inline: boolean
}

/** A type that the note does not name. With a number it was admitted by the daemon, whatever it is. */
export interface PrimeUnknown {
  readonly kind: 'unknown'
  readonly type?: string
  readonly numbered?: Numbered
  readonly data: JsonObject
}

/** What a snapshot says about itself. Absent is what it did not say, or said in no valid form. */
export interface SnapshotHead {
  readonly activeSession?: string
  readonly session?: string
  readonly sessionFile?: string
  readonly cursor?: Cursor
}

/** The form in which a client without chunks gets a resync: a whole snapshot, and no event. */
export interface PrimeResynced extends SnapshotHead {
  readonly kind: 'resynced'
  readonly data: JsonObject
}

/** Names one snapshot on one connection. The id can come again for the same state. */
interface SnapshotPart {
  readonly activeSession?: string
  readonly snapshotId?: string
}

export interface SnapshotBegin extends SnapshotPart, SnapshotHead {
  readonly kind: 'snapshotBegin'
  /** As sent: `attach`, `replacement` or `resync`. */
  readonly purpose?: string
  readonly messageCount?: number
  readonly data: JsonObject
}

export interface SnapshotChunk extends SnapshotPart {
  readonly kind: 'snapshotChunk'
  readonly index?: number
  /** Absent where it brought no list. */
  readonly messages?: readonly unknown[]
}

export interface SnapshotEnd extends SnapshotPart {
  readonly kind: 'snapshotEnd'
  readonly chunkCount?: number
  readonly cursor?: Cursor
}

export interface SnapshotFailed extends SnapshotPart {
  readonly kind: 'snapshotFailed'
  readonly error?: string
}

/** Why a line, or the snapshot that it ended, was refused. No cursor moves. */
export type PrimeProblem =
  | {readonly kind: 'notJson'; readonly detail: string}
  | {readonly kind: 'notAnObject'}
  | {readonly kind: 'tooLong'; readonly capBytes: number}
  /** It would come to more objects, lists and members than a line is worth. It was not parsed. */
  | {readonly kind: 'tooDense'; readonly most: number}
  /** Of a type that takes a number, and without one. */
  | {readonly kind: 'noCursor'; readonly type: string}
  /** Of a type that takes a number, and without the active session whose number it is. */
  | {readonly kind: 'noActiveSession'; readonly type: string}
  | {readonly kind: 'noBegin'; readonly part: 'chunk' | 'end'}
  | {
      readonly kind: 'badSnapshot'
      readonly what: 'cursor' | 'activeSession' | 'chunkCount' | 'chunkOrder' | 'messageCount'
    }
