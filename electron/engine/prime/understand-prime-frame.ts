import {classifyPrimeLine} from '../../../shared/frames/classify-prime-line.ts'
import type {CursorFrame, SnapshotFrame} from '../../../shared/frames/frame.ts'
import {entryOf} from '../../../shared/frames/prime-frame.ts'
import type {PrimeMessage} from '../../../shared/frames/prime-message.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'

/** A journaled frame that waits, from its bytes and its context. `undefined`: it no longer reads. */
export function understandPrimeFrame({kind, event, bytes, context}: JournaledFrame): CursorFrame | undefined {
  const message = classifyPrimeLine(new TextDecoder().decode(bytes))
  if (message.kind === 'malformed') return undefined
  if (kind !== 'snapshot') return entryOf(message).frame
  const cursor = cursorOf(message)
  if (cursor === undefined) return undefined
  const {purpose = '', said} = context ?? {}
  return {kind, event, data: {}, cursor, purpose, newConnection: false, ...(said === undefined ? {} : {said})}
}

/** Of the line that made a snapshot whole. */
function cursorOf(message: PrimeMessage): SnapshotFrame['cursor'] | undefined {
  switch (message.kind) {
    case 'snapshotEnd':
    case 'resynced':
      return message.cursor
    case 'response':
      return message.snapshot?.cursor
    default:
      return undefined
  }
}
