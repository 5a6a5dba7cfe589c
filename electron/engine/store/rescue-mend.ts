import type {DatabaseSync} from 'node:sqlite'
import {epochMs} from '../../../shared/base/units.ts'
import {OWN} from '../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {fromJson} from './read-row.ts'
import type {NewestMoves} from './rescue-cursors.ts'

export interface MendedCoordinate {
  /** Its key. */
  readonly source: number
  readonly name: string
  readonly sequence: number | null
}

/** What was lost and follows from what was saved. */
export interface Mended {
  /** Names given to sources whose record was lost. They are paused: nobody knows any more what they watched. */
  readonly sources: readonly string[]
  /** Coordinates whose cursor was lost, with the newest recorded move; without one it stays lost. */
  readonly coordinates: readonly MendedCoordinate[]
  /** Frames that wait for their callback, by their outcome; that they wait was lost. */
  readonly waiting: readonly number[]
  /** Frames that waited and cannot be read. Their server is asked for them again, from the cursor before them. */
  readonly gone: readonly number[]
}

/** Completes what was copied, so that it is a store again. */
export function mendReferences(db: DatabaseSync, newest: NewestMoves, withoutBytes: readonly number[]): Mended {
  const sources = mendSources(db, newest)
  const coordinates = mendCoordinates(db, newest)
  db.exec(`
    UPDATE sources SET last_connection = (SELECT max(id) FROM connections WHERE source = sources.key)
      WHERE last_connection NOT IN (SELECT id FROM connections) OR json_extract(record, '$.addedAt') = ${NEVER};
    UPDATE sources SET vector_seen = 1 WHERE json_extract(record, '$.addedAt') = ${NEVER} AND EXISTS (
      SELECT 1 FROM coordinates WHERE source = sources.key AND name <> '${JSON.stringify(OWN)}');
    INSERT OR IGNORE INTO pruned (id, next_frame, frames) VALUES (1, 1, 0);`)
  mendTallies(db)
  return {sources, coordinates, ...mendWaiting(db, withoutBytes)}
}

const WITH_SOURCE = ['coordinates', 'frames', 'gaps', 'moves', 'connections', 'cells'] as const

function mendSources(db: DatabaseSync, newest: NewestMoves): readonly string[] {
  const named = WITH_SOURCE.map((table) => `SELECT DISTINCT source FROM ${table}`).join(' UNION ')
  const rows = db.prepare(`SELECT source FROM (${named}) WHERE source NOT IN (SELECT key FROM sources)`).all()
  const ids = indexed(db, 'SELECT key, id FROM damaged.sources INDEXED BY sqlite_autoindex_sources_1')
  const known = new Map(ids.map((row) => [Number(row['key']), String(row['id'])]))
  const lost = new Set([...rows.map((row) => Number(row['source'])), ...newest.keys(), ...known.keys()])
  const add = db.prepare('INSERT OR IGNORE INTO sources (key, id, record) VALUES (?, ?, ?)')
  return [...lost].flatMap((key) => {
    const id = known.get(key) ?? `rescued-${key}`
    const record = lostRecord(id, `rescued source ${key}`)
    return add.run(key, id, JSON.stringify(record)).changes === 0 ? [] : [record.name]
  })
}

/** When a source was added whose record was lost. */
const NEVER = 0

/** Shown with its history, never opened. */
function lostRecord(id: string, name: string): SourceRecord {
  const settings = {kind: 'recording', file: 'its settings could not be read'} as const
  return {id: id as SourceId, name, settings, connectionId: id, addedAt: epochMs(NEVER), paused: true} // its own id, as far as known
}

function mendCoordinates(db: DatabaseSync, newest: NewestMoves): Mended['coordinates'] {
  const named = indexed(
    db,
    'SELECT id, source, name FROM damaged.coordinates INDEXED BY sqlite_autoindex_coordinates_1',
  )
  const add = db.prepare('INSERT OR IGNORE INTO coordinates (id, source, name, sequence) VALUES (?, ?, ?, ?)')
  const mended: Mended['coordinates'][number][] = []
  const mend = (id: number, source: number, name: string): void => {
    const sequence = newest.get(source)?.get(name) ?? null
    if (add.run(id, source, JSON.stringify(name), sequence).changes > 0) mended.push({source, name, sequence})
  }
  for (const row of named) mend(Number(row['id']), Number(row['source']), fromJson(row['name']))
  let id = highestLane(db)
  for (const [source, names] of newest) for (const name of names.keys()) mend(++id, source, name)
  return mended
}

/** Frames and roll-ups name lanes whose coordinate may be lost: no other may get its number. */
function highestLane(db: DatabaseSync): number {
  const ids = ['SELECT max(id) FROM coordinates', 'SELECT max(lane) FROM frames', 'SELECT max(lane) FROM cells']
  const found = db.prepare(`SELECT max(${ids.map((sql) => `coalesce((${sql}), 0)`).join(', ')}) AS id`).get()
  return Number(found?.['id'])
}

/** Rows of an index of the damaged file; none where that cannot be read either. */
function indexed(db: DatabaseSync, sql: string) {
  try {
    return db.prepare(sql).all()
  } catch {
    return []
  }
}

const COUNTED = ['handled', 'rejected', 'skipped', 'discarded', 'malformed', 'control'] as const

/** A source without its tally would be on no board. Counted anew it says what is there, which may be less than there was. */
function mendTallies(db: DatabaseSync): void {
  const outcomes = COUNTED.map(
    (outcome) => `(SELECT count(*) FROM frames WHERE source = key AND outcome = '${outcome}')`,
  )
  db.exec(`
    DELETE FROM tallies WHERE source NOT IN (SELECT key FROM sources);
    INSERT INTO tallies (source, frames, ${COUNTED.join(', ')}, gaps, open_second, last_at)
    SELECT key, (SELECT count(*) FROM frames WHERE source = key), ${outcomes.join(', ')},
      (SELECT count(*) FROM frames WHERE source = key AND kind = 'gap'),
      (SELECT max(bucket) FROM cells WHERE source = key AND level = 0),
      (SELECT max(received_at) FROM frames WHERE source = key)
    FROM sources WHERE key NOT IN (SELECT source FROM tallies);
    UPDATE tallies SET last_replacement = (
      SELECT max(frame) FROM gaps WHERE gaps.source = tallies.source AND applied_at IS NOT NULL
    ) WHERE last_replacement IS NULL`)
}

/** That a frame waits follows from its outcome, and from that no later delivery of it came. */
function mendWaiting(db: DatabaseSync, withoutBytes: readonly number[]): Pick<Mended, 'waiting' | 'gone'> {
  const unreadable = JSON.stringify(withoutBytes)
  const idsOf = (sql: string): number[] =>
    db
      .prepare(sql)
      .all(unreadable)
      .map((row) => Number(row['frame']))
  const gone = idsOf(`
    DELETE FROM unhandled WHERE frame NOT IN (SELECT id FROM frames) OR frame IN (SELECT value FROM json_each(?))
    RETURNING frame`)
  const waiting = idsOf(`
    INSERT OR IGNORE INTO unhandled (frame, source, attempts, rejections)
    SELECT id, source, max(coalesce((SELECT max(n) FROM attempts WHERE frame = id), 0), iif(outcome = 'rejected', attempt, 0)),
      (SELECT count(*) FROM attempts WHERE frame = id AND state IN ('rejected', 'timedOut'))
    FROM frames WHERE outcome IN ('pending', 'rejected') AND id NOT IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM frames AS later WHERE later.redelivers = frames.id)
    RETURNING frame`)
  return {waiting, gone}
}
