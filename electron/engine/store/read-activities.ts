import type {DatabaseSync} from 'node:sqlite'
import type {ActivityRow} from '../../../shared/contract/rows.ts'
import type {ReadSource} from './read-cells.ts'
import {type Span, sparse} from './read-notable.ts'
import {optional, type Row} from './read-row.ts'

const COLUMNS = 'activities.*, sources.id AS source_id'
const TABLES = 'activities JOIN sources ON sources.key = activities.source'

/** A range shows no more of those that began before it. */
const REACHING_IN = 400

/** Those told of in the range, at most one a pixel, and those of before that reach into it. */
export function readActivities(db: DatabaseSync, source: ReadSource, span: Span): readonly ActivityRow[] {
  const earlier = db
    .prepare(`
      SELECT ${COLUMNS} FROM ${TABLES} WHERE activities.source = ? AND told_at < ? ORDER BY told_at DESC LIMIT ${REACHING_IN}`)
    .all(source.key, span.from)
    .map(activityRow)
    .filter(({state, endedAt}) => state === 'open' || (endedAt !== undefined && endedAt >= span.from))
  const frames = sparse(db, span, {
    rows: `SELECT told_at AS at, frame AS id FROM activities INDEXED BY activities_by_time
      WHERE source = ? AND told_at >= ? AND told_at < ? ORDER BY told_at`,
    of: [source.key],
  })
  const inside = db
    .prepare(`SELECT ${COLUMNS} FROM ${TABLES} WHERE frame IN (SELECT value FROM json_each(?)) ORDER BY told_at, frame`)
    .all(JSON.stringify(frames))
  return [...earlier.reverse(), ...inside.map(activityRow)]
}

/** Those whose end nobody told yet, oldest first. */
export function readOpenActivities(db: DatabaseSync, source: string): readonly ActivityRow[] {
  return db
    .prepare(`
      SELECT ${COLUMNS} FROM ${TABLES}
      WHERE activities.source = (SELECT key FROM sources WHERE id = ?) AND state = 'open' ORDER BY frame`)
    .all(source)
    .map(activityRow)
}

function activityRow(row: Row): ActivityRow {
  return {
    source: String(row['source_id']),
    frame: Number(row['frame']),
    kind: row['kind'] as ActivityRow['kind'], // written from this type alone
    label: String(row['label']),
    ...optional('startedAt', row['started_at']),
    ...optional('endedAt', row['ended_at']),
    ...optional('endFrame', row['end_frame']),
    state: row['state'] as ActivityRow['state'], // likewise
  }
}
