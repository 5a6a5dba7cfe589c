import type {DatabaseSync} from 'node:sqlite'
import type {TimelineRange} from '../../../shared/contract/contract.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow, HoleRow} from '../../../shared/contract/rows.ts'
import {readActivities} from './read-activities.ts'
import {chooseBins, readBins} from './read-bins.ts'
import {findSource, type ReadSource} from './read-cells.ts'
import {exactLanes} from './read-lanes.ts'
import {notableFrames, type Span, sparse} from './read-notable.ts'
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  attemptRow,
  CONNECTION_COLUMNS,
  CONNECTION_TABLES,
  connectionRow,
  FRAME_COLUMNS,
  FRAME_TABLES,
  frameRow,
  fromJson,
  GAP_COLUMNS,
  GAP_TABLES,
  gapRow,
} from './read-row.ts'
import {fits} from './read-steps.ts'

export interface TimelineQuery {
  readonly source: string
  readonly from: number
  readonly to: number
  readonly columns: number
}

/** Frames are answered one by one up to this many a column of the screen. */
const EXACT_PER_COLUMN = 1

export function readTimeline(db: DatabaseSync, {source: id, from, to, columns}: TimelineQuery): TimelineRange {
  const source = findSource(db, id)
  const range = {source: id, from, to}
  if (source === undefined || from >= to) return {...range, ...NOTHING}
  const limit = EXACT_PER_COLUMN * columns
  const {detailsFrom} = source
  const whole = detailsFrom === undefined || from >= detailsFrom
  if (whole && fits(db, source, {from, to, limit})) {
    const span = {from, to}
    const frames = [...decidedLater(db, source, span), ...framesBetween(db, source, from, to)]
    const attempts = attemptsOf(db, source, span, 'all')
    return {...range, lanes: exactLanes(db, source, from, to), frames, bins: [], attempts, ...around(db, source, span)}
  }
  const bins = chooseBins(db, source, {from, to, columns})
  const span = {from, to}
  return {
    ...range,
    binMs: bins.binMs,
    ...(whole ? {} : {detailsFrom}),
    ...readBins(db, source, bins),
    frames: [...decidedLater(db, source, span), ...framesOf(db, notableFrames(db, source, span))],
    attempts: attemptsOf(db, source, span, 'notable'),
    ...around(db, source, span),
  }
}

const NOTHING = {lanes: [], frames: [], bins: [], attempts: [], gaps: [], holes: [], activities: [], connections: []}

function around(db: DatabaseSync, source: ReadSource, span: Span) {
  return {
    gaps: gapsOf(db, source, span),
    holes: holesOf(db, source, span),
    activities: readActivities(db, source, span),
    connections: connectionsOf(db, source, span),
  }
}

function framesBetween(db: DatabaseSync, source: ReadSource, from: number, to: number): FrameRow[] {
  const found = db.prepare(`
    SELECT ${FRAME_COLUMNS} FROM ${FRAME_TABLES}
    WHERE frames.source = ? AND frames.received_at >= ? AND frames.received_at < ? ORDER BY frames.received_at, frames.id`)
  return found.all(source.key, from, to).map(frameRow)
}

/** With them a numbering began anew before the range, and the user decided in it. */
function decidedLater(db: DatabaseSync, source: ReadSource, {from, to}: Span): FrameRow[] {
  const ids = sparse(
    db,
    {from, to},
    {
      rows: `SELECT decided_at AS at, frame AS id FROM numberings INDEXED BY numberings_by_time
      WHERE source = ? AND received_at < ? AND decided_at >= ? AND decided_at < ? ORDER BY decided_at`,
      of: [source.key, from],
    },
  )
  return framesOf(db, ids)
}

function framesOf(db: DatabaseSync, ids: readonly number[]): FrameRow[] {
  const found = db.prepare(`
    SELECT ${FRAME_COLUMNS} FROM ${FRAME_TABLES}
    WHERE frames.id IN (SELECT value FROM json_each(?)) ORDER BY frames.received_at, frames.id`)
  return found.all(JSON.stringify(ids)).map(frameRow)
}

