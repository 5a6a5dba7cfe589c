import {accessSync, constants, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'

/**
 * A connection that changes nothing. SQLite reads a WAL file only where it can make the log's index beside it, so that a disk
 * that is mounted read-only needs ways of its own; nobody can be writing there.
 */
export function openForReading(path: string): DatabaseSync {
  if (!onReadOnlyDisk(path)) return new DatabaseSync(path, {readOnly: true})
  if (!hasLog(path)) return openWithoutLog(path)
  const url = pathToFileURL(path)
  url.searchParams.set('vfs', 'unix-none') // takes no locks, so that the index may stay in memory
  const db = new DatabaseSync(url, {readOnly: true})
  db.exec('PRAGMA locking_mode = EXCLUSIVE')
  return db
}

/** The file alone, as the last checkpoint left it. */
export function openWithoutLog(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, {readOnly: true})
}

export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > 0
}

function onReadOnlyDisk(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK)
    return false
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EROFS'
  }
}
