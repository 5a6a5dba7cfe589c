import {accessSync, closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {cutLog} from './cut-log.ts'
import {freeName} from './free-name.ts'
import {openForReading} from './open-for-reading.ts'
import {keepPrivate} from './private-file.ts'
import {quickCheck} from './quick-check.ts'
import {MIGRATIONS} from './schema.ts'
import {storeErrorOf} from './sqlite-error.ts'
import type {StoreError} from './store.ts'

export interface DatabaseOptions {
  readonly path: string
  /** `read` never changes the file, and fails where there is none. */
  readonly role: 'write' | 'read'
  /** Larger files are not checked before they are used: it would delay the start by about 1 s a GB. In bytes. */
  readonly checkUpTo?: number
  readonly migrations?: readonly string[]
}

/** How long a statement waits for another process's lock, in ms. */
const BUSY_MS = 5_000
/** Pages of 4 KiB; 16 MiB of log between checkpoints, which are what makes single commits slow. */
const CHECKPOINT_PAGES = 4_000
/** A log that a reader kept from being taken over is cut back to this, in bytes. */
const LOG_KEPT = 64 * 1024 * 1024
const CHECK_UP_TO = 32 * 1024 * 1024

/**
 * Opens the store's file, looks whether it is sound, and brings its schema up to date. Nothing is ever deleted, repaired
 * or created anew over what is there: what is wrong is told.
 */
export function openDatabase(options: DatabaseOptions): Result<DatabaseSync, StoreError> {
  const {path, role} = options
  let db: DatabaseSync | undefined
  try {
    const known = role === 'write' ? unfit(options) : undefined
    if (known !== undefined) return err(known)
    if (role === 'write') keepPrivate(path)
    db = role === 'write' ? new DatabaseSync(path) : openForReading(path)
    setPragmas(db, role)
    const problem = upToDate(db, options)
    if (problem === undefined) return ok(db)
    db.close()
    return err(problem)
  } catch (cause) {
    if (db?.isOpen === true) db.close()
    return err(storeErrorOf(cause))
  }
}

/** Looks through a whole store, however large. `undefined`: it is sound. */
export function findDamage(path: string): StoreError | undefined {
  try {
    return unfit({path, role: 'write', checkUpTo: Number.POSITIVE_INFINITY})
  } catch (cause) {
    return storeErrorOf(cause)
  }
}

/**
 * Why a file that is there must not be opened for writing. It is looked at through a connection that only reads: one that could
 * write would take the log over into the file as it closes, and a file that is refused stays as it is.
 */
function unfit({path, checkUpTo = CHECK_UP_TO, migrations = MIGRATIONS}: DatabaseOptions): StoreError | undefined {
  mustBeWritable(path)
  const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0
  if (size === 0 || existsSync(`${path}-journal`)) return undefined // new, or killed before it was a store
  const db = new DatabaseSync(path, {readOnly: true})
  try {
    return (
      newerSchema(versionOf(db), migrations.length) ??
      cutLog(db, path) ??
      (size <= checkUpTo ? quickCheck(db) : undefined)
    )
  } finally {
    db.close()
  }
}

/**
 * FULL on every open: SQLite reopens a WAL database as NORMAL, which may forget the last commits in a power cut. Callbacks
 * ran for what they hold, and a server's buffer is bounded: perhaps nobody can send it again.
 */
function setPragmas(db: DatabaseSync, role: DatabaseOptions['role']): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;`)
  if (role === 'write') db.exec('PRAGMA journal_mode = WAL')
  db.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${LOG_KEPT};
    PRAGMA cache_size = -${role === 'write' ? 32_000 : 64_000};
  `)
}

/** SQLite would open a file it may not write, and tell only at the first commit. */
function mustBeWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK)
  if (existsSync(path)) accessSync(path, constants.W_OK)
}

function upToDate(db: DatabaseSync, {path, role, migrations = MIGRATIONS}: DatabaseOptions): StoreError | undefined {
  const version = versionOf(db)
  const newest = migrations.length
  if (version >= newest) return newerSchema(version, newest)
  if (role === 'read')
    return {kind: 'olderSchema', detail: `schema ${version}; this version of Tidemark reads ${newest}`}
  if (version > 0) backUp(db, path, version)
  migrate(db, migrations.slice(version), newest)
  return undefined
}

function newerSchema(version: number, newest: number): StoreError | undefined {
  if (version <= newest) return undefined
  return {kind: 'newerSchema', detail: `schema ${version}; this version of Tidemark knows up to ${newest}`}
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
}

/** All steps in one transaction: a crash in the middle leaves the old schema whole. */
function migrate(db: DatabaseSync, steps: readonly string[], version: number): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of steps) db.exec(step)
    db.exec(`PRAGMA user_version = ${version}`)
    db.exec('COMMIT')
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

/**
 * A whole copy beside the file, durable before the first step; an earlier copy is never overwritten. One that a killed process
 * did not finish is made anew: it has a name of its own until it is whole, and only the owner of a profile makes one.
 */
function backUp(db: DatabaseSync, path: string, version: number): void {
  const unfinished = `${path}.unfinished`
  for (const half of [unfinished, `${unfinished}-journal`]) rmSync(half, {force: true})
  keepPrivate(unfinished) // SQLite copies into a file that is empty
  db.prepare('VACUUM INTO ?').run(unfinished)
  sync(unfinished)
  renameSync(unfinished, freeName(`${path}.v${version}.backup`))
  sync(dirname(path))
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
