import {assertNever} from '../base/assert-never.ts'
import type {Cursor} from '../cursor/cursor.ts'
import type {FrameId} from '../history/frame-id.ts'
import type {Refusal} from './refusal.ts'

/** Why a stream ended or is not open, in the words of this code; the screen has its own. */
export type Ending =
  | {readonly kind: 'refused'; readonly refusal: Refusal}
  /** `terminal`: reopening would itself be a takeover. */
  | {readonly kind: 'evicted'; readonly code: string; readonly reason: string; readonly terminal: boolean}
  | {readonly kind: 'closed'}
  | {readonly kind: 'dropped'; readonly code: string}
  /** No byte for longer than a living server stays silent. */
  | {readonly kind: 'silent'}
  | {readonly kind: 'beatRefused'; readonly refusal: Refusal}
  | {readonly kind: 'rejected'; readonly frame: FrameId}
  | {readonly kind: 'malformed'; readonly frame: FrameId}
  /** This machine slept; what is attached to the old socket is not known. */
  | {readonly kind: 'asleep'}
  /** No token is stored for this source: nothing was asked of the bridge. */
  | {readonly kind: 'noToken'}
  /** The place where tokens are kept cannot be read. */
  | {readonly kind: 'tokensUnreadable'; readonly detail: string}
  /** There is no server to open: a recording, or a demo that this build lacks or that did not start. */
  | {readonly kind: 'noServer'; readonly detail: string}
  /** Nothing listens on the daemon's socket: it does not run, or its socket file is stale. */
  | {readonly kind: 'noDaemon'; readonly code: string}
  /** The daemon speaks another version of the protocol: nothing was sent to it. */
  | {readonly kind: 'unsupportedDaemon'; readonly detail: string}
  /** The daemon said that it goes, and why (`shutdown`, `update`); neither promises that it stays away or comes back. */
  | {readonly kind: 'daemonClosing'; readonly reason: string}
  /** The daemon does not list the session as resident. */
  | {readonly kind: 'notResident'}
  /** The session's worker is gone and no close was sent: found by asking. */
  | {readonly kind: 'workerGone'; readonly detail: string}
  /** The session was closed, as sent: `killed`, `completed`, … */
  | {readonly kind: 'sessionClosed'; readonly reason: string}
  /** The activation goes on as another session, which is a source of its own, or one that the user removed. */
  | {readonly kind: 'sessionReplaced'; readonly by: string; readonly removed?: true}
  /** The daemon refused to attach, or sent no snapshot. */
  | {readonly kind: 'attachFailed'; readonly detail: string}
  /** Nothing happened in the session for long: Tidemark left, so that it keeps nobody's worker alive. */
  | {readonly kind: 'idle'}
  /** A numbered server does not answer, or not with a stream: the system's word, or what it said. */
  | {readonly kind: 'notReached'; readonly detail: string}
  /** A stream in a file: there is none at that path. */
  | {readonly kind: 'noFile'; readonly path: string}
  /** It is there, and the system does not let us read it: its word, such as EACCES. */
  | {readonly kind: 'fileUnreadable'; readonly detail: string}
  /** It refused how we asked to go on: asking again would be refused again. */
  | {readonly kind: 'resumeRefused'; readonly detail: string}
  /** It knows nothing as far on as our cursor. */
  | {readonly kind: 'futureCursor'; readonly detail: string}
  /** It numbers anew, below our cursor: its store was lost. The frame is the first of the new numbers, and `first` its cursor. */
  | {readonly kind: 'numberingReset'; readonly frame: FrameId; readonly first?: Cursor}
  /** The disk refused a commit: nothing more is read until it takes one. */
  | {readonly kind: 'storeFailed'; readonly detail: string}

export type StopReason =
  | Ending
  /** The user paused it. */
  | {readonly kind: 'asked'}
  /** The app was closed in order. What the server did meanwhile is not known. */
  | {readonly kind: 'closedWithApp'}
  /** No process watches it yet, or the last one ended without a word. */
  | {readonly kind: 'notStarted'}

