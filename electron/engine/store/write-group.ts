import type {DatabaseSync} from 'node:sqlite'
import type {Change} from '../../../shared/history/change.ts'
import {applyChanges, type Writing} from './apply-change.ts'
import {storeErrorOf} from './sqlite-error.ts'
import type {StoreError} from './store.ts'
import {explainLost, NOWHERE_TO_LOSE, type StorePlace} from './store-place.ts'
import {createWriteBook} from './write-book.ts'
import {prepareWriteStatements} from './write-statements.ts'

/** Lists that share one sync. What became of each stands at its place: `undefined` where all of it is durable. */
export type WriteGroup = (lists: readonly (readonly Change[])[]) => readonly (StoreError | undefined)[]

/**
 * All lists in one transaction; where that fails, each in one of its own, in order, so that a list that does not fit
 * takes none of the others with it. The path without failures pays nothing for that.
 *
 * @param place - asked after each transaction: what went into a deleted file is not durable, and nothing more goes there
 */
export function createWriteGroup(db: DatabaseSync, place: StorePlace = NOWHERE_TO_LOSE): WriteGroup {
  const writing: Writing = {book: createWriteBook(db), run: prepareWriteStatements(db)}
  let lost: StoreError | undefined
  const write = (lists: readonly (readonly Change[])[]): StoreError | undefined => {
    if (lost !== undefined) return lost
    const failed = transact(db, writing, lists)
    const missing = place.lost()
    if (missing === undefined) return failed
    if (missing === 'log') takeOver(db)
    lost = explainLost(missing)
    return lost
  }
  return (lists) => {
    const failed = write(lists)
    if (failed === undefined) return lists.map(() => undefined)
    if (lists.length === 1) return [failed]
    return lists.map((list) => write([list]))
  }
}

/** What was reported as durable stood in a log that nobody can find any more: it goes into the file, which is still there. */
function takeOver(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(FULL)')
  } catch {
    // That the log is gone is the failure to report.
  }
}

function transact(db: DatabaseSync, writing: Writing, lists: readonly (readonly Change[])[]): StoreError | undefined {
  try {
    db.exec('BEGIN IMMEDIATE')
    for (const list of lists) applyChanges(list, writing)
    writing.book.flush()
    db.exec('COMMIT')
    return undefined
  } catch (cause) {
    writing.book.forget()
    rollBack(db)
    return storeErrorOf(cause)
  }
}

/** SQLite has rolled back by itself after some failures. Where even this fails, the next BEGIN will say so. */
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } catch {
    // The failure that led here is the one to report.
  }
}
