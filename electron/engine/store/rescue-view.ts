import {closeSync, constants, copyFileSync, openSync, readSync, rmSync, statSync, writeSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {cutLog} from './cut-log.ts'
import {hasLog} from './open-for-reading.ts'
import {MIGRATIONS} from './schema.ts'
import type {StoreError} from './store.ts'

/** How a damaged file is read. It is only ever read; where it needs a new head to be read at all, a copy of it gets one. */
export interface DamagedView {
  /** For ATTACH. */
  readonly uri: string
  readonly version: number
  /** `withoutLog`: its log does not fit the file. `newHead`: the head of the file, which says where what is, was lost. */
  readonly how: readonly ('withoutLog' | 'newHead')[]
  /** Deletes the copy, where one was needed. */
  readonly dispose: () => void
}

/**
 * Finds a way to read a store that is damaged.
 *
 * @param work - where a copy may lie; a name that nothing has yet
 */
export function viewDamaged(path: string, work: string): Result<DamagedView, StoreError> {
  const dispose = (): void => {}
  const withLog = {uri: uriOf(path, 'mode=ro'), how: [], dispose} as const
  const alone = {uri: uriOf(path, 'immutable=1'), dispose} as const // makes no file beside it
  const withoutLog = {...alone, how: ['withoutLog']} as const
  const ways = !hasLog(path) ? [{...alone, how: []}] : logIsCut(path) ? [withoutLog] : [withLog, withoutLog]
  for (const way of ways) {
    const version = versionIn(way.uri)
    if (version === undefined) continue
    if (version > MIGRATIONS.length)
      return err({
        kind: 'newerSchema',
        detail: `schema ${version}; this version of Tidemark knows up to ${MIGRATIONS.length}`,
      })
    return ok({...way, version})
  }
  return withNewHead(path, work)
}

function uriOf(path: string, parameters: string): string {
  return `${pathToFileURL(path).href}?${parameters}`
}

/** `undefined` where not even the list of its tables can be read, or where it is no store. */
function versionIn(uri: string): number | undefined {
  const db = new DatabaseSync(':memory:')
  try {
    db.prepare('ATTACH ? AS damaged').run(uri)
    const tables = db
      .prepare('SELECT name FROM damaged.sqlite_schema')
      .all()
      .map(({name}) => name)
    const version = Number(db.prepare('PRAGMA damaged.user_version').get()?.['user_version'])
    return tables.includes('frames') && version > 0 ? version : undefined
  } catch {
    return undefined
  } finally {
    db.close()
  }
}

function logIsCut(path: string): boolean {
  try {
    const db = new DatabaseSync(path, {readOnly: true})
    try {
      return cutLog(db, path) !== undefined
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}

/**
 * A store is made in one go, so every store of a schema has its tables begin at the same pages: the head of a new one fits. A
 * file that an older version began may differ from it in the tables that came later.
 */
function withNewHead(path: string, work: string): Result<DamagedView, StoreError> {
  const dispose = (): void => {
    for (const suffix of ['', '-wal', '-shm', '.head']) rmSync(work + suffix, {force: true})
  }
  copyFileSync(path, work, constants.COPYFILE_FICLONE)
  for (const [page, bytes] of headOfNewStore(`${work}.head`)) writePage(work, page, bytes)
  correctHead(work)
  if (hasLog(path)) copyFileSync(`${path}-wal`, `${work}-wal`)
  const version = versionIn(uriOf(work, 'mode=ro'))
  if (version !== undefined) return ok({uri: uriOf(work, 'mode=ro'), version, how: ['newHead'], dispose})
  const alone = versionIn(uriOf(work, 'immutable=1'))
  if (alone !== undefined)
    return ok({uri: uriOf(work, 'immutable=1'), version: alone, how: ['newHead', 'withoutLog'], dispose})
  dispose()
  return err({kind: 'corrupt', detail: 'nothing in it can be read'})
}

const PAGE_BYTES = 4_096

/** The pages that hold the list of tables, the first page among them. */
function headOfNewStore(path: string): readonly (readonly [page: number, bytes: Uint8Array])[] {
  const db = new DatabaseSync(path)
  for (const step of MIGRATIONS) db.exec(step)
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  const pages = db
    .prepare(`SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'`)
    .all()
    .map(({pageno}) => Number(pageno))
  db.close()
  const file = openSync(path, 'r')
  try {
    return pages.map((page) => {
      const bytes = new Uint8Array(PAGE_BYTES)
      readSync(file, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
      return [page, bytes]
    })
  } finally {
    closeSync(file)
  }
}

function writePage(path: string, page: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, (page - 1) * PAGE_BYTES)
  } finally {
    closeSync(file)
  }
}

/** sqlite.org/fileformat.html, section 1.3: versions for the log, the number of pages, and no free ones. */
function correctHead(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const head = Buffer.alloc(100)
    readSync(file, head, 0, 100, 0)
    head.writeUInt8(2, 18)
    head.writeUInt8(2, 19)
    head.writeUInt32BE(Math.floor(statSync(path).size / PAGE_BYTES), 28)
    head.writeUInt32BE(0, 32)
    head.writeUInt32BE(0, 36)
    head.copy(head, 92, 24, 28)
    writeSync(file, head, 0, 100, 0)
  } finally {
    closeSync(file)
  }
}
