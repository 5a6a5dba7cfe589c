import {assertNever} from '../../../shared/base/assert-never.ts'
import {present} from '../../../shared/base/present.ts'
import type {EpochMs} from '../../../shared/base/units.ts'
import type {Generation} from '../../../shared/cursor/cursor.ts'
import type {Change} from '../../../shared/history/change.ts'
import {countersOf, countsOf, type FrameCounts} from '../../../shared/history/counts.ts'
import {
  type Attempt,
  type ConnectionFact,
  countsAsFailure,
  type FrameId,
  type JournaledFrame,
  type Move,
  type Outcome,
} from '../../../shared/history/fact.ts'
import {type CoordinateKey, type Sequence, takeSteps} from '../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {createMemoryHistory} from './memory-history.ts'
import {type Store, type StoredSource, StoreFailure, type UnhandledFrame} from './store.ts'

export interface MemoryStoreOptions {
  /** False: only what a restart needs is kept, and the reader finds nothing. */
  readonly history?: boolean
}

/** What is known of one source, or will be once it is added: a replay writes to one that has no record. */
interface Entry {
  record: SourceRecord | undefined
  removed: boolean
  readonly position: Map<CoordinateKey, Sequence>
  vectorSeen: boolean
  /** In the order in which they were left. */
  readonly retired: Set<Generation>
  /** By frame, in the order of journaling. */
  readonly unhandled: Map<FrameId, UnhandledFrame>
  readonly counts: {-readonly [K in keyof FrameCounts]: FrameCounts[K]}
  lastReplacement: FrameId | undefined
  readonly malformed: Map<FrameId, Uint8Array>
  passedOver: readonly Uint8Array[]
  lastConnection: ConnectionFact | undefined
  lastFactAt: EpochMs | undefined
  lastPlacedAt: EpochMs | undefined
}

/** A store that ends with the process, for replays and tests. It judges nothing: what it is told, it keeps. */
export function createMemoryStore({history: keep = true}: MemoryStoreOptions = {}): Store {
  const entries = new Map<SourceId, Entry>()
  const history = createMemoryHistory()
  let nextFrameId = 1
  let closed = false

  const entry = (source: SourceId): Entry => {
    const known = entries.get(source) ?? emptyEntry()
    entries.set(source, known)
    return known
  }
  const take = (change: Change): void => {
    if (change.kind === 'frameJournaled') nextFrameId = Math.max(nextFrameId, change.frame.id + 1)
    if (change.kind !== 'openAttemptsAborted') note(entry(sourceOf(change)), change)
    if (keep) history.note(change)
  }

  return {
    async commit(changes) {
      if (closed) throw new StoreFailure({kind: 'closed', detail: 'the store is closed'})
      for (const change of changes) take(change)
    },
    async load() {
      const all = [...entries.values()]
      const removed = all.flatMap(({record, removed}) => (removed && record !== undefined ? [record] : []))
      return {sources: all.flatMap(storedOf), removed, nextFrameId: nextFrameId as FrameId} // made here, above every one seen
    },
    read: history.read,
    async prune(order) {
      const waits = new Set([...entries.values()].flatMap(({unhandled}) => [...unhandled.keys()]))
      return history.prune(order, (frame) => waits.has(frame))
    },
    async close() {
      closed = true
    },
  }
}

function emptyEntry(): Entry {
  return {
    record: undefined,
    removed: false,
    position: new Map(),
    vectorSeen: false,
    retired: new Set(),
    unhandled: new Map(),
    counts: countsOf(() => 0),
    lastReplacement: undefined,
    malformed: new Map(),
    passedOver: [],
    lastConnection: undefined,
    lastFactAt: undefined,
    lastPlacedAt: undefined,
  }
}

/** A copy: what was loaded does not change with later commits. */
function storedOf(entry: Entry): readonly StoredSource[] {
  const {
    record,
    position,
    vectorSeen,
    retired,
    unhandled,
    counts,
    lastReplacement,
    lastConnection,
    lastFactAt,
    lastPlacedAt,
  } = entry
  if (record === undefined || entry.removed) return []
  return [
    {
      record,
      position: new Map(position),
      vectorSeen,
      retired: [...retired],
      unhandled: [...unhandled.values()],
      counts: {...counts},
      ...(lastReplacement === undefined ? {} : {lastReplacement}),
      ...(entry.passedOver.length === 0 ? {} : {passedOver: entry.passedOver}),
      ...(lastConnection === undefined ? {} : {lastConnection}),
      ...(lastFactAt === undefined ? {} : {lastFactAt}),
      ...(record.supervisor === undefined || lastPlacedAt === undefined ? {} : {supervisorHeardAt: lastPlacedAt}),
    },
  ]
}

function sourceOf(change: Exclude<Change, {kind: 'openAttemptsAborted'}>): SourceId {
  switch (change.kind) {
    case 'sourceAdded':
    case 'sourceChanged':
      return change.source.id
    case 'frameJournaled':
      return change.frame.source
    case 'attemptStarted':
    case 'attemptEnded':
      return change.attempt.source
    case 'cursorMoved':
      return change.move.source
    case 'gapRecorded':
      return change.gap.source
    case 'generationSeen':
      return change.seen.source
    case 'holeSeen':
      return change.hole.source
    case 'numberingDecided':
      return change.numbering.source
    case 'activityChanged':
      return change.activity.source
    case 'connectionChanged':
      return change.connection.source
    default:
      return change.source
  }
}

