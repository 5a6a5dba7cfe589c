import type {JsonObject} from '../../../shared/base/json.ts'
import type {Cursor} from '../../../shared/cursor/cursor.ts'
import {adopt} from '../../../shared/cursor/lane.ts'
import type {SnapshotFrame} from '../../../shared/frames/frame.ts'
import {entryOf, type PrimeEntry} from '../../../shared/frames/prime-frame.ts'
import type {
  PrimeProblem,
  PrimeResynced,
  SnapshotBegin,
  SnapshotChunk,
  SnapshotEnd,
  SnapshotFailed,
} from '../../../shared/frames/prime-message.ts'
import {objectOf} from '../../../shared/frames/prime-snapshot.ts'
import {clip} from '../../../shared/frames/summary.ts'
import type {SessionKey} from '../../../shared/sessions/session-key.ts'
import {sessionRowOf} from '../../../shared/sessions/session-row.ts'
import {addChunk, beginAssembly, problemOf} from '../../../shared/sessions/snapshot-assembly.ts'
import {backoffMs} from '../../../shared/source/source-machine.ts'
import {factsOfRow, hearName, isOfAnother, type Talk, toldKey} from './talk-state.ts'
import {aside, type Reading, type Taken} from './talk-step.ts'

/** The stock client waits so long for a snapshot to be whole, in ms. (Prime note, section 4.) */
export const SNAPSHOT_MS = 30_000

/** A session has one snapshot under way, or two where one was cut short. More are forgotten, the oldest first. */
const ASSEMBLIES = 8

const NOTHING = {activities: [], steps: []} as const

type Part = SnapshotBegin | SnapshotChunk | SnapshotEnd | SnapshotFailed

/** A snapshot of another session than the one that is watched, which an activation may become: it is not ours to adopt. */
function isForeign(talk: Talk, {activeSession}: Part | PrimeResynced, told: SessionKey = {}): boolean {
  const other = activeSession !== undefined && activeSession !== talk.activeSessionId
  return other || isOfAnother(talk, told)
}

export function takeBegin(talk: Talk, begun: SnapshotBegin, {now}: Reading): Taken {
  const entry = entryOf(begun)
  if (isForeign(talk, begun, toldKey(begun))) return elsewhere(talk, entry, toldKey(begun))
  hearName(talk, toldKey(begun))
  const {snapshotId} = begun
  if (snapshotId === undefined) return {entry, ...NOTHING}
  talk.assemblies.delete(snapshotId) // the id may come again, for the same state
  talk.assemblies.set(snapshotId, {begun, parts: beginAssembly(begun)})
  const [oldest] = talk.assemblies.keys()
  if (talk.assemblies.size > ASSEMBLIES && oldest !== undefined) talk.assemblies.delete(oldest)
  talk.snapshotDue = now + SNAPSHOT_MS
  return {entry, ...NOTHING}
}

export function takeChunk(talk: Talk, chunk: SnapshotChunk, {now}: Reading): Taken {
  const entry = entryOf(chunk)
  if (isForeign(talk, chunk)) return {entry: aside(entry), ...NOTHING}
  const assembly = talk.assemblies.get(chunk.snapshotId ?? '')
  if (assembly === undefined) return spoilt(talk, {kind: 'noBegin', part: 'chunk'}, now)
  addChunk(assembly.parts, chunk)
  talk.snapshotDue = now + SNAPSHOT_MS
  return {entry, ...NOTHING}
}

export function takeEnd(talk: Talk, end: SnapshotEnd, reading: Reading): Taken {
  const entry = entryOf(end)
  if (isForeign(talk, end)) return {entry: aside(entry), ...NOTHING}
  const snapshotId = end.snapshotId ?? ''
  const assembly = talk.assemblies.get(snapshotId)
  talk.assemblies.delete(snapshotId)
  if (assembly === undefined) return spoilt(talk, {kind: 'noBegin', part: 'end'}, reading.now)
  const {begun, parts} = assembly
  const problem = problemOf(parts, end)
  if (problem !== undefined || end.cursor === undefined)
    return spoilt(talk, problem ?? {kind: 'badSnapshot', what: 'cursor'}, reading.now)
  const said = `${begun.purpose ?? 'a'} snapshot of ${parts.messages} messages, up to ${end.cursor.sequence}`
  const snapshot = objectOf(begun.data, 'snapshot') ?? {}
  return adopted(talk, {entry, said, snapshot, cursor: end.cursor, purpose: begun.purpose ?? ''}, reading)
}

