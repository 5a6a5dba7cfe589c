import {present} from '../base/present.ts'
import type {PrimeProblem, SnapshotBegin, SnapshotChunk, SnapshotEnd} from '../frames/prime-message.ts'

/** A snapshot that comes in chunks. Its messages are counted, not kept: a transcript may be larger than the memory. */
export interface SnapshotAssembly {
  /** What the beginning said of itself. */
  readonly said: Pick<SnapshotBegin, 'session' | 'purpose' | 'messageCount'>
  chunks: number
  messages: number
  /** A chunk came out of its turn, or without a list of messages. */
  disordered: boolean
}

export function beginAssembly({session, purpose, messageCount}: SnapshotBegin): SnapshotAssembly {
  return {said: present({session, purpose, messageCount}), chunks: 0, messages: 0, disordered: false}
}

export function addChunk(assembly: SnapshotAssembly, {index, messages}: SnapshotChunk): void {
  if (index !== assembly.chunks || messages === undefined) assembly.disordered = true
  assembly.chunks += 1
  assembly.messages += messages?.length ?? 0
}

/** What is wrong with a snapshot that ended; it is then no snapshot. */
export function problemOf(
  {said, chunks, messages, disordered}: SnapshotAssembly,
  end: SnapshotEnd,
): PrimeProblem | undefined {
  if (end.cursor === undefined) return {kind: 'badSnapshot', what: 'cursor'}
  if (disordered) return {kind: 'badSnapshot', what: 'chunkOrder'}
  if (end.chunkCount !== chunks) return {kind: 'badSnapshot', what: 'chunkCount'}
  return said.messageCount === messages ? undefined : {kind: 'badSnapshot', what: 'messageCount'}
}
