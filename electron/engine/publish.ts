import {assertNever} from '../../shared/base/assert-never.ts'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow, SourceView} from '../../shared/contract/rows.ts'
import {attemptRowOf, connectionRowOf, frameRowOf, gapRowOf, withMove} from '../../shared/contract/to-rows.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import type {SourceId} from '../../shared/source/source.ts'
import type {Clock} from './clock.ts'

/** Two screen frames: changes reach a screen at most this much later, in ms, and at most this often. */
const FLUSH_MS = 33
/** More frames than this in one batch tell nobody anything; the rest is in the store. */
const FRAMES_IN_BATCH = 400

export interface Publisher {
  /** Changes that are durable now. */
  readonly committed: (changes: readonly Change[]) => void
  /** Something about a source changed that is not recorded, such as the age of its last byte. */
  readonly touched: (source: SourceId) => void
  /** Returns its own undo. */
  readonly subscribe: (onBatch: (batch: ChangeBatch) => void) => () => void
  readonly close: () => void
}

interface Gathered {
  since: number
  journaled: number
  readonly frames: Map<number, FrameRow>
  readonly attempts: Map<string, AttemptRow>
  readonly gaps: Map<number, GapRow>
  readonly connections: ConnectionRow[]
  readonly sources: Set<SourceId>
  readonly removed: Set<SourceId>
}

/**
 * Gathers what was committed into one batch a screen frame, for everybody who listens. `viewOf` tells the whole state of a
 * source at the time of the batch.
 */
export function createPublisher(clock: Clock, viewOf: (source: SourceId) => SourceView | undefined): Publisher {
  const listeners = new Set<(batch: ChangeBatch) => void>()
  /** Rows of frames that are not settled yet, so that their settling can send the whole row again. */
  const unsettled = new Map<FrameId, FrameRow>()
  const over = new AbortController()
  let gathered: Gathered | undefined
  let number = 0
  let rate = {second: 0, count: 0, last: 0}

  const open = (): Gathered => {
    if (gathered !== undefined) return gathered
    gathered = emptyGathered(clock.monotonic())
    void clock.wait(FLUSH_MS, over.signal).then(flush)
    return gathered
  }
  const flush = (): void => {
    const batch = gathered
    gathered = undefined
    if (batch === undefined || over.signal.aborted) return
    rate = rated(rate, Math.floor(clock.monotonic() / 1000), batch.journaled)
    const sent = batchOf(batch, {number: ++number, clock, viewOf, rate: Math.max(rate.last, rate.count)})
    for (const listener of listeners) listener(sent)
  }

  return {
    committed(changes) {
      const batch = open()
      for (const change of changes) gather(change, batch, unsettled)
    },
    touched(source) {
      open().sources.add(source)
    },
    subscribe(onBatch) {
      listeners.add(onBatch)
      return () => listeners.delete(onBatch)
    },
    close: () => over.abort(),
  }
}

function emptyGathered(since: number): Gathered {
  return {
    since,
    journaled: 0,
    frames: new Map(),
    attempts: new Map(),
    gaps: new Map(),
    connections: [],
    sources: new Set(),
    removed: new Set(),
  }
}

/** Frames a second, counted over whole seconds. */
function rated(rate: {second: number; count: number; last: number}, second: number, more: number) {
  if (second === rate.second) return {...rate, count: rate.count + more}
  return {second, count: more, last: second === rate.second + 1 ? rate.count : 0}
}

function gather(change: Change, batch: Gathered, unsettled: Map<FrameId, FrameRow>): void {
  switch (change.kind) {
    case 'sourceAdded':
    case 'sourceChanged':
      batch.sources.add(change.source.id)
      return
    case 'sourceRemoved':
      batch.removed.add(change.source)
      return
    case 'vectorSeen':
      batch.sources.add(change.source)
      return
    case 'frameJournaled':
      batch.journaled += 1
      put(frameRowOf(change.frame, change.outcome, change.attempt), batch, unsettled)
      return
    case 'frameSettled':
      amend(change.frame, batch, unsettled, (row) => ({
        ...row,
        outcome: change.outcome,
        attempt: change.attempt,
        settledAt: change.at,
      }))
      return
    case 'cursorMoved': {
      const {move} = change
      batch.sources.add(move.source)
      if (move.frame !== undefined) amend(move.frame, batch, unsettled, (row) => withMove(row, move))
      return
    }
    case 'attemptStarted':
    case 'attemptEnded':
      batch.sources.add(change.attempt.source)
      batch.attempts.set(`${change.attempt.frame} ${change.attempt.n}`, attemptRowOf(change.attempt))
      return
    case 'gapRecorded':
      batch.gaps.set(change.gap.frame, gapRowOf(change.gap))
      return
    case 'connectionChanged':
      batch.sources.add(change.connection.source)
      batch.connections.push(connectionRowOf(change.connection))
      return
    case 'openAttemptsAborted': // said once at start-up, before any screen listens
      return
    default:
      assertNever(change)
  }
}

function put(row: FrameRow, batch: Gathered, unsettled: Map<FrameId, FrameRow>): void {
  const id = row.id as FrameId // rows carry it as a plain number
  batch.sources.add(row.source as SourceId) // likewise
  if (row.outcome === 'pending' || row.outcome === 'rejected') unsettled.set(id, row)
  else unsettled.delete(id)
  if (row.redelivers !== undefined) unsettled.delete(row.redelivers as FrameId) // likewise
  batch.frames.set(row.id, row)
}

function amend(
  id: FrameId,
  batch: Gathered,
  unsettled: Map<FrameId, FrameRow>,
  change: (row: FrameRow) => FrameRow,
): void {
  const row = batch.frames.get(id) ?? unsettled.get(id)
  if (row !== undefined) put(change(row), batch, unsettled)
}

interface BatchContext {
  readonly number: number
  readonly clock: Clock
  readonly viewOf: (source: SourceId) => SourceView | undefined
  readonly rate: number
}

function batchOf(batch: Gathered, {number, clock, viewOf, rate}: BatchContext): ChangeBatch {
  const frames = [...batch.frames.values()]
  const shown = frames.length <= FRAMES_IN_BATCH ? frames : chosen(frames)
  return {
    number,
    now: clock.now(),
    sources: [...batch.sources].map(viewOf).filter((view) => view !== undefined),
    removedSources: [...batch.removed],
    frames: shown,
    attempts: [...batch.attempts.values()],
    gaps: [...batch.gaps.values()],
    connections: batch.connections,
    framesLeftOut: frames.length - shown.length,
    rate,
    lagMs: Math.round(clock.monotonic() - batch.since),
  }
}

/** The newest, and every notable one: a rejection or a gap is never left out. */
function chosen(frames: readonly FrameRow[]): FrameRow[] {
  const newest = frames.length - FRAMES_IN_BATCH
  return frames.filter((row, index) => index >= newest || isNotable(row))
}

function isNotable(row: FrameRow): boolean {
  return row.kind === 'gap' || row.outcome === 'rejected' || row.outcome === 'malformed' || row.outcome === 'skipped'
}
