import {classifyPrimeValue} from '../../frames/classify-prime-line.ts'
import type {PrimeFact} from '../prime-fact.ts'
import {createSessionTracker, type SessionTracker} from '../session-tracker.ts'

/** A cursor as text: `g:7` is opaque, `5:7` is numbered. */
function place(at: string): {readonly generation: string | number; readonly sequence: number} {
  const [generation = '', sequence] = at.split(':')
  return {generation: /^[0-9]+$/.test(generation) ? Number(generation) : generation, sequence: Number(sequence)}
}

/** Messages as the daemon sends them, for active session `a` where nothing else is said. */
export const event = (at: string, activeSessionId = 'a') => ({
  type: 'session_event',
  activeSessionId,
  event: {type: 'agent_start'},
  meta: {activeSessionId, cursor: place(at)},
})
export const replaced = (at: string, sessionId: string, snapshotFollows = true, activeSessionId = 'a') => ({
  type: 'session_replaced',
  activeSessionId,
  state: {sessionId},
  messages: [],
  ...(snapshotFollows ? {snapshotFollows} : {}),
  meta: {activeSessionId, cursor: place(at)},
})
export const resynced = (at: string, sessionId?: string, activeSessionId = 'a') => ({
  type: 'session_resynced',
  activeSessionId,
  snapshot: {...stateOf(sessionId), lastEventCursor: place(at)},
})
export const attached = (at: string, sessionId?: string, activeSessionId = 'a') => ({
  type: 'response',
  command: 'attach',
  success: true,
  data: {activeSessionId, snapshot: {...stateOf(sessionId), lastEventCursor: place(at), messages: []}},
})
export const listed = (sessionId: string, activeSessionId = 'a') => ({
  type: 'response',
  command: 'list',
  success: true,
  data: {sessions: [{activeSessionId, sessionId}]},
})
export const begin = (at: string, messageCount: number, sessionId?: string, snapshotId = 'x') => ({
  type: 'session_snapshot_begin',
  activeSessionId: 'a',
  snapshotId,
  snapshot: {...stateOf(sessionId), lastEventCursor: place(at)},
  messageCount,
  purpose: 'attach',
})
export const chunk = (index: number, messages: number, snapshotId = 'x') => ({
  type: 'session_snapshot_chunk',
  activeSessionId: 'a',
  snapshotId,
  index,
  messages: Array.from({length: messages}, () => ({role: 'user'})),
})
export const end = (at: string, chunkCount: number, snapshotId = 'x') => ({
  type: 'session_snapshot_end',
  activeSessionId: 'a',
  snapshotId,
  chunkCount,
  lastEventCursor: place(at),
})
export const failed = (snapshotId = 'x') => ({type: 'session_snapshot_failed', activeSessionId: 'a', snapshotId})
export const hello = {type: 'daemon_hello'}

function stateOf(sessionId: string | undefined) {
  return sessionId === undefined ? {} : {state: {sessionId}}
}

/** What the facts that are lines of a replay say: `s1 g:7 hole 3`, and of snapshots `s1 attach g:7 adopted 3`. */
export function told(facts: readonly PrimeFact[]): readonly string[] {
  return facts.flatMap((fact) => {
    if (fact.kind === 'malformed') return fact.problem.kind === 'badSnapshot' ? fact.problem.what : fact.problem.kind
    if (fact.kind === 'unknown') return 'unknown'
    if (fact.kind !== 'frame' && fact.kind !== 'snapshot') return []
    const {session, cursor, verdict} = fact
    const missing = 'missing' in verdict && verdict.missing !== undefined ? ` ${verdict.missing}` : ''
    const purpose = fact.kind === 'snapshot' ? `${fact.purpose ?? 'no purpose'} ` : ''
    return `${session.id} ${purpose}${cursor.generation}:${cursor.sequence} ${verdict.decision}${missing}`
  })
}

/** Feeds messages of one connection, and tells what each came to. */
export function feed(tracker: SessionTracker, messages: readonly object[], connection = 'c'): readonly string[] {
  return messages.flatMap((message) => told(tracker.feed(connection, classifyPrimeValue(message))))
}

export function course(...messages: readonly object[]): readonly string[] {
  return feed(createSessionTracker(), messages)
}

/** Where every listed session stands: `s1 g:7`, with what it left. */
export function standings(tracker: SessionTracker): readonly string[] {
  return tracker.sessions().map(({id, held, retired}) => {
    const at = held === undefined ? 'nowhere' : `${held.generation}:${held.sequence}`
    return retired.length === 0 ? `${id} ${at}` : `${id} ${at} left ${retired.join(',')}`
  })
}
