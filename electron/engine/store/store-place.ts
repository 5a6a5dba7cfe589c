import {statSync} from 'node:fs'
import type {StoreError} from './store.ts'

/** Whether what is written goes where it will be found again. */
export interface StorePlace {
  /** What is missing under its name. Once something was, this place is lost for good. */
  readonly lost: () => 'file' | 'log' | undefined
}

/**
 * Remembers which file and log a path names now. Both can be deleted or moved while they are open, and SQLite would go on
 * writing to them: what it then reports as durable ends with the process. Asked after a commit, this tells.
 */
export function rememberPlace(path: string): StorePlace {
  const [file, log] = [identityOf(path), identityOf(`${path}-wal`)]
  let lost: 'file' | 'log' | undefined
  return {
    lost() {
      if (lost === undefined && identityOf(path) !== file) lost = 'file'
      if (lost === undefined && identityOf(`${path}-wal`) !== log) lost = 'log'
      return lost
    },
  }
}

export const NOWHERE_TO_LOSE: StorePlace = {lost: () => undefined}

export function explainLost(lost: 'file' | 'log'): StoreError {
  const what = lost === 'file' ? 'the profile' : 'the log of the profile’s store'
  return {kind: 'io', detail: `${what} was deleted or moved while it was open`}
}

/** Of what a name stands for; `undefined` where it stands for nothing. As bigints: file numbers of some systems are larger than 2^53. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, {bigint: true, throwIfNoEntry: false})
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}
