import {assertNever} from '../../shared/base/assert-never.ts'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import type {
  ActivityRow,
  AttemptRow,
  ConnectionRow,
  FrameRow,
  GapRow,
  HoleRow,
  PrimeDaemon,
  SourceView,
} from '../../shared/contract/rows.ts'
import {
  activityRowOf,
  attemptRowOf,
  connectionRowOf,
  frameRowOf,
  gapRowOf,
  holeRowOf,
  withMove,
  withNumbering,
} from '../../shared/contract/to-rows.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import type {SourceId} from '../../shared/source/source.ts'
import type {Clock} from './clock.ts'
import type {PageNotification} from './handlers/notify-pages.ts'

/** Two screen frames: changes reach a screen at most this much later, in ms, and at most this often. */
const FLUSH_MS = 33
/** More frames than this in one batch tell nobody anything; the rest is in the store. */
const FRAMES_IN_BATCH = 400

export interface Publisher {
  /** Changes that are durable now. */
  readonly committed: (changes: readonly Change[]) => void
  /** Something about a source changed that is not recorded, such as the age of its last byte. */
  readonly touched: (source: SourceId) => void
  /** Something of a daemon changed. */
  readonly daemonsChanged: () => void
  /** Shown with the next batch. Returns how many listen. */
  readonly notify: (notification: PageNotification) => number
  /** Returns its own undo. */
  readonly subscribe: (onBatch: (batch: ChangeBatch) => void) => () => void
  readonly close: () => void
}

interface Gathered {
  since: number
  journaled: number
  readonly frames: Map<number, FrameRow>
  /** Rows a screen has already, and which changed. They are never left out: it would show the old state for ever. */
  readonly amended: Set<number>
  readonly attempts: Map<string, AttemptRow>
  readonly gaps: Map<number, GapRow>
  readonly gapAccounts: Map<number, ChangeBatch['gapAccounts'][number]>
  readonly holes: Map<number, HoleRow>
  readonly activities: Map<number, ActivityRow>
  readonly connections: ConnectionRow[]
  readonly notifications: PageNotification[]
  readonly sources: Set<SourceId>
  readonly removed: Set<SourceId>
  daemons: boolean
}

/**
 * Rows of frames that more may be said about, so that the whole row can be sent again: those not settled, and the last
 * malformed one of each source, which the user may skip.
 */
interface OpenRows {
  readonly unsettled: Map<FrameId, FrameRow>
  readonly malformed: Map<string, FrameRow>
}

/**
 * Gathers what was committed into one batch a screen frame, for everybody who listens. `viewOf` tells the whole state of a
 * source at the time of the batch.
 */
