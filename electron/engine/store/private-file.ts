import {chmodSync, closeSync, existsSync, openSync, statSync} from 'node:fs'

/** What a user's own files are. */
const PRIVATE = 0o600
const OTHERS = 0o077

/**
 * Makes sure that nobody else can read a file, before SQLite writes to it: frames are conversations, and the folder may have
 * been made by somebody who did not know. SQLite would create it as the process usually creates files; what it puts beside it
 * (`-wal`, `-shm`, `-journal`) has the permissions of the file itself.
 */
export function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', PRIVATE))
  if (process.platform === 'win32') return // permissions are the folder's there
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) closeToOthers(file)
}

function closeToOthers(path: string): void {
  const found = statSync(path, {throwIfNoEntry: false})
  if (found !== undefined && (found.mode & OTHERS) !== 0 && found.uid === process.getuid?.()) chmodSync(path, PRIVATE)
}
