import {assertNever} from '../base/assert-never.ts'
import {present} from '../base/present.ts'
import type {Cursor} from '../cursor/cursor.ts'
import {admit, adopt, type Lane} from '../cursor/lane.ts'
import type {
  Numbered,
  PrimeMessage,
  PrimeReplaced,
  PrimeResponse,
  SnapshotBegin,
  SnapshotChunk,
  SnapshotEnd,
  SnapshotFailed,
} from '../frames/prime-message.ts'
import {itself} from './active-session.ts'
import type {NumberedFact, PrimeFact, SessionName, SnapshotFact} from './prime-fact.ts'
import {countEvent, countSnapshot, type Session, type SessionStanding} from './session.ts'
import {createSessionRegistry, type SessionRegistry} from './session-registry.ts'
import {addChunk, beginAssembly, problemOf, type SnapshotAssembly} from './snapshot-assembly.ts'

/** Follows the sessions of one daemon over all connections to it. Pure: what it tells depends only on what it was fed. */
export interface SessionTracker {
  /** Takes the next message of a connection; messages of several connections in the order in which they arrived. */
  readonly feed: (connection: string, message: PrimeMessage) => readonly PrimeFact[]
  /** A connection ended: its unfinished snapshots are no more, and what comes under its name again is a new connection. */
  readonly close: (connection: string) => void
  /** The session that an active session is known to be. */
  readonly sessionOf: (activeSession: string) => SessionName
  /** Every session that had an event, a completed snapshot or an inheritance, in the order of the first of them. */
  readonly sessions: () => readonly SessionStanding[]
}

/** One opening of a connection. */
interface Opening {
  readonly number: number
  readonly assemblies: Map<string, SnapshotAssembly>
}

interface Tracking {
  readonly registry: SessionRegistry
  readonly opening: Opening
}

/** @param start - where sessions stood before, by their durable id */
export function createSessionTracker(start: ReadonlyMap<string, Lane> = new Map()): SessionTracker {
  const registry = createSessionRegistry(start)
  const openings = new Map<string, Opening>()
  let opened = 0

  const open = (connection: string): Opening => {
    opened += 1
    const opening = {number: opened, assemblies: new Map()}
    openings.set(connection, opening)
    return opening
  }

  return {
    feed(connection, message) {
      if (message.kind === 'hello') open(connection)
      const opening = openings.get(connection) ?? open(connection)
      return factsOf({registry, opening}, message)
    },
    close: (connection) => void openings.delete(connection),
    sessionOf: (activeSession) => nameOf(itself(registry.active(activeSession).current)),
    sessions: registry.listed,
  }
}

function factsOf(tracking: Tracking, message: PrimeMessage): readonly PrimeFact[] {
  switch (message.kind) {
    case 'malformed':
      return [message]
    case 'response':
      return response(tracking, message)
    case 'sequenced':
      return [event(tracking, message, tracking.registry.owner(message.activeSession, message.cursor), message.event)]
    case 'replaced':
      return replaced(tracking, message)
    case 'unknown':
      return unknown(tracking, message)
    case 'resynced':
      return [...told(tracking, message), ...complete(tracking, message, 'resync')]
    case 'snapshotBegin':
      return snapshotBegun(tracking, message)
    case 'snapshotChunk':
      return chunk(tracking, message)
    case 'snapshotEnd':
      return snapshotEnded(tracking, message)
    case 'snapshotFailed':
      return snapshotFailed(tracking, message)
    case 'hello':
    case 'blank':
    case 'detached':
    case 'heartbeatsChanged':
    case 'daemonClosing':
    case 'unsequenced':
      return []
    default:
      return assertNever(message)
  }
}

function nameOf({id, told: isTold}: Session): SessionName {
  return {id, told: isTold}
}

/** The first cursor that a stream says on an opening of a connection is judged as such. */
function greets({opening}: Tracking, session: Session): boolean {
  const first = !session.greeted.has(opening.number)
  session.greeted.add(opening.number)
  return first
}

function event(
  tracking: Tracking,
  {activeSession, cursor, type}: Numbered,
  session: Session,
  inner?: string,
): NumberedFact {
  const {verdict, lane} = admit(session.lane, cursor, greets(tracking, session))
  session.lane = lane
  session.counts = countEvent(session.counts, verdict)
  tracking.registry.list(session)
  return present({kind: 'frame', session: nameOf(session), activeSession, type, event: inner, cursor, verdict})
}

interface Completed {
  readonly activeSession: string
  readonly purpose?: string | undefined
  readonly cursor: Cursor
}

function snapshot(tracking: Tracking, {activeSession, purpose, cursor}: Completed, session: Session): SnapshotFact {
  const {verdict, lane} = adopt(session.lane, cursor, greets(tracking, session))
  session.lane = lane
  session.counts = countSnapshot(session.counts, verdict)
  tracking.registry.list(session)
  return present({kind: 'snapshot', session: nameOf(session), activeSession, purpose, cursor, verdict})
}

