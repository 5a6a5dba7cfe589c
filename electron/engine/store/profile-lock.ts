import {readFileSync, rmSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import {z} from 'zod'
import {parseJson} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {keepPrivate} from './private-file.ts'
import {makeProfileDirectory, profileFiles} from './profile.ts'
import {storeErrorOf} from './sqlite-error.ts'
import type {StoreError} from './store.ts'
import {writeWholeFile} from './write-whole-file.ts'

const profileOwner = z.object({
  pid: z.number(),
  mode: z.string(),
  /** Epoch ms. */
  since: z.number(),
  /** Where it can be opened, with its secret: the file is for this user only. */
  url: z.string().optional(),
})
export type ProfileOwner = z.infer<typeof profileOwner>

export interface ProfileLock {
  /** Tells a second process where this one can be reached. */
  readonly announce: (url: string) => void
  readonly release: () => void
}

/** `owner` is absent where the other process has not said yet who it is. */
export type LockError = {readonly kind: 'owned'; readonly owner?: ProfileOwner} | StoreError

/**
 * Makes this process the one owner of a profile, or tells who is. The lock is the kernel's, taken through SQLite, so that
 * a process that is killed leaves nothing behind that would have to be judged stale.
 */
export function lockProfile(directory: string, owner: ProfileOwner): Result<ProfileLock, LockError> {
  const files = profileFiles(directory)
  let held: DatabaseSync | undefined
  try {
    makeProfileDirectory(directory)
    keepPrivate(files.lock)
    held = new DatabaseSync(files.lock)
    held.exec('BEGIN EXCLUSIVE')
    writeWholeFile(files.owner, JSON.stringify(owner))
    return ok(ownedBy(held, files.owner, owner))
  } catch (cause) {
    held?.close()
    const error = storeErrorOf(cause)
    return err(error.kind === 'busy' ? ownedError(directory) : error)
  }
}

/** Who owned the profile last. Whether it still does, only its lock tells. */
export function readOwner(directory: string): ProfileOwner | undefined {
  try {
    const parsed = profileOwner.safeParse(parseJson(readFileSync(profileFiles(directory).owner, 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined // no file: nobody said anything
  }
}

function ownedBy(held: DatabaseSync, path: string, owner: ProfileOwner): ProfileLock {
  return {
    announce: (url) => writeWholeFile(path, JSON.stringify({...owner, url})),
    release() {
      if (!held.isOpen) return
      rmSync(path, {force: true})
      held.close()
    },
  }
}

function ownedError(directory: string): LockError {
  const owner = readOwner(directory)
  return {kind: 'owned', ...(owner === undefined ? {} : {owner})}
}
