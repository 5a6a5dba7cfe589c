import type {Change} from '../../../shared/history/change.ts'
import {type StoreError, StoreFailure} from './store.ts'

/** Writes lists that share one sync. Rejects where none of them could be tried. */
export type WriteLists = (lists: readonly (readonly Change[])[]) => Promise<readonly (StoreError | undefined)[]>

export interface CommitQueue {
  readonly commit: (changes: readonly Change[]) => Promise<void>
  /** Resolves when everything committed before it is durable or refused. */
  readonly drained: () => Promise<void>
}

interface Queued {
  readonly changes: readonly Change[]
  readonly done: PromiseWithResolvers<void>
}

/** One sync takes at most this many changes along, so that nobody waits for more than a moment. */
const CHANGES_IN_GROUP = 4_000

/**
 * Group commit: while one group of lists is being written, those that come wait, and then go together, in order. The busier
 * the disk, the more share a sync.
 */
export function createCommitQueue(write: WriteLists): CommitQueue {
  let queued: Queued[] = []
  let writing: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    while (queued.length > 0) {
      const size = groupSize(queued)
      const group = queued.slice(0, size)
      queued = queued.slice(size)
      await writeOne(write, group)
    }
    writing = undefined
  }
  return {
    commit(changes) {
      const done = Promise.withResolvers<void>()
      queued.push({changes, done})
      writing ??= writeAll()
      return done.promise
    },
    drained: async () => writing,
  }
}

function groupSize(queued: readonly Queued[]): number {
  let changes = 0
  for (const [index, {changes: list}] of queued.entries()) {
    changes += list.length
    if (changes > CHANGES_IN_GROUP) return Math.max(1, index)
  }
  return queued.length
}

async function writeOne(write: WriteLists, group: readonly Queued[]): Promise<void> {
  try {
    const errors = await write(group.map(({changes}) => changes))
    for (const [index, {done}] of group.entries()) {
      const error = errors[index]
      if (error === undefined) done.resolve()
      else done.reject(new StoreFailure(error))
    }
  } catch (cause) {
    for (const {done} of group) done.reject(cause)
  }
}