export function takeFailed(talk: Talk, failed: SnapshotFailed, {now}: Reading): Taken {
  const entry = entryOf(failed)
  if (isForeign(talk, failed)) return {entry: aside(entry), ...NOTHING}
  talk.assemblies.delete(failed.snapshotId ?? '')
  askAgain(talk, now)
  return {entry, ...NOTHING}
}

/** A whole snapshot in one line, for clients that take no chunks. */
export function takeResynced(talk: Talk, resynced: PrimeResynced, reading: Reading): Taken {
  const entry = entryOf(resynced)
  if (isForeign(talk, resynced, toldKey(resynced))) return elsewhere(talk, entry, toldKey(resynced))
  hearName(talk, toldKey(resynced))
  const {cursor, data} = resynced
  if (cursor === undefined) return spoilt(talk, {kind: 'badSnapshot', what: 'cursor'}, reading.now)
  const said = `resync snapshot, up to ${cursor.sequence}`
  return adopted(talk, {entry, said, snapshot: objectOf(data, 'snapshot') ?? {}, cursor, purpose: 'resync'}, reading)
}

export interface WholeSnapshot {
  /** Of the line that made it whole. */
  readonly entry: PrimeEntry
  /** In words, for lists. */
  readonly said: string
  readonly snapshot: JsonObject
  readonly cursor: Cursor
  /** As sent. */
  readonly purpose: string
}

/** Its line becomes the frame that adopts its cursor. What was open may have ended in what was not seen. */
export function adopted(talk: Talk, whole: WholeSnapshot, {now}: Reading): Taken {
  const {entry, cursor, purpose, snapshot} = whole
  const said = purpose === 'attach' ? talk.said : undefined
  const {verdict, lane} = adopt(talk.lane, cursor, false)
  talk.lane = lane
  if (talk.assemblies.size === 0) talk.snapshotDue = undefined
  talk.attachedAgain = 0
  talk.activeAt = now
  const context = {purpose: clip(purpose), ...(said === undefined ? {} : {said})}
  const {event} = entry
  const frame: SnapshotFrame = {kind: 'snapshot', event, data: {}, cursor, newConnection: false, ...context}
  const adoptedEntry: PrimeEntry = {...entry, kind: 'snapshot', summary: clip(whole.said), frame}
  if (verdict.decision === 'stale') return {entry: adoptedEntry, context, ...NOTHING}
  const summary = objectOf(snapshot, 'summary') ?? {}
  const row = sessionRowOf(summary)
  if (row !== undefined) talk.facts = {...talk.facts, ...factsOfRow(row)}
  talk.message.seed(objectOf(summary, 'streamingMessage'))
  return {entry: adoptedEntry, context, activities: talk.activities.cut(), steps: []}
}

/** The activation became another session between the list and the attach. */
export function elsewhere(talk: Talk, entry: PrimeEntry, told: SessionKey): Taken {
  const steps = isOfAnother(talk, told) ? [NOT_OURS] : []
  return {entry: aside(entry), activities: [], steps}
}

const NOT_OURS = {kind: 'end', because: {kind: 'notResident'}} as const

function spoilt(talk: Talk, problem: PrimeProblem, now: number): Taken {
  askAgain(talk, now)
  return {entry: {problem}, ...NOTHING}
}

/** Attaching again brings a whole snapshot; after a pause, which grows. */
export function askAgain(talk: Talk, now: number): void {
  if (talk.assemblies.size === 0) talk.snapshotDue = undefined
  if (!talk.attached) return
  talk.attachAgainAt ??= now + backoffMs(talk.attachedAgain, 0)
}
