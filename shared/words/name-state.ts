import {assertNever} from '../base/assert-never.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow, SourceView} from '../contract/rows.ts'

import {STANDING_BY} from './name-waiting.ts'

/** A state in one word, and what the word means. */
export interface StateWords {
  readonly word: string
  readonly meaning: string
}

export function nameOutcome(outcome: FrameRow['outcome']): StateWords {
  switch (outcome) {
    case 'pending':
      return {
        word: 'pending',
        meaning: 'Received and journaled; its callback has not resolved, so the position has not moved for it.',
      }
    case 'handled':
      return {word: 'handled', meaning: 'All that had to be done for it is done, and durable.'}
    case 'rejected':
      return {
        word: 'rejected',
        meaning:
          'Its callback failed, and the position does not move for it. When it runs again, its effect may happen twice.',
      }
    case 'skipped':
      return {
        word: 'skipped',
        meaning: 'Stepped over by the user, with a reason. It was not handled.',
      }
    case 'discarded':
      return {
        word: 'discarded',
        meaning: 'Unknown, so dropped on purpose. Nothing ran for it but a handler that asks for such frames.',
      }
    case 'malformed':
      return {word: 'malformed', meaning: 'Could not be understood. No callback ran, and the position did not move.'}
    case 'control':
      return {
        word: 'control',
        meaning: 'About the connection, not the conversation. It moves nothing and calls nothing.',
      }
    case 'duplicate':
      return {word: 'duplicate', meaning: 'Already acknowledged before. It was ignored.'}
    case 'stale':
      return {word: 'stale', meaning: 'From a generation that is over, or a lower one. It was ignored.'}
    default:
      return assertNever(outcome)
  }
}

/**
 * How many deliveries were rejected in all, and how many of their frames are still neither handled nor skipped: only those
 * are something to look after.
 */
export function nameRejections(rejected: number, open: number): StateWords {
  return {
    word: `${rejected} rejected, ${openText(open)}`,
    meaning: `Deliveries rejected by their callback, in all. ${open > 0 ? 'What is open is neither handled nor skipped yet.' : 'Each of these frames was handled or skipped since.'}`,
  }
}

export function openText(open: number): string {
  return open > 0 ? `${open} still open` : 'none open'
}

export function nameGapOutcome(outcome: GapRow['outcome']): StateWords {
  switch (outcome) {
    case 'pending':
      return {word: 'pending', meaning: 'Its callback has not resolved. The old position still stands.'}
    case 'replaced':
      return {word: 'replaced', meaning: 'The whole position was replaced by the one the server named.'}
    case 'ownReplaced':
      return {word: 's replaced', meaning: 'Only s was replaced; an older server names no other coordinate.'}
    case 'unmoved':
      return {word: 'unmoved', meaning: 'The server declared a loss but named no position. Nothing moved.'}
    case 'rejected':
      return {word: 'rejected', meaning: 'Its callback failed. The old position stands, and the gap runs again.'}
    case 'malformed':
      return {word: 'malformed', meaning: 'A field was invalid. No callback ran, and the old position stands.'}
    case 'skipped':
      return {word: 'skipped', meaning: 'Stepped over by the user, without its callback.'}
    default:
      return assertNever(outcome)
  }
}

export function nameCause(cause: NonNullable<FrameRow['cause']>): StateWords {
  switch (cause) {
    case 'handled':
      return {word: 'handled', meaning: 'moved because it was handled'}
    case 'discarded':
      return {word: 'discarded', meaning: 'moved past a frame that was dropped on purpose'}
    case 'gapReplaced':
      return {word: 'gap replaced', meaning: 'replaced by the gap’s baseline once the gap was handled'}
    case 'snapshotAdopted':
      return {word: 'snapshot adopted', meaning: 'taken from a snapshot'}
    case 'skipped':
      return {word: 'skipped by the user', meaning: 'moved past a frame on the user’s word'}
    case 'numberingTaken':
      return {word: 'new numbering taken', meaning: 'put where the new numbering begins, on the user’s word'}
    case 'numberingKept':
      return {word: 'old numbering kept', meaning: 'nothing: the user kept the old numbering'}
    case 'imported':
      return {word: 'imported', meaning: 'taken from an imported recording'}
    default:
      return assertNever(cause)
  }
}