/** A snapshot that is complete: with its message, or with its end. */
function complete(tracking: Tracking, head: Told, purpose: string | undefined): readonly PrimeFact[] {
  const {activeSession, session, cursor} = head
  if (activeSession === undefined) return [{kind: 'malformed', problem: {kind: 'badSnapshot', what: 'activeSession'}}]
  if (cursor === undefined) return [{kind: 'malformed', problem: {kind: 'badSnapshot', what: 'cursor'}}]
  return [snapshot(tracking, {activeSession, purpose, cursor}, subject(tracking, activeSession, session))]
}

/** Whose a snapshot is: of the session that it names, else of the one that the active session is now. */
function subject({registry}: Tracking, activeSession: string, session: string | undefined): Session {
  return session === undefined ? itself(registry.active(activeSession).current) : registry.durable(session)
}

interface Told {
  readonly activeSession?: string | undefined
  readonly session?: string | undefined
  readonly cursor?: Cursor | undefined
}

function told({registry}: Tracking, {activeSession, session, cursor}: Told): readonly PrimeFact[] {
  if (activeSession === undefined || session === undefined) return []
  return registry.tell(activeSession, session, cursor) ? [{kind: 'told', activeSession, session}] : []
}

function response(tracking: Tracking, {pairings, snapshot: head}: PrimeResponse): readonly PrimeFact[] {
  const paired = pairings.flatMap((pairing) => told(tracking, pairing))
  if (head === undefined) return paired
  const attached = told(tracking, head)
  return [...paired, ...attached, ...(head.inline ? complete(tracking, head, 'attach') : [])]
}

function unknown(tracking: Tracking, {type, numbered}: Extract<PrimeMessage, {kind: 'unknown'}>): readonly PrimeFact[] {
  const fact: PrimeFact = {kind: 'unknown', ...(type === undefined ? {} : {type})}
  if (numbered === undefined) return [fact]
  return [fact, event(tracking, numbered, tracking.registry.owner(numbered.activeSession, numbered.cursor))]
}

/**
 * The replacement itself is the last event of the old session, also where it comes again. A stale one replaces nothing:
 * what its generation was is over.
 */
function replaced(tracking: Tracking, message: PrimeReplaced): readonly PrimeFact[] {
  const {registry} = tracking
  const {activeSession, cursor, session} = message
  const from = registry.owner(activeSession, cursor)
  const frame = event(tracking, message, from)
  const facts: PrimeFact[] = [frame]
  const moves = frame.verdict.decision !== 'stale' && frame.verdict.decision !== 'numberingReset'
  if (session !== undefined && moves) {
    const to = registry.durable(session)
    if (to !== from && registry.replace(activeSession, cursor, from, to))
      facts.push({kind: 'replaced', activeSession, from: nameOf(from), to: session})
    to.greeted.add(tracking.opening.number)
  }
  if (message.inline)
    facts.push(
      snapshot(tracking, {activeSession, purpose: 'replacement', cursor}, subject(tracking, activeSession, session)),
    )
  return facts
}

function snapshotBegun(tracking: Tracking, message: SnapshotBegin): readonly PrimeFact[] {
  const key = assemblyKey(message)
  if (key !== undefined) tracking.opening.assemblies.set(key, beginAssembly(message))
  return told(tracking, message)
}

function chunk({opening}: Tracking, message: SnapshotChunk): readonly PrimeFact[] {
  const assembly = opening.assemblies.get(assemblyKey(message) ?? NO_KEY)
  if (assembly === undefined) return [{kind: 'malformed', problem: {kind: 'noBegin', part: 'chunk'}}]
  addChunk(assembly, message)
  return []
}

function snapshotEnded(tracking: Tracking, message: SnapshotEnd): readonly PrimeFact[] {
  const {assemblies} = tracking.opening
  const key = assemblyKey(message) ?? NO_KEY
  const assembly = assemblies.get(key)
  if (assembly === undefined) return [{kind: 'malformed', problem: {kind: 'noBegin', part: 'end'}}]
  assemblies.delete(key)
  const problem = problemOf(assembly, message)
  if (problem !== undefined) return [{kind: 'malformed', problem}]
  const {session, purpose} = assembly.said
  const {activeSession, cursor} = message
  return complete(tracking, {activeSession, session, cursor}, purpose)
}

function snapshotFailed({opening}: Tracking, message: SnapshotFailed): readonly PrimeFact[] {
  opening.assemblies.delete(assemblyKey(message) ?? NO_KEY)
  const {activeSession, error} = message
  return [present({kind: 'snapshotFailed', activeSession, error})]
}

/** No snapshot has it. */
const NO_KEY = ''

/** The id of a snapshot is its own only within an active session; the length keeps the two apart. */
function assemblyKey({activeSession, snapshotId}: {activeSession?: string; snapshotId?: string}): string | undefined {
  if (activeSession === undefined || snapshotId === undefined) return undefined
  return `${activeSession.length}:${activeSession}${snapshotId}`
}
