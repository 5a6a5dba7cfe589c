import type {DatabaseSync} from 'node:sqlite'
import type {GenerationRow} from '../../../shared/contract/rows.ts'
import {fromJson, optional, type Row} from './read-row.ts'
import type {GenerationList} from './store.ts'

interface GenerationsQuery {
  readonly source: string
  readonly limit: number
}

/** The newest generations of a source that were seen, oldest first: one numbering after another. */
export function readGenerations(db: DatabaseSync, {source, limit}: GenerationsQuery): GenerationList {
  const taken = db
    .prepare(`
      SELECT decided_at FROM numberings
      WHERE source = (SELECT key FROM sources WHERE id = ?) AND decision = 'taken' ORDER BY frame`)
    .all(source)
    .map((row) => row['decided_at'])
  const counted = db
    .prepare('SELECT count(*) AS total FROM generations WHERE source = (SELECT key FROM sources WHERE id = ?)')
    .get(source)
  const newest = db
    .prepare(`
      SELECT generations.*, coordinates.name, sources.id AS source_id FROM generations
      JOIN coordinates ON coordinates.id = generations.lane JOIN sources ON sources.key = generations.source
      WHERE generations.source = (SELECT key FROM sources WHERE id = ?) ORDER BY numbering DESC, first_at DESC, lane DESC LIMIT ?`)
    .all(source, limit)
  const generations = newest.reverse().map((row) => generationRow(row, taken[Number(row['numbering'])]))
  return {generations, total: Number(counted?.['total'])}
}

function generationRow(row: Row, givenUpAt: Row[string] | undefined): GenerationRow {
  return {
    source: String(row['source_id']),
    lane: fromJson<string>(row['name']),
    numbering: Number(row['numbering']),
    ...optional('givenUpAt', givenUpAt),
    ...optional('firstSequence', row['first_sequence']),
    ...optional('lastSequence', row['last_sequence']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    events: Number(row['events']),
    snapshots: Number(row['snapshots']),
    stale: Number(row['stale']),
    ...optional('retiredAt', row['retired_at']),
  }
}
