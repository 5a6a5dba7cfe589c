import {statSync} from 'node:fs'
import {ok, type Result} from '../../../shared/base/result.ts'
import {createCommitQueue} from './commit-queue.ts'
import {packChanges} from './pack-changes.ts'
import type {PruneStep} from './prune.ts'
import {type Pruned, type Store, type StoreError, StoreFailure, type StoreReader} from './store.ts'
import type {ViewedProfile} from './view-profile.ts'
import {startWorker, type WorkerLink} from './worker-link.ts'

export interface SqliteStoreOptions {
  readonly path: string
  /** `store-worker` beside this file, or where a build put it. */
  readonly workerUrl: URL
  /** `read` is for a second process beside the owner of the profile: it commits nothing, and needs a file. Default `write`. */
  readonly access?: 'write' | 'read'
  /** Told when a thread of the store died, or when damage is found in a large file after it was opened. */
  readonly onTrouble?: (error: StoreError) => void
}

/** Larger files are looked through on a thread of their own while they are already in use. In bytes; see database.ts. */
const CHECKED_AT_OPEN = 32 * 1024 * 1024

/** The durable store: one thread that writes, one that reads, so that no question waits behind a sync and no commit behind a question. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Result<Store, StoreError>> {
  const {path, workerUrl, access = 'write', onTrouble = () => {}} = options
  const writer = access === 'write' ? await startWorker(workerUrl, {path, role: 'write'}, onTrouble) : undefined
  if (writer?.ok === false) return writer
  const reader = await startWorker(workerUrl, {path, role: 'read'}, onTrouble)
  if (!reader.ok) {
    await writer?.value.close()
    return reader
  }
  if (writer === undefined) return ok(readOnlyStore(reader.value))
  const health = createHealth()
  const checking = checkLater(options, (error) => {
    health.note(error)
    onTrouble(error)
  })
  return ok(writableStore(writer.value, reader.value, {checking, health}))
}

interface Health {
  readonly note: (error: StoreError | undefined) => void
  readonly damage: () => StoreError | undefined
}

/** Once damage was found nothing more is written: who knows what the next page would be written over. */
function createHealth(): Health {
  let damage: StoreError | undefined
  return {
    note(error) {
      if (error?.kind === 'corrupt') damage ??= error
    },
    damage: () => damage,
  }
}

/** A store to look at, also one that is damaged: each question that meets what cannot be read fails alone. */
export interface StoreView {
  readonly view: () => Promise<ViewedProfile>
  readonly read: StoreReader
  readonly close: () => Promise<void>
}

export async function openStoreView(path: string, workerUrl: URL): Promise<Result<StoreView, StoreError>> {
  const reader = await startWorker(workerUrl, {path, role: 'read'}, () => {})
  if (!reader.ok) return reader
  const {ask, close} = reader.value
  return ok({view: () => ask('view', undefined), read: readerOf(reader.value), close})
}

interface Watch {
  readonly checking: AbortController
  readonly health: Health
}

function writableStore(writer: WorkerLink, reader: WorkerLink, {checking, health}: Watch): Store {
  const queue = createCommitQueue(async (lists) => {
    const packed = packChanges(lists)
    const errors = await writer.ask('write', packed, [packed.buffer, packed.numbers.buffer])
    for (const error of errors) health.note(error)
    return errors
  })
  const refused = (): StoreError | undefined => (closing === undefined ? health.damage() : CLOSED)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await queue.drained()
    checking.abort()
    await reader.close()
    await writer.close() // the last connection takes the log over into the file
  }
  return {
    commit(changes) {
      const why = refused()
      return why === undefined ? queue.commit(changes) : Promise.reject(new StoreFailure(why))
    },
    async load() {
      await queue.drained()
      return writer.ask('load', undefined)
    },
    read: readerOf(reader),
    prune: (order) =>
      pruneAll(
        () => writer.ask('prune', order),
        () => refused() !== undefined,
      ),
    close: () => (closing ??= close()),
  }
}

const CLOSED: StoreError = {kind: 'closed', detail: 'the store is closed'}

const READ_ONLY: StoreError = {kind: 'readOnly', detail: 'this process only reads the profile'}

/** One step after another; commits that came meanwhile are written between them. */
async function pruneAll(step: () => Promise<PruneStep>, over: () => boolean): Promise<Pruned> {
  let [frames, bytes] = [0, 0]
  while (!over()) {
    const done = await step()
    frames += done.frames
    bytes += done.bytes
    if (!done.more) break
  }
  return {frames, bytes}
}

function readOnlyStore(reader: WorkerLink): Store {
  return {
    commit: () => Promise.reject(new StoreFailure(READ_ONLY)),
    prune: () => Promise.reject(new StoreFailure(READ_ONLY)),
    load: () => reader.ask('load', undefined),
    read: readerOf(reader),
    close: reader.close,
  }
}

function readerOf(reader: WorkerLink): StoreReader {
  return {
    framesPage: (filter, before, limit) => reader.ask('framesPage', {filter, before, limit}),
    frameDetail: (frame) => reader.ask('frameDetail', frame),
    frameBytes: (frame, from) => reader.ask('frameBytes', {frame, from}),
    timeline: (source, from, to, columns) => reader.ask('timeline', {source, from, to, columns}),
    gaps: (source, before, limit, whole = false) => reader.ask('gaps', {source, before, limit, whole}),
    holes: (source, before, limit) => reader.ask('holes', {source, before, limit}),
    numberings: (source, before, limit) => reader.ask('numberings', {source, before, limit}),
    generations: (source, limit) => reader.ask('generations', {source, limit}),
    openActivities: (source) => reader.ask('openActivities', source),
    journaled: (frame) => reader.ask('journaled', frame),
    size: () => reader.ask('size', undefined),
  }
}

/** Looks through a large file without anybody waiting for it. */
function checkLater({path, workerUrl, access}: SqliteStoreOptions, onTrouble: (error: StoreError) => void) {
  const cancel = new AbortController()
  if (access === 'read' || statSync(path).size <= CHECKED_AT_OPEN) return cancel
  void startWorker(workerUrl, {path, role: 'check'}, () => {}).then(async (checked) => {
    if (checked.ok) await checked.value.close()
    else if (!cancel.signal.aborted) onTrouble(checked.error)
  })
  return cancel
}