export function nameAttempt(state: AttemptRow['state']): StateWords {
  switch (state) {
    case 'pending':
      return {word: 'pending', meaning: 'It still runs.'}
    case 'resolved':
      return {word: 'resolved', meaning: 'It ended well.'}
    case 'rejected':
      return {word: 'rejected', meaning: 'It failed with an error.'}
    case 'timedOut':
      return {word: 'timed out', meaning: 'It ran past its deadline. Whether its effect happened is not known.'}
    case 'aborted':
      return {
        word: 'aborted',
        meaning: 'It was cut off, by a stop or a crash. Whether its effect happened is not known.',
      }
    default:
      return assertNever(state)
  }
}

/** The two signals of a connection: is a stream attached, and is the other side known to be alive. */
export interface ConnectionWords {
  readonly stream: 'attached' | 'detached'
  /** Absent where no beat is due: then nothing is claimed about it. */
  readonly heartbeat?: 'fresh' | 'stale'
  /** What it does now, where that is more than being attached. */
  readonly doing?: 'connecting' | typeof STANDING_BY | 'held' | 'stopped' | 'paused' | 'not running'
}

/** Whether a stream is open: what a server said is as old as the stream it came over. */
export function isAttached({connection, readsOn}: Pick<SourceView, 'connection' | 'readsOn'>): boolean {
  return nameConnection(connection, readsOn).stream === 'attached'
}

/** @param readsOn - it is held, and its stream attached all the same */
export function nameConnection(connection: ConnectionRow, readsOn = false): ConnectionWords {
  const {state, heartbeat} = connection
  const beat = heartbeat === 'none' ? {} : {heartbeat}
  switch (state) {
    case 'live':
      return {stream: 'attached', ...beat}
    case 'waiting':
      return {stream: 'detached', ...beat, doing: STANDING_BY}
    case 'connecting':
      return {stream: 'detached', ...beat, doing: state}
    case 'held':
      return {stream: readsOn ? 'attached' : 'detached', ...beat, doing: state}
    case 'stopped':
      return {stream: 'detached', ...beat, doing: doingNothing(connection.because)}
    default:
      return assertNever(state)
  }
}

function doingNothing(because: ConnectionRow['because']): 'paused' | 'not running' | 'stopped' {
  if (because?.kind === 'asked') return 'paused'
  return because?.kind === 'closedWithApp' ? 'not running' : 'stopped'
}

type Notice = SourceView['notices'][number]

export function nameNotice(kind: Notice['kind']): StateWords {
  switch (kind) {
    case 'otherAgent':
      return {
        word: 'token of another agent',
        meaning:
          'The bridge says that this token belongs to an agent other than the one configured. It shows that agent’s stream.',
      }
    case 'positionHint':
      return {
        word: 'positions may be told otherwise',
        meaning: 'The bridge sent something that looks like a position where none is expected. It was not used.',
      }
    case 'newConnectionId':
      return {word: 'new connection id', meaning: 'The old id belonged to another agent, so Tidemark made a new one.'}
    case 'stalled':
      return {
        word: 'stalled',
        meaning:
          'A callback has not resolved for long. Nothing after it is handled; heartbeats go on with the old position.',
      }
    default:
      return assertNever(kind)
  }
}

export function nameSourceKind(kind: SourceView['settings']['kind']): string {
  switch (kind) {
    case 'switch':
      return 'Switch'
    case 'prime':
      return 'Prime Agent'
    case 'numbered':
      return 'Numbered'
    case 'demo':
      return 'Demo'
    case 'recording':
      return 'Recording'
    default:
      return assertNever(kind)
  }
}
