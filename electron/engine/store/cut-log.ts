import type {DatabaseSync} from 'node:sqlite'
import {hasLog, openWithoutLog} from './open-for-reading.ts'
import {quickCheck} from './quick-check.ts'
import type {StoreError} from './store.ts'

/** Counts a transaction on a page that every one of them writes. To be run in each, so that they can be told apart below. */
export const COUNT_COMMIT = 'UPDATE tallies SET commits = commits + 1 WHERE source = (SELECT min(source) FROM tallies)'

/**
 * Tells a log that lost its end after it had been taken over into the file. SQLite would read what is left of it over newer
 * pages, a mixture that no check of structure finds; a log that lost its end before that is only an earlier moment. The
 * file alone then counts more commits than the file with its log. It is also sound alone: one that a killed checkpoint
 * left half taken over is not, and its log mends it.
 *
 * @param db - the file with its log
 */
export function cutLog(db: DatabaseSync, path: string): StoreError | undefined {
  if (!hasLog(path) || !isAhead(path, commitsOf(db))) return undefined
  return {kind: 'corrupt', detail: 'the log beside the file lost its end after it had been taken over'}
}

function isAhead(path: string, commits: number): boolean {
  try {
    const alone = openWithoutLog(path)
    try {
      return commitsOf(alone) > commits && quickCheck(alone) === undefined
    } finally {
      alone.close()
    }
  } catch {
    return false // it cannot be read alone: then only its log can make it whole
  }
}

/** 0 before the first source, and in a file that does not count them yet. */
function commitsOf(db: DatabaseSync): number {
  const counted = db.prepare(`SELECT 1 FROM pragma_table_info('tallies') WHERE name = 'commits'`).get()
  if (counted === undefined) return 0
  return Number(db.prepare('SELECT commits FROM tallies ORDER BY source LIMIT 1').get()?.['commits'] ?? 0)
}
