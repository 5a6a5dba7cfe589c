import type {EpochMs} from '../../shared/base/units.ts'
import {type Held, nothingHeld} from '../../shared/callbacks/held.ts'
import {noneRetired, retireAll} from '../../shared/cursor/retired.ts'
import {frameIdentity} from '../../shared/frames/frame-identity.ts'
import {countsOf} from '../../shared/history/counts.ts'
import type {ConnectionFact, FrameId} from '../../shared/history/fact.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import type {Leftover} from './leftover.ts'
import type {SourceRun} from './source-run.ts'
import type {StoredSource, UnhandledFrame} from './store/store.ts'
import {TOO_LONG} from './switch/receive-switch-frame.ts'
import {understandJournaled} from './understand-journaled.ts'
import {readBlock} from './wire/read-block.ts'

/** A source as it stands before its runner starts, from what the disk knows. */
export function loadRun(stored: StoredSource, now: EpochMs): SourceRun {
  return {
    ...freshRun(stored.record, now),
    held: heldBy(stored),
    leftovers: stored.unhandled.flatMap((frame) => leftoverOf(stored.record, frame)),
    unreadable: new Set(stored.unhandled.flatMap((frame) => unreadableOf(stored.record, frame))),
    heldBefore: heldBefore(stored),
    supervisorHeardAt: stored.supervisorHeardAt,
    lastReplacement: stored.lastReplacement,
    counts: {...stored.counts},
    passOver: new Set(stored.passedOver?.map(identityOf)),
  }
}

/** Of a malformed frame, as its next delivery will have it. */
function identityOf(bytes: Uint8Array): string {
  const raw = readBlock(bytes)
  return raw === undefined ? TOO_LONG : frameIdentity(raw)
}

function heldBy({position, vectorSeen, retired}: StoredSource): Held {
  return {position, vectorSeen, retired: retireAll(noneRetired(), retired)}
}

export function freshRun(record: SourceRecord, now: EpochMs): SourceRun {
  const state = {kind: 'stopped', because: {kind: record.paused ? 'asked' : 'notStarted'}} as const
  const connection: ConnectionFact = {source: record.id, at: now, state, heartbeat: 'none'}
  return {
    record,
    state,
    heartbeat: 'none',
    connection,
    held: nothingHeld(),
    leftovers: [],
    unreadable: new Set(),
    counts: countsOf(() => 0),
    openAttempt: undefined,
    queued: 0,
    inHand: 0,
    lastByteAt: undefined,
    notices: new Map(),
    generation: undefined,
    ownBrought: undefined,
    beganAt: undefined,
    readsOn: false,
    lastMalformed: undefined,
    malformedInARow: 0,
    passOver: new Set(),
    passNextMalformed: false,
    broughtFromJournal: undefined,
    backlog: undefined,
    session: undefined,
    supervisorHeardAt: undefined,
    demoSession: undefined,
    heldBefore: undefined,
    lastReplacement: undefined,
  }
}

/**
 * Held is held, over any number of starts, until the user decides. So is a source with a journaled frame that no longer
 * reads: without its update nothing can tell what passing it would skip.
 */
export function heldBefore({record, unhandled, lastConnection}: StoredSource): SourceRun['heldBefore'] {
  const unreadable = unhandled.find((frame) => leftoverOf(record, frame).length === 0)?.frame.id
  if (unreadable !== undefined)
    return {kind: 'held', because: {kind: 'malformed', frame: unreadable}, frame: unreadable}
  const state = lastConnection?.state
  if (state?.kind !== 'held') return undefined
  // The user's word was kept, and the process ended before it went on.
  const waits = state.because.kind === 'rejected' || state.because.kind === 'numberingReset'
  const isDecided = waits && !unhandled.some(({frame}) => frame.id === state.frame)
  return isDecided ? undefined : state
}

/** It was understood before it was journaled. */
function leftoverOf({settings}: SourceRecord, unhandled: UnhandledFrame): Leftover[] {
  const {frame: journaled, attempts, rejections, retry} = unhandled
  const understood = understandJournaled(journaled, settings)
  if (understood === undefined) return []
  const known = {journaled, ...understood, attempts, rejections}
  return [retry === undefined ? known : {...known, retry}]
}

function unreadableOf(record: SourceRecord, unhandled: UnhandledFrame): FrameId[] {
  return unhandled.rejections > 0 && leftoverOf(record, unhandled).length === 0 ? [unhandled.frame.id] : []
}
