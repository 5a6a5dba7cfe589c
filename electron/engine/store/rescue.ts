import {existsSync, rmSync} from 'node:fs'
import type {DatabaseSync} from 'node:sqlite'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {openDatabase} from './database.ts'
import {quickCheck} from './quick-check.ts'
import {type CopiedTable, copyTable, type Part} from './rescue-copy.ts'
import {type CheckedCursors, checkCursors, newestMoves} from './rescue-cursors.ts'
import {type Mended, mendReferences} from './rescue-mend.ts'
import {RESCUED_TABLES} from './rescue-tables.ts'
import {type DamagedView, viewDamaged} from './rescue-view.ts'
import {LEVELS_MS} from './roll-up.ts'
import {storeErrorOf} from './sqlite-error.ts'
import type {StoreError} from './store.ts'

/** What was saved of a damaged store, and what was not. */
export interface SalvageReport {
  readonly into: string
  readonly how: DamagedView['how']
  readonly tables: readonly CopiedTable[]
  readonly mended: Mended
  readonly cursors: CheckedCursors
  /** By the key that the rest of the report calls a source by. */
  readonly names: readonly (readonly [source: number, name: string])[]
}

/**
 * Copies everything that can be read of a damaged store into a new file of the newest schema, and looks whether that is sound.
 * The damaged one is only read, never changed, moved or deleted.
 */
export function salvage(path: string, into: string): Result<SalvageReport, StoreError> {
  if (existsSync(into)) return err({kind: 'io', detail: `${into} is there already`})
  try {
    const view = viewDamaged(path, `${into}.reading`)
    if (!view.ok) return view
    try {
      const report = copyAll(view.value, into)
      if (!report.ok) remove(into)
      return report
    } finally {
      view.value.dispose()
    }
  } catch (cause) {
    remove(into)
    return err(storeErrorOf(cause))
  }
}

function copyAll(view: DamagedView, into: string): Result<SalvageReport, StoreError> {
  const opened = openDatabase({path: into, role: 'write'})
  if (!opened.ok) return opened
  const db = opened.value
  try {
    db.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; DELETE FROM pruned') // all of it is synced at the end
    db.prepare('ATTACH ? AS damaged').run(view.uri)
    const tables = RESCUED_TABLES.map((table) => copyTable(db, table))
    tables.push(copyTable(db, CELLS, partsOfCells(db)))
    if (tables.every(({saved}) => saved === 0)) return err({kind: 'corrupt', detail: 'nothing in it can be read'})
    const newest = newestMoves(db, {until: coordinatesToMeet(db, tables)})
    const mended = mendReferences(
      db,
      newest,
      tables.flatMap(({without}) => without),
    )
    const cursors = checkCursors(db, newest)
    db.exec('DETACH damaged')
    const unsound = quickCheck(db)
    if (unsound !== undefined) return err(unsound)
    db.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
    return ok({into, how: view.how, tables, mended, cursors, names: namesIn(db)})
  } finally {
    db.close()
  }
}

function namesIn(db: DatabaseSync): SalvageReport['names'] {
  const rows = db.prepare(`SELECT key, json_extract(record, '$.name') AS name FROM sources ORDER BY key`).all()
  return rows.map((row) => [Number(row['key']), String(row['name'])])
}

/** Where every coordinate is known, looking for their newest moves ends when all were met. */
function coordinatesToMeet(db: DatabaseSync, tables: readonly CopiedTable[]): number {
  if (tables.find(({table}) => table === 'coordinates')?.lost !== 0) return Number.POSITIVE_INFINITY
  return Number(db.prepare('SELECT count(*) AS n FROM coordinates').get()?.['n'])
}

const CELLS = {name: 'cells', key: 'bucket', sound: 'count >= 0', names: ['source', 'level', 'bucket', 'lane']}

function partsOfCells(db: DatabaseSync): readonly Part[] {
  const sources = db
    .prepare('SELECT key FROM sources UNION SELECT source FROM tallies UNION SELECT DISTINCT source FROM frames')
    .all()
  return sources.flatMap((row) =>
    [...LEVELS_MS.keys()].map((level) => ({sql: 'source = ? AND level = ?', values: [Number(row['key']), level]})),
  )
}

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, {force: true})
}
