import type {Cursor} from '../cursor/cursor.ts'
import type {Admission, Adoption} from '../cursor/lane.ts'
import type {PrimeProblem} from '../frames/prime-message.ts'

/** What one message of the daemon came to, in the order in which it came to it. */
export type PrimeFact =
  | NumberedFact
  | SnapshotFact
  /** An active session is now known to be this session, or to be another one than before. */
  | {readonly kind: 'told'; readonly activeSession: string; readonly session: string}
  | {readonly kind: 'replaced'; readonly activeSession: string; readonly from: SessionName; readonly to: string}
  | {readonly kind: 'snapshotFailed'; readonly activeSession?: string; readonly error?: string}
  | {readonly kind: 'malformed'; readonly problem: PrimeProblem}
  | {readonly kind: 'unknown'; readonly type?: string}

/** A durable id, or until that is told the id of the active session. */
export interface SessionName {
  readonly id: string
  readonly told: boolean
}

/** An event that took a number. */
export interface NumberedFact {
  readonly kind: 'frame'
  readonly session: SessionName
  readonly activeSession: string
  /** Absent where the message had none. */
  readonly type?: string
  readonly event?: string
  readonly cursor: Cursor
  readonly verdict: Admission
}

/** A snapshot that is complete. */
export interface SnapshotFact {
  readonly kind: 'snapshot'
  readonly session: SessionName
  readonly activeSession: string
  readonly purpose?: string
  readonly cursor: Cursor
  readonly verdict: Adoption
}
