import {messageOf} from '../../../shared/base/message-of.ts'
import {type StoreError, StoreFailure} from './store.ts'

/** Primary result codes of SQLite (sqlite.org/rescode.html); the higher bits of an extended code tell where it happened. */
const KINDS: ReadonlyMap<number, StoreError['kind']> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'readOnly'],
  [10, 'io'],
  [11, 'corrupt'],
  [13, 'full'],
  [14, 'io'],
  [26, 'corrupt'],
])

/** SQLITE_IOERR_SHMSIZE: the index of the WAL could not grow, which is how a full disk first shows in WAL mode. */
const SHARED_MEMORY_DID_NOT_GROW = 4874

const SYSTEM_KINDS: ReadonlyMap<string, StoreError['kind']> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readOnly'],
  ['EACCES', 'readOnly'],
  ['EPERM', 'readOnly'],
])

/** What SQLite or the file system said, as something a person can act on. Unknown failures are `io`, with their words. */
export function storeErrorOf(cause: unknown): StoreError {
  if (cause instanceof StoreFailure) return cause.error
  const detail = messageOf(cause)
  return {kind: kindOf(cause), detail}
}

function kindOf(cause: unknown): StoreError['kind'] {
  if (typeof cause !== 'object' || cause === null) return 'io'
  if ('errcode' in cause && typeof cause.errcode === 'number') {
    if (cause.errcode === SHARED_MEMORY_DID_NOT_GROW) return 'full'
    return KINDS.get(cause.errcode & 0xff) ?? 'io'
  }
  if ('code' in cause && typeof cause.code === 'string') return SYSTEM_KINDS.get(cause.code) ?? 'io'
  return 'io'
}
