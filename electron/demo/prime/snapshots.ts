import type {JsonObject} from '../../../shared/base/json.ts'
import {type Connection, countAttached, type DaemonState, type Output} from './daemon-state.ts'
import {cursorOf, type DemoSession, stateOf, summaryOf} from './session.ts'
import {lineOf, TARGET_CHUNK_BYTES} from './wire.ts'

export type SnapshotPurpose = 'attach' | 'replacement' | 'resync'

export function isChunked({capabilities}: Connection): boolean {
  return capabilities.includes('chunked_snapshot')
}

/** Of a session as it is now, its messages apart: a chunked snapshot carries them in chunks, an inline one in itself. */
export function headOf(state: DaemonState, session: DemoSession): JsonObject {
  return {
    activeSessionId: session.activeId,
    summary: summaryOf(session, countAttached(state, session)),
    state: stateOf(session),
  }
}

export function tailOf(session: DemoSession): JsonObject {
  return {lastEventSequence: session.sequence, lastEventCursor: cursorOf(session), children: []}
}

/** Can be the same for two snapshots of one state. */
export function snapshotIdOf({activeId, generation, sequence}: DemoSession): string {
  return `${activeId}-${generation}-${sequence}`
}

/** Begin, chunks, end: to one client, whatever its socket holds already. */
export function streamSnapshot(
  state: DaemonState,
  {id: connection}: Connection,
  session: DemoSession,
  purpose: SnapshotPurpose,
): readonly Output[] {
  const records = recordsOf(state, session, purpose)
  const spoilt = spoil(session, records)
  session.spoil = undefined
  return spoilt.map((record) => ({kind: 'write', connection, text: lineOf(record)}))
}

function recordsOf(state: DaemonState, session: DemoSession, purpose: SnapshotPurpose): readonly JsonObject[] {
  const {activeId: activeSessionId, messages} = session
  const snapshotId = snapshotIdOf(session)
  const chunks = chunksOf(messages)
  return [
    {
      type: 'session_snapshot_begin',
      activeSessionId,
      snapshotId,
      snapshot: {...headOf(state, session), ...tailOf(session)},
      messageCount: messages.length,
      targetChunkBytes: TARGET_CHUNK_BYTES,
      purpose,
    },
    ...chunks.map((chunk, index) => ({
      type: 'session_snapshot_chunk',
      activeSessionId,
      snapshotId,
      index,
      messages: chunk,
    })),
    {
      type: 'session_snapshot_end',
      activeSessionId,
      snapshotId,
      chunkCount: chunks.length,
      lastEventSequence: session.sequence,
      lastEventCursor: cursorOf(session),
    },
  ]
}

/** A message that alone is more than a chunk has one of its own. No message, no chunk. */
function chunksOf(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const chunks: JsonObject[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message))
    if (bytes + size > TARGET_CHUNK_BYTES) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)?.push(message)
    bytes += size
  }
  return chunks
}

function spoil(session: DemoSession, records: readonly JsonObject[]): readonly JsonObject[] {
  const middle = records.filter(({type}) => type === 'session_snapshot_chunk')
  const [begin, end] = [records[0] ?? {}, records.at(-1) ?? {}]
  switch (session.spoil) {
    case undefined:
      return records
    case 'duplicated':
      return [...records, ...records]
    case 'unfinished':
      return [begin, ...middle]
    case 'missingChunk':
      return [begin, ...middle.slice(1), end]
    case 'wrongCount':
      return [{...begin, messageCount: session.messages.length + 1}, ...middle, end]
    case 'failed':
      return [
        begin,
        ...middle.slice(1),
        {
          type: 'session_snapshot_failed',
          activeSessionId: session.activeId,
          snapshotId: snapshotIdOf(session),
          error: 'Session worker disconnected during snapshot transfer',
        },
      ]
    default:
      return session.spoil satisfies never
  }
}
