import type {DatabaseSync} from 'node:sqlite'
import type {EpochMs} from '../../../shared/base/units.ts'
import type {SourceCounts} from '../../../shared/contract/rows.ts'
import type {Generation} from '../../../shared/cursor/cursor.ts'
import {generationOfLane} from '../../../shared/cursor/cursor-position.ts'
import {countsOf} from '../../../shared/history/counts.ts'
import type {ConnectionFact} from '../../../shared/history/fact.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import type {CoordinateKey, Position, Sequence} from '../../../shared/position/position.ts'
import type {SourceRecord} from '../../../shared/source/source.ts'
import {
  CONNECTION_COLUMNS,
  CONNECTION_TABLES,
  connectionFact,
  FRAME_COLUMNS,
  FRAME_TABLES,
  fromJson,
  JOURNAL_COLUMNS,
  journaledFrame,
  type Row,
} from './read-row.ts'
import type {StoredProfile, StoredSource, UnhandledFrame} from './store.ts'

/** Everything the engine starts from, as one moment of the file. Sources in the order they were first added. */
export function loadProfile(db: DatabaseSync): StoredProfile {
  db.exec('BEGIN')
  try {
    const sources = db
      .prepare(
        'SELECT * FROM sources JOIN tallies ON tallies.source = sources.key WHERE removed_at IS NULL ORDER BY key',
      )
      .all()
    const removed = db.prepare('SELECT record FROM sources WHERE removed_at IS NOT NULL ORDER BY key').all()
    const newest = db.prepare('SELECT max(id) AS id FROM frames').get()?.['id']
    return {
      sources: sources.map((row) => loadSource(db, row)),
      removed: removed.map((row) => fromJson<SourceRecord>(row['record'])),
      nextFrameId: (newest === null || newest === undefined ? 1 : Number(newest) + 1) as FrameId, // the next of its kind
    }
  } finally {
    db.exec('COMMIT')
  }
}

function loadSource(db: DatabaseSync, row: Row): StoredSource {
  const key = Number(row['key'])
  const last = loadLastConnection(db, row)
  const passedOver = loadPassedOver(db, key)
  const record = fromJson<SourceRecord>(row['record'])
  const heardAt = record.supervisor === undefined ? undefined : loadLastPlaced(db, key)
  return {
    record,
    position: loadPosition(db, key),
    vectorSeen: row['vector_seen'] === 1,
    retired: loadRetired(db, key),
    unhandled: loadUnhandled(db, key),
    counts: countsIn(row),
    ...(row['last_replacement'] === null ? {} : {lastReplacement: Number(row['last_replacement']) as FrameId}), // written from frames only
    ...(passedOver.length === 0 ? {} : {passedOver}),
    ...(last === undefined ? {} : {lastConnection: last}),
    ...(heardAt === undefined ? {} : {supervisorHeardAt: heardAt}),
    ...(row['last_at'] === null ? {} : {lastFactAt: Number(row['last_at']) as EpochMs}), // written from EpochMs only
  }
}

/** Frames with a place come behind a hello; others may stand before it. */
function loadLastPlaced(db: DatabaseSync, source: number): EpochMs | undefined {
  const last = db
    .prepare('SELECT received_at FROM frames WHERE source = ? AND lane IS NOT NULL ORDER BY received_at DESC LIMIT 1')
    .get(source)
  return last === undefined ? undefined : (Number(last['received_at']) as EpochMs) // written from EpochMs only
}

/** At one place a server has hardly two of them; more than these are asked about again. */
const PASSED_OVER = 20

function loadPassedOver(db: DatabaseSync, source: number): readonly Uint8Array[] {
  return db
    .prepare(`
      SELECT bytes FROM frames AS skipped
      WHERE source = ? AND notable = 'skipped' AND kind = 'malformed' AND NOT EXISTS (
        SELECT 1 FROM frames WHERE frames.source = skipped.source AND frames.id > skipped.id AND frames.step_count > 0)
      ORDER BY received_at DESC LIMIT ${PASSED_OVER}`)
    .all(source)
    .map((row) => row['bytes'] as Uint8Array)
}

/** A number that a taken numbering reached is over no longer, whatever it stood for before. */
export function loadRetired(db: DatabaseSync, source: number): readonly Generation[] {
  return db
    .prepare(`
      SELECT name FROM generations JOIN coordinates ON coordinates.id = generations.lane
      WHERE generations.source = ? AND retired_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM generations AS later WHERE later.lane = generations.lane AND later.numbering > generations.numbering)
      ORDER BY retired_at, generations.lane`)
    .all(source)
    .flatMap((row) => generationOfLane(fromJson<string>(row['name'])) ?? [])
}

/** @param row - of the source */
export function loadLastConnection(db: DatabaseSync, row: Row): ConnectionFact | undefined {
  const last = db
    .prepare(`SELECT ${CONNECTION_COLUMNS} FROM ${CONNECTION_TABLES} WHERE connections.id = ?`)
    .get(row['last_connection'] ?? null)
  return last === undefined ? undefined : connectionFact(last)
}

export function loadCounts(db: DatabaseSync, source: number): SourceCounts {
  const row = db.prepare('SELECT * FROM tallies WHERE source = ?').get(source)
  if (row === undefined) throw new Error(`no tally of source ${source}`)
  return countsIn(row)
}

function countsIn(row: Row): SourceCounts {
  return countsOf((counter) => Number(row[counter]))
}

export function loadPosition(db: DatabaseSync, source: number): Position {
  const rows = db.prepare(
    'SELECT name, sequence FROM coordinates WHERE source = ? AND sequence IS NOT NULL ORDER BY id',
  )
  const position = new Map<CoordinateKey, Sequence>()
  // Names and sequences were written from these types.
  for (const row of rows.iterate(source))
    position.set(fromJson<CoordinateKey>(row['name']), row['sequence'] as Sequence)
  return position
}

export function loadUnhandled(db: DatabaseSync, source: number): UnhandledFrame[] {
  const rows = db
    .prepare(`
      SELECT ${FRAME_COLUMNS}, ${JOURNAL_COLUMNS}, unhandled.attempts, unhandled.context, unhandled.rejections,
        unhandled.retry
      FROM ${FRAME_TABLES} JOIN unhandled ON unhandled.frame = frames.id
      WHERE unhandled.source = ? ORDER BY frames.id`)
    .all(source)
  return rows.map((row) => ({
    frame: {...journaledFrame(row), ...(row['context'] === null ? {} : {context: fromJson(row['context'])})},
    outcome: row['outcome'] as UnhandledFrame['outcome'],
    attempts: Number(row['attempts']),
    rejections: Number(row['rejections']),
    ...(row['retry'] === null ? {} : {retry: fromJson(row['retry'])}),
  }))
}