/**
 *   stopped ──start──▶ connecting ──opened──▶ live
 *                       ▲      │               │
 *                    retryDue  └────ended──────┤ after 30 s of life the count of attempts begins anew
 *                       │            ▼         │
 *                       └───────  waiting ◀────┘
 *
 *   held: a frame failed too often; only the user's retry or skip leads out. A source that reads on meanwhile is released into
 *   what its connection came to.
 *   stop: from anywhere to stopped. A terminal ending (credentials, taken over) stops too.
 */
export type SourceState =
  | {readonly kind: 'stopped'; readonly because: StopReason}
  | {readonly kind: 'connecting'; readonly attempt: number}
  | {readonly kind: 'live'; readonly attempt: number}
  /** Without a delay it goes on when something shows that it can, such as a daemon that is there again. */
  | {readonly kind: 'waiting'; readonly attempt: number; readonly delayMs?: number; readonly because: Ending}
  | {readonly kind: 'held'; readonly because: Ending; readonly frame: FrameId}

export type SourceInput =
  | {readonly kind: 'start'}
  | {readonly kind: 'opened'}
  /** `livedMs` is 0 where the stream never opened. `jitter` is in [0, 1). `delayMs`: the pause that was asked for, instead of the usual one. */
  | {
      readonly kind: 'ended'
      readonly because: Ending
      readonly livedMs: number
      readonly jitter: number
      readonly delayMs?: number
    }
  /** There is nothing to open until something changes elsewhere. */
  | {readonly kind: 'awaits'; readonly because: Ending}
  | {readonly kind: 'retryDue'}
  | {readonly kind: 'held'; readonly because: Ending; readonly frame: FrameId}
  | {readonly kind: 'released'; readonly into: SourceState}
  | {readonly kind: 'stop'; readonly because: StopReason}

/** A stream that lasted this long was a success. Its first frame proves nothing: `connection_state` always comes. */
export const LASTED_MS = 30_000
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000
/** After a refused beat the server itself asks for a longer pause (Switch note, section 8). */
const FIRST_DELAY_AFTER_BEAT_MS = 2_000

/** Equal-jitter backoff in ms: half fixed, half random. `jitter` is in [0, 1) and comes from the caller, so tests choose it. */
export function backoffMs(attempt: number, jitter: number): number {
  const whole = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS)
  return whole / 2 + (whole / 2) * jitter
}

export function step(state: SourceState, input: SourceInput): SourceState {
  switch (input.kind) {
    case 'start':
      return state.kind === 'stopped' || state.kind === 'held' ? {kind: 'connecting', attempt: 0} : state
    case 'opened':
      return state.kind === 'connecting' ? {kind: 'live', attempt: state.attempt} : state
    case 'retryDue':
      return state.kind === 'waiting' ? {kind: 'connecting', attempt: state.attempt} : state
    case 'ended':
      return ended(state, input)
    case 'awaits':
      return state.kind === 'stopped' || state.kind === 'held'
        ? state
        : {kind: 'waiting', attempt: state.attempt, because: input.because}
    case 'held':
      return {kind: 'held', because: input.because, frame: input.frame}
    case 'released':
      return state.kind === 'held' ? input.into : state
    case 'stop':
      return {kind: 'stopped', because: input.because}
    default:
      return assertNever(input)
  }
}

function ended(state: SourceState, input: Extract<SourceInput, {kind: 'ended'}>): SourceState {
  const {because, livedMs, jitter} = input
  if (state.kind !== 'connecting' && state.kind !== 'live') return state
  const tried = livedMs >= LASTED_MS ? 0 : state.attempt
  return {kind: 'waiting', attempt: tried + 1, delayMs: input.delayMs ?? delayAfter(because, tried, jitter), because}
}

function delayAfter(because: Ending, tried: number, jitter: number): number {
  if (because.kind !== 'beatRefused') return backoffMs(tried, jitter)
  return Math.min(FIRST_DELAY_AFTER_BEAT_MS * 2 ** tried, LONGEST_DELAY_MS)
}

/** Whether the server's side of the connection is known to be alive. `none`: no beat is due (nothing attached). */
export type Heartbeat = 'fresh' | 'stale' | 'none'
