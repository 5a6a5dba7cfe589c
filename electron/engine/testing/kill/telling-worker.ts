import {DatabaseSync} from 'node:sqlite'
import {workerData} from 'node:worker_threads'
import {COUNT_COMMIT} from '../../store/cut-log.ts'
import type {WorkerStart} from '../../store/store-messages.ts'
import {type StorePassed, type StorePoint, WAITS} from './point.ts'
import {createTeller} from './teller.ts'

/*
 * The store's own worker, which says what its connection is about to do and what it did. It is the shipped one; only SQLite's
 * doors are watched. Where the environment says so it goes on only when it is let.
 */

const waits = process.env[WAITS] === 'store'
const tell = createTeller<StorePassed>({says: 3, hears: 4, waits})

const doors = {
  exec: DatabaseSync.prototype.exec,
  prepare: DatabaseSync.prototype.prepare,
  close: DatabaseSync.prototype.close,
}

/** The connection that writes. Files are looked at through others before. */
let writer: DatabaseSync | undefined
let of: StorePassed['of']
let backedUp = false
/** Where nobody waits, once is enough: what it says is how this connection syncs. */
let told = false

function pass(db: DatabaseSync, point: StorePoint): void {
  if (told && !waits) return
  told = true
  const synchronous = Number(doors.prepare.call(db, 'PRAGMA synchronous').get()?.['synchronous'])
  tell({point, ...(of === undefined ? {} : {of}), synchronous})
}

function beforeExec(db: DatabaseSync, sql: string): void {
  if (sql === 'BEGIN IMMEDIATE') {
    if (backedUp) pass(db, 'backedUp')
    backedUp = false
    of = 'write'
  } else if (sql === COUNT_COMMIT) {
    of = 'prune'
    pass(db, 'pruned')
  } else if (sql === 'COMMIT' && of !== undefined) pass(db, 'committing')
  else if (sql.startsWith('PRAGMA user_version')) pass(db, 'migrated')
  else if (db.isTransaction) {
    of = 'migration'
    pass(db, 'migrating')
  }
}

function afterExec(db: DatabaseSync, sql: string): void {
  if (sql === 'BEGIN IMMEDIATE') pass(db, 'beginning')
  if (sql !== 'COMMIT') return
  if (of !== undefined) pass(db, 'committed')
  of = undefined // the transaction of a question is none of these
}

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (sql.includes('journal_mode = WAL')) writer = this
  if (writer === this) beforeExec(this, sql)
  doors.exec.call(this, sql)
  if (writer === this) afterExec(this, sql)
}

DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...ask: Parameters<DatabaseSync['prepare']>) {
  const [sql] = ask
  if (writer === this && sql.startsWith('VACUUM INTO')) {
    of = 'migration'
    backedUp = true
    pass(this, 'backingUp')
  }
  if (writer === this && sql.startsWith('DELETE FROM frames')) {
    of = 'prune'
    pass(this, 'pruning')
  }
  return doors.prepare.apply(this, ask)
}

DatabaseSync.prototype.close = function (this: DatabaseSync): void {
  of = undefined
  if (writer === this) pass(this, 'closing')
  doors.close.call(this)
  if (writer === this && waits) tell({point: 'closed'})
}

if ((workerData as WorkerStart).role !== 'write') Object.assign(DatabaseSync.prototype, doors)
await import('../../store/store-worker.ts')
