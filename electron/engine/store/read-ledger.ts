import {statSync} from 'node:fs'
import type {DatabaseSync} from 'node:sqlite'
import type {GapRow, HoleRow, NumberingRow} from '../../../shared/contract/rows.ts'
import {fromJson, GAP_COLUMNS, GAP_TABLES, gapRow, type Row, WHOLE_GAP_COLUMNS, wholeGapRow} from './read-row.ts'

export interface GapsQuery {
  readonly source: string | undefined
  readonly before: number | undefined
  readonly limit: number
  /** Every coordinate of every gap, however many there are. */
  readonly whole?: boolean
}

/** A page ends early above this: a gap over very many rooms is large. In UTF-16 code units of its JSON. */
const PAGE_SIZE = 4_000_000

/** The ledger, newest first. */
export function readGaps(db: DatabaseSync, {source, before, limit, whole = false}: GapsQuery) {
  const ofSource = source === undefined ? '' : 'AND gaps.source = (SELECT key FROM sources WHERE id = ?)'
  const columns = whole ? WHOLE_GAP_COLUMNS : GAP_COLUMNS
  const found = db.prepare(
    `SELECT ${columns} FROM ${GAP_TABLES} WHERE frame < ? ${ofSource} ORDER BY frame DESC LIMIT ?`,
  )
  const gaps: GapRow[] = []
  let size = 0
  const top = before ?? Number.MAX_SAFE_INTEGER
  for (const row of found.iterate(top, ...(source === undefined ? [] : [source]), limit + 1)) {
    const last = gaps.at(-1)
    if (last !== undefined && (gaps.length === limit || size > PAGE_SIZE)) return {gaps, next: last.frame}
    for (const part of ['said', 'before', 'after', 'whole']) size += String(row[part] ?? '').length
    gaps.push(whole ? wholeGapRow(row) : gapRow(row))
  }
  return {gaps}
}

export interface LedgerQuery {
  readonly source: string | undefined
  readonly before: number | undefined
  readonly limit: number
}

/** Numbers never seen, newest first. */
export function readHoles(db: DatabaseSync, {source, before, limit}: LedgerQuery) {
  const ofSource = source === undefined ? '' : 'AND source = (SELECT key FROM sources WHERE id = ?)'
  const rows = db
    .prepare(`SELECT hole FROM holes WHERE frame < ? ${ofSource} ORDER BY frame DESC LIMIT ?`)
    .all(before ?? Number.MAX_SAFE_INTEGER, ...(source === undefined ? [] : [source]), limit + 1)
  const holes = rows.slice(0, limit).map((row) => fromJson<HoleRow>(row['hole']))
  const last = holes.at(-1)
  return rows.length > limit && last !== undefined ? {holes, next: last.frame} : {holes}
}

/** Numberings that began anew, newest first. */
export function readNumberings(db: DatabaseSync, {source, before, limit}: LedgerQuery) {
  const ofSource = source === undefined ? '' : 'AND sources.id = ?'
  const rows = db
    .prepare(`
      SELECT numberings.*, sources.id AS source_id FROM numberings JOIN sources ON sources.key = numberings.source
      WHERE frame < ? ${ofSource} ORDER BY frame DESC LIMIT ?`)
    .all(before ?? Number.MAX_SAFE_INTEGER, ...(source === undefined ? [] : [source]), limit + 1)
  const numberings = rows.slice(0, limit).map(numberingRow)
  const last = numberings.at(-1)
  return rows.length > limit && last !== undefined ? {numberings, next: last.frame} : {numberings}
}

function numberingRow(row: Row): NumberingRow {
  return {
    frame: Number(row['frame']),
    source: String(row['source_id']),
    receivedAt: Number(row['received_at']),
    decidedAt: Number(row['decided_at']),
    decision: row['decision'] as NumberingRow['decision'],
    held: fromJson(row['held']),
    offered: fromJson(row['offered']),
  }
}

/** The file with its log, and how many frames are in it: counted as they came and went, because counting them now would take long. */
export function readSize(db: DatabaseSync, path: string): {readonly storeBytes: number; readonly storedFrames: number} {
  const log = statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0
  const frames = db.prepare('SELECT sum(frames) - (SELECT frames FROM pruned) AS frames FROM tallies').get()?.['frames']
  return {storeBytes: statSync(path).size + log, storedFrames: Number(frames ?? 0)}
}
