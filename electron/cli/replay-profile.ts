import {randomUUID} from 'node:crypto'
import {basename, resolve} from 'node:path'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {EpochMs} from '../../shared/base/units.ts'
import {nothingHeld} from '../../shared/callbacks/held.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import {NOWHERE, type Position} from '../../shared/position/position.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import {systemClock} from '../engine/clock.ts'
import type {ReplayTarget} from '../engine/replay/replay-target.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {lockProfile} from '../engine/store/profile-lock.ts'
import {openSqliteStore} from '../engine/store/sqlite-store.ts'
import type {Store} from '../engine/store/store.ts'

export interface ReplayProfile extends ReplayTarget {
  readonly close: () => Promise<void>
}

/** Makes a source of its own in a profile, for a stream that is replayed into it; it stays there with its history. */
export async function openReplayProfile(
  named: string,
  file: string,
  start: Position = NOWHERE,
): Promise<Result<ReplayProfile, string>> {
  const clock = systemClock()
  const directory = profileDirectory(named)
  const lock = lockProfile(directory, {pid: process.pid, mode: 'replay', since: clock.now()})
  if (!lock.ok)
    return err(
      lock.error.kind === 'owned'
        ? `another Tidemark owns the profile ${directory}`
        : inOneLine(explainStoreError(lock.error)),
    )
  const workerUrl = new URL('../engine/store/store-worker.ts', import.meta.url)
  const store = await openSqliteStore({path: profileFiles(directory).store, workerUrl})
  if (!store.ok) {
    lock.value.release()
    return err(inOneLine(explainStoreError(store.error)))
  }
  const source = randomUUID() as SourceId // made here, once
  await addRecording(store.value, {source, file, start, at: clock.now()})
  let nextId = Number((await store.value.load()).nextFrameId)
  return ok({
    source,
    held: {...nothingHeld(), position: start},
    clock,
    nextFrameId: () => nextId++ as FrameId, // counted on from the highest on disk
    commit: store.value.commit,
    async close() {
      await store.value.close()
      lock.value.release()
    },
  })
}

interface Recording {
  readonly source: SourceId
  readonly file: string
  readonly start: Position
  readonly at: EpochMs
}

/** A start that was given is not something the stream said: it enters the cursor's history as imported. */
async function addRecording(store: Store, {source, file, start, at}: Recording): Promise<void> {
  const path = file === '-' ? 'standard input' : resolve(file)
  const record = {
    id: source,
    name: basename(path),
    settings: {kind: 'recording', file: path},
    connectionId: source,
    addedAt: at,
    paused: true,
  } as const
  const steps = [...start].map(([key, after]) => ({key, after}))
  await store.commit([
    {kind: 'sourceAdded', source: record},
    ...(steps.length === 0 ? [] : [{kind: 'cursorMoved', move: {source, at, cause: 'imported', steps}} as const]),
  ])
}