function note(entry: Entry, change: Exclude<Change, {kind: 'openAttemptsAborted'}>): void {
  for (const counter of countersOf(change)) entry.counts[counter] += 1
  switch (change.kind) {
    case 'sourceAdded':
    case 'sourceChanged':
    case 'supervisorMet':
    case 'sourceRemoved':
      noteSource(entry, change)
      return
    case 'frameJournaled':
      noteJournaled(entry, change.frame, change.outcome, change.attempt)
      return
    case 'frameSettled':
      notePassedOver(entry, change.frame, change.outcome)
      noteSettled(entry, change.frame, change.outcome, change.at)
      return
    case 'vectorSeen':
      entry.vectorSeen = true
      return
    case 'generationRetired':
    case 'generationResumed':
      noteGeneration(entry, change)
      return
    case 'generationSeen':
      noteTime(entry, change.seen.at)
      return
    case 'numberingDecided':
    case 'gapAccounted':
      noteTime(entry, change.kind === 'gapAccounted' ? change.account.at : change.numbering.decidedAt)
      return
    case 'attemptStarted':
      noteAttempt(entry, change.attempt)
      return
    case 'attemptEnded':
      noteEnded(entry, change.attempt)
      return
    case 'cursorMoved':
      noteMove(entry, change.move)
      return
    case 'gapRecorded':
    case 'holeSeen':
    case 'activityChanged':
      if (change.kind === 'gapRecorded' && change.gap.appliedAt !== undefined) entry.lastReplacement = change.gap.frame
      return
    case 'connectionChanged':
      entry.lastConnection = change.connection
      noteTime(entry, change.connection.at)
      return
    default:
      assertNever(change)
  }
}

type SourceChange = Extract<Change, {kind: 'sourceAdded' | 'sourceChanged' | 'supervisorMet' | 'sourceRemoved'}>

function noteSource(entry: Entry, change: SourceChange): void {
  const {record} = entry
  if (change.kind === 'sourceAdded') entry.removed = false
  if (change.kind === 'sourceRemoved') entry.removed = true
  if (change.kind === 'sourceAdded') entry.record = change.source
  if (change.kind === 'sourceChanged') entry.record = {...change.source, ...present({supervisor: record?.supervisor})}
  if (change.kind === 'supervisorMet' && record !== undefined) entry.record = {...record, supervisor: change.supervisor}
}

function noteGeneration(
  entry: Entry,
  change: Extract<Change, {kind: 'generationRetired' | 'generationResumed'}>,
): void {
  entry.retired.delete(change.generation)
  if (change.kind === 'generationResumed') return
  entry.retired.add(change.generation)
  noteTime(entry, change.at)
}

function noteMove(entry: Entry, {steps, at}: Move): void {
  takeSteps(entry.position, steps)
  if (steps.length > 0) entry.passedOver = []
  noteTime(entry, at)
}

function notePassedOver(entry: Entry, frame: FrameId, outcome: Outcome): void {
  const bytes = entry.malformed.get(frame)
  if (outcome === 'skipped' && bytes !== undefined) entry.passedOver = [bytes, ...entry.passedOver]
}

/** A redelivery takes the place of the delivery before it, with the runs counted so far. */
function noteJournaled(entry: Entry, frame: JournaledFrame, outcome: Outcome, attempt: number): void {
  noteTime(entry, frame.receivedAt)
  if (frame.lane !== undefined && frame.receivedAt > (entry.lastPlacedAt ?? 0)) entry.lastPlacedAt = frame.receivedAt
  if (frame.kind === 'malformed') entry.malformed.set(frame.id, frame.bytes)
  const before = frame.redelivers === undefined ? undefined : entry.unhandled.get(frame.redelivers)
  if (frame.redelivers !== undefined) entry.unhandled.delete(frame.redelivers)
  if (!isUnhandled(outcome)) return
  const runs = outcome === 'rejected' ? attempt : 0
  const {attempts, rejections, retry} = before ?? {attempts: runs, rejections: runs}
  entry.unhandled.set(frame.id, {frame, outcome, attempts, rejections, ...(retry === undefined ? {} : {retry})})
}

function noteSettled(entry: Entry, frame: FrameId, outcome: Outcome, at: EpochMs): void {
  noteTime(entry, at)
  const unhandled = entry.unhandled.get(frame)
  if (unhandled === undefined) return
  if (isUnhandled(outcome)) entry.unhandled.set(frame, {...unhandled, outcome})
  else entry.unhandled.delete(frame)
}

function noteAttempt(entry: Entry, attempt: Attempt): void {
  noteTime(entry, attempt.endedAt ?? attempt.startedAt)
  const unhandled = entry.unhandled.get(attempt.frame)
  if (unhandled === undefined) return
  entry.unhandled.set(attempt.frame, {...unhandled, attempts: Math.max(unhandled.attempts, attempt.n)})
}

function noteEnded(entry: Entry, attempt: Attempt): void {
  noteAttempt(entry, attempt)
  const unhandled = entry.unhandled.get(attempt.frame)
  if (unhandled === undefined || !countsAsFailure(attempt.state)) return
  const {retry: _before, ...rest} = unhandled
  const {retry} = attempt
  entry.unhandled.set(attempt.frame, {
    ...rest,
    rejections: unhandled.rejections + 1,
    ...(retry === undefined ? {} : {retry}),
  })
}

function isUnhandled(outcome: Outcome): boolean {
  return outcome === 'pending' || outcome === 'rejected'
}

function noteTime(entry: Entry, at: EpochMs): void {
  if (entry.lastFactAt === undefined || at > entry.lastFactAt) entry.lastFactAt = at
}