/** Those begun in the range, and the one before it, which may reach into it: callbacks of a source run one at a time. */
function attemptsOf(db: DatabaseSync, source: ReadSource, span: Span, which: 'all' | 'notable'): AttemptRow[] {
  const earlier = db
    .prepare(`
      SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPT_TABLES}
      WHERE attempts.source = ? AND started_at < ? ORDER BY started_at DESC LIMIT 1`)
    .all(source.key, span.from)
    .map(attemptRow)
    .filter(({state, endedAt}) => state === 'pending' || (endedAt !== undefined && endedAt >= span.from))
  return [...earlier, ...(which === 'all' ? attemptsBetween(db, source, span) : notableAttempts(db, source, span))]
}

function attemptsBetween(db: DatabaseSync, source: ReadSource, {from, to}: Span): AttemptRow[] {
  const found = db.prepare(`
    SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPT_TABLES}
    WHERE attempts.source = ? AND started_at >= ? AND started_at < ? ORDER BY started_at, n LIMIT ${ATTEMPTS_SHOWN}`)
  return found.all(source.key, from, to).map(attemptRow)
}

/** A frame that is retried without end must not make its range unreadable. */
const ATTEMPTS_SHOWN = 10_000

/** Open, rejected, cut off. An attempt is named by frame and number; one a frame is found, which is one a pixel. */
function notableAttempts(db: DatabaseSync, source: ReadSource, span: Span): AttemptRow[] {
  const frames = sparse(db, span, {
    rows: `SELECT started_at AS at, frame AS id FROM attempts INDEXED BY attempts_notable
      WHERE source = ? AND state <> 'resolved' AND started_at >= ? AND started_at < ? ORDER BY started_at`,
    of: [source.key],
  })
  const found = db.prepare(`
    SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPT_TABLES}
    WHERE frame IN (SELECT value FROM json_each(?)) AND state <> 'resolved' AND started_at >= ? AND started_at < ?
    ORDER BY started_at, n LIMIT ${ATTEMPTS_SHOWN}`)
  return found.all(JSON.stringify(frames), span.from, span.to).map(attemptRow)
}

function gapsOf(db: DatabaseSync, source: ReadSource, span: Span): GapRow[] {
  const ids = sparse(db, span, {
    rows: `SELECT received_at AS at, frame AS id FROM gaps INDEXED BY gaps_by_time
      WHERE source = ? AND received_at >= ? AND received_at < ? ORDER BY received_at`,
    of: [source.key],
  })
  const found = db.prepare(
    `SELECT ${GAP_COLUMNS} FROM ${GAP_TABLES} WHERE frame IN (SELECT value FROM json_each(?)) ORDER BY received_at, frame`,
  )
  return found.all(JSON.stringify(ids)).map(gapRow)
}

function holesOf(db: DatabaseSync, source: ReadSource, span: Span): HoleRow[] {
  const ids = sparse(db, span, {
    rows: `SELECT received_at AS at, frame AS id FROM holes INDEXED BY holes_by_time
      WHERE source = ? AND received_at >= ? AND received_at < ? ORDER BY received_at`,
    of: [source.key],
  })
  const found = db.prepare(
    'SELECT hole FROM holes WHERE frame IN (SELECT value FROM json_each(?)) ORDER BY received_at, frame',
  )
  return found.all(JSON.stringify(ids)).map((row) => fromJson<HoleRow>(row['hole']))
}

function connectionsOf(db: DatabaseSync, source: ReadSource, span: Span): ConnectionRow[] {
  const inForce = db.prepare(`
    SELECT ${CONNECTION_COLUMNS} FROM ${CONNECTION_TABLES}
    WHERE connections.source = ? AND at < ? ORDER BY at DESC, connections.id DESC LIMIT 1`)
  const ids = sparse(db, span, {
    rows: `SELECT at, id FROM connections INDEXED BY connections_by_time
      WHERE source = ? AND at >= ? AND at < ? ORDER BY at, id`,
    of: [source.key],
  })
  const inside = db.prepare(`
    SELECT ${CONNECTION_COLUMNS} FROM ${CONNECTION_TABLES}
    WHERE connections.id IN (SELECT value FROM json_each(?)) ORDER BY at, connections.id`)
  return [...inForce.all(source.key, span.from), ...inside.all(JSON.stringify(ids))].map(connectionRow)
}
