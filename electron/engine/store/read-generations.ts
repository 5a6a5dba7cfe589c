import type {DatabaseSync} from 'node:sqlite'
import type {GenerationRow} from '../../../shared/contract/rows.ts'
import {fromJson, optional, type Row} from './read-row.ts'

/** Every generation of a source that was seen, oldest first. */
export function readGenerations(db: DatabaseSync, source: string): readonly GenerationRow[] {
  return db
    .prepare(`
      SELECT generations.*, coordinates.name, sources.id AS source_id FROM generations
      JOIN coordinates ON coordinates.id = generations.lane JOIN sources ON sources.key = generations.source
      WHERE generations.source = (SELECT key FROM sources WHERE id = ?) ORDER BY first_at, lane`)
    .all(source)
    .map(generationRow)
}

function generationRow(row: Row): GenerationRow {
  return {
    source: String(row['source_id']),
    lane: fromJson<string>(row['name']),
    ...optional('firstSequence', row['first_sequence']),
    ...optional('lastSequence', row['last_sequence']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    events: Number(row['events']),
    snapshots: Number(row['snapshots']),
    ...optional('retiredAt', row['retired_at']),
  }
}