export function createPublisher(
  clock: Clock,
  viewOf: (source: SourceId) => SourceView | undefined,
  unhandled: readonly FrameRow[] = [],
  daemonsOf: () => readonly PrimeDaemon[] = () => [],
): Publisher {
  const listeners = new Set<(batch: ChangeBatch) => void>()
  const open: OpenRows = {unsettled: new Map(), malformed: new Map()}
  for (const row of unhandled) open.unsettled.set(row.id as FrameId, row) // rows carry it as a plain number
  const over = new AbortController()
  let gathered: Gathered | undefined
  let number = 0
  let rate = {second: 0, count: 0, last: 0}

  const opened = (): Gathered => {
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
    const sent = batchOf(batch, {number: ++number, clock, viewOf, daemonsOf, rate: Math.max(rate.last, rate.count)})
    for (const listener of listeners) listener(sent)
  }

  return {
    committed(changes) {
      const batch = opened()
      for (const change of changes) gather(change, batch, open)
    },
    touched(source) {
      opened().sources.add(source)
    },
    daemonsChanged() {
      opened().daemons = true
    },
    notify(notification) {
      opened().notifications.push(notification)
      return listeners.size
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
    amended: new Set(),
    attempts: new Map(),
    gaps: new Map(),
    gapAccounts: new Map(),
    holes: new Map(),
    activities: new Map(),
    connections: [],
    notifications: [],
    sources: new Set(),
    removed: new Set(),
    daemons: false,
  }
}

/** Frames a second, counted over whole seconds. */
function rated(rate: {second: number; count: number; last: number}, second: number, more: number) {
  if (second === rate.second) return {...rate, count: rate.count + more}
  return {second, count: more, last: second === rate.second + 1 ? rate.count : 0}
}

function gather(change: Change, batch: Gathered, open: OpenRows): void {
  switch (change.kind) {
    case 'sourceAdded':
    case 'sourceChanged':
      batch.sources.add(change.source.id)
      return
    case 'sourceRemoved':
      batch.removed.add(change.source)
      return
    case 'vectorSeen':
    case 'supervisorMet':
    case 'generationRetired':
    case 'generationResumed':
      batch.sources.add(change.source)
      return
    case 'frameJournaled':
      batch.journaled += 1
      put(frameRowOf(change.frame, change.outcome, change.attempt), batch, open)
      return
    case 'frameSettled':
    case 'numberingDecided':
    case 'cursorMoved':
      gatherAmendment(change, batch, open)
      return
    case 'attemptStarted':
    case 'attemptEnded':
      batch.sources.add(change.attempt.source)
      batch.attempts.set(`${change.attempt.frame} ${change.attempt.n}`, attemptRowOf(change.attempt))
      return
    case 'holeSeen':
      batch.holes.set(change.hole.frame, holeRowOf(change.hole))
      return
    case 'activityChanged':
      batch.activities.set(change.activity.frame, activityRowOf(change.activity))
      return
    case 'gapRecorded':
      batch.gaps.set(change.gap.frame, gapRowOf(change.gap))
      return
    case 'gapAccounted':
      batch.gapAccounts.set(change.frame, {frame: change.frame, ...change.account})
      return
    case 'connectionChanged':
      batch.sources.add(change.connection.source)
      batch.connections.push(connectionRowOf(change.connection))
      return
    case 'generationSeen': // the cursor that moved with it says so
    case 'openAttemptsAborted': // said once at start-up, before any screen listens
      return
    default:
      assertNever(change)
  }
}

/** More is said of a frame. */
function gatherAmendment(
  change: Extract<Change, {kind: 'frameSettled' | 'numberingDecided' | 'cursorMoved'}>,
  batch: Gathered,
  open: OpenRows,
): void {
  if (change.kind === 'frameSettled') return amend(change.frame, batch, open, (row) => settled(row, change))
  if (change.kind === 'numberingDecided')
    return amend(change.numbering.frame, batch, open, (row) => withNumbering(row, change.numbering))
  const {move} = change
  batch.sources.add(move.source)
  if (move.frame !== undefined) amend(move.frame, batch, open, (row) => withMove(row, move))
}

function settled(row: FrameRow, {outcome, attempt, at}: Extract<Change, {kind: 'frameSettled'}>): FrameRow {
  return {...row, outcome, attempt, settledAt: at}
}

function put(row: FrameRow, batch: Gathered, {unsettled, malformed}: OpenRows): void {
  const id = row.id as FrameId // rows carry it as a plain number
  batch.sources.add(row.source as SourceId) // likewise
  if (row.outcome === 'pending' || row.outcome === 'rejected') unsettled.set(id, row)
  else unsettled.delete(id)
  if (row.outcome === 'malformed') malformed.set(row.source, row)
  if (row.redelivers !== undefined) unsettled.delete(row.redelivers as FrameId) // likewise
  batch.frames.set(row.id, row)
}

function amend(id: FrameId, batch: Gathered, open: OpenRows, change: (row: FrameRow) => FrameRow): void {
  const gathered = batch.frames.get(id)
  const row = gathered ?? open.unsettled.get(id) ?? [...open.malformed.values()].find((one) => one.id === id)
  if (row === undefined) return
  if (gathered === undefined) batch.amended.add(id)
  put(change(row), batch, open)
}

interface BatchContext {
  readonly number: number
  readonly clock: Clock
  readonly viewOf: (source: SourceId) => SourceView | undefined
  readonly daemonsOf: () => readonly PrimeDaemon[]
  readonly rate: number
}

function batchOf(batch: Gathered, {number, clock, viewOf, daemonsOf, rate}: BatchContext): ChangeBatch {
  const frames = [...batch.frames.values()]
  const shown = frames.length <= FRAMES_IN_BATCH ? frames : chosen(frames, batch.amended)
  return {
    number,
    now: clock.now(),
    sources: [...batch.sources].map(viewOf).filter((view) => view !== undefined),
    removedSources: [...batch.removed],
    frames: shown,
    attempts: [...batch.attempts.values()],
    gaps: [...batch.gaps.values()],
    gapAccounts: [...batch.gapAccounts.values()],
    holes: [...batch.holes.values()],
    activities: [...batch.activities.values()],
    connections: batch.connections,
    ...(batch.daemons ? {daemons: daemonsOf()} : {}),
    notifications: batch.notifications,
    framesLeftOut: frames.length - shown.length,
    rate,
    lagMs: Math.round(clock.monotonic() - batch.since),
  }
}

/** The newest, every notable one, and what is already on screen and changed. */
function chosen(frames: readonly FrameRow[], amended: ReadonlySet<number>): FrameRow[] {
  const newest = frames.length - FRAMES_IN_BATCH
  return frames.filter((row, index) => index >= newest || amended.has(row.id) || isNotable(row))
}

function isNotable(row: FrameRow): boolean {
  if (row.numbering !== undefined) return true
  return row.kind === 'gap' || row.outcome === 'rejected' || row.outcome === 'malformed' || row.outcome === 'skipped'
}
