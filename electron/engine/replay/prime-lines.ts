import type {Cursor, Generation} from '../../../shared/cursor/cursor.ts'
import type {Admission, Adoption, Unseen} from '../../../shared/cursor/lane.ts'
import type {NumberedFact, SnapshotFact} from '../../../shared/sessions/prime-fact.ts'
import type {SessionStanding} from '../../../shared/sessions/session.ts'

/*
 * The lines of `tidemark replay --protocol prime`, as the replay contract says them: the order of their fields is the order
 * in which they are printed, and what does not apply is absent.
 */

export interface PrimeFrameLine extends Unseen {
  readonly fact: 'frame'
  /** Absent for plain JSON lines. */
  readonly conn?: string
  /** The durable id; until it is told, that of the active session. */
  readonly session: string
  readonly activeSession: string
  readonly type?: string
  /** Only of a `session_event`. */
  readonly event?: string
  readonly generation: Generation
  readonly sequence: number
  readonly decision: Admission['decision']
}

export interface PrimeSnapshotLine extends Unseen {
  readonly fact: 'snapshot'
  readonly conn?: string
  readonly session: string
  readonly purpose?: string
  readonly decision: Adoption['decision']
  /** The snapshot's own, whatever was decided about it. */
  readonly cursor: Cursor
}

export interface PrimeSessionLine {
  readonly session: string
  readonly cursor?: Cursor
  readonly retired: readonly Generation[]
  readonly events: number
  readonly duplicates: number
  readonly stale: number
  readonly holes: number
  readonly notSeen: number
  readonly snapshots: number
}

export interface PrimeEndLine {
  readonly fact: 'end'
  readonly sessions: readonly PrimeSessionLine[]
  readonly malformed: number
  readonly unknown: number
}

export type PrimeLine = PrimeFrameLine | PrimeSnapshotLine | PrimeEndLine

export function primeFrameLine(conn: string | undefined, fact: NumberedFact): PrimeFrameLine {
  const {session, activeSession, type, event, cursor, verdict} = fact
  const {decision, ...unseen} = verdict
  return {
    fact: 'frame',
    ...(conn === undefined ? {} : {conn}),
    session: session.id,
    activeSession,
    ...(type === undefined ? {} : {type}),
    ...(event === undefined ? {} : {event}),
    generation: cursor.generation,
    sequence: cursor.sequence,
    decision,
    ...unseen,
  }
}

export function primeSnapshotLine(conn: string | undefined, fact: SnapshotFact): PrimeSnapshotLine {
  const {session, purpose, cursor, verdict} = fact
  const {decision, ...unseen} = verdict
  return {
    fact: 'snapshot',
    ...(conn === undefined ? {} : {conn}),
    session: session.id,
    ...(purpose === undefined ? {} : {purpose}),
    decision,
    cursor,
    ...unseen,
  }
}

export function primeSessionLine({id, held, retired, counts}: SessionStanding): PrimeSessionLine {
  return {session: id, ...(held === undefined ? {} : {cursor: held}), retired, ...counts}
}
