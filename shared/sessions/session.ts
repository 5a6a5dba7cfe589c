import type {Cursor, Generation} from '../cursor/cursor.ts'
import {type Admission, type Adoption, emptyLane, join, type Lane} from '../cursor/lane.ts'
import {retiredGenerations} from '../cursor/retired.ts'

/** What a session's numbered events and snapshots came to. */
export interface SessionCounts {
  /** Admitted ones. */
  readonly events: number
  readonly duplicates: number
  /** Events of a generation that is left, and numbering resets. */
  readonly stale: number
  /** Events and snapshots before which numbers were missing. */
  readonly holes: number
  /** How many numbers that were, together. */
  readonly notSeen: number
  /** Completed ones, whatever was decided about them. */
  readonly snapshots: number
}

/** One session for as long as it is told apart, over all its active sessions and connections. */
export interface Session {
  /** The durable id; until that is told, the id of the active session. */
  readonly id: string
  readonly told: boolean
  lane: Lane
  counts: SessionCounts
  /** Its place in the list: of sessions that had an event, a completed snapshot or an inheritance, counted from 0. */
  place?: number
  /** Openings of connections on which its stream has said a cursor. */
  readonly greeted: Set<number>
  /** Its durable self, found later. Nothing is counted here any more. */
  movedTo?: Session
}

const NOTHING: SessionCounts = {events: 0, duplicates: 0, stale: 0, holes: 0, notSeen: 0, snapshots: 0}

export function newSession(id: string, told: boolean, lane: Lane = emptyLane()): Session {
  return {id, told, lane, counts: NOTHING, greeted: new Set()}
}

/** How a session stands, as a value. */
export interface SessionStanding {
  readonly id: string
  readonly told: boolean
  readonly held?: Cursor
  readonly retired: readonly Generation[]
  readonly counts: SessionCounts
}

export function standingOf({id, told, lane: {held, retired}, counts}: Session): SessionStanding {
  return {id, told, ...(held === undefined ? {} : {held}), retired: retiredGenerations(retired), counts}
}

export function countEvent(counts: SessionCounts, verdict: Admission): SessionCounts {
  if (verdict.decision === 'duplicate') return {...counts, duplicates: counts.duplicates + 1}
  if (verdict.decision === 'stale' || verdict.decision === 'numberingReset') return {...counts, stale: counts.stale + 1}
  return {...countMissing(counts, verdict), events: counts.events + 1}
}

export function countSnapshot(counts: SessionCounts, verdict: Adoption): SessionCounts {
  return {...countMissing(counts, verdict), snapshots: counts.snapshots + 1}
}

function countMissing(counts: SessionCounts, verdict: Admission | Adoption): SessionCounts {
  const missing = 'missing' in verdict ? (verdict.missing ?? 0) : 0
  return missing === 0 ? counts : {...counts, holes: counts.holes + 1, notSeen: counts.notSeen + missing}
}

/** What was counted under the name of an active session moves to the session that it turns out to be. */
export function moveTo(durable: Session, provisional: Session): void {
  const [a, b] = [durable.counts, provisional.counts]
  durable.lane = join(durable.lane, provisional.lane)
  durable.counts = {
    events: a.events + b.events,
    duplicates: a.duplicates + b.duplicates,
    stale: a.stale + b.stale,
    holes: a.holes + b.holes,
    notSeen: a.notSeen + b.notSeen,
    snapshots: a.snapshots + b.snapshots,
  }
  const places = [durable.place, provisional.place].filter((place) => place !== undefined)
  if (places.length > 0) durable.place = Math.min(...places)
  for (const opening of provisional.greeted) durable.greeted.add(opening)
  provisional.movedTo = durable
}
