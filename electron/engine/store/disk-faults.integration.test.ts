import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {DatabaseSync} from 'node:sqlite'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {openDatabase} from './database.ts'
import {loadProfile} from './load.ts'
import {openSqliteStore} from './sqlite-store.ts'
import type {Store} from './store.ts'
import {rememberPlace} from './store-place.ts'
import {added, at, journaled, moved} from './testing/changes.ts'
import {copyStore} from './testing/damage.ts'
import {linesUntilKilled, runChild} from './testing/run-child.ts'
import {makeReadOnly, mountSmallDisk} from './testing/small-disk.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'
import {WORKER_URL} from './testing/worker-url.ts'
import {createWriteGroup} from './write-group.ts'

const WITHOUT_DESCRIPTORS = new URL('./testing/without-descriptors.ts', import.meta.url)
const LOOP = new URL('./testing/commit-in-a-loop.ts', import.meta.url)

function commit(store: Store, n: number, bytes = new Uint8Array(10)): Promise<void> {
  return store.commit([journaled(n, 'handled', {bytes}), moved(n, [['s', n === 1 ? undefined : n - 1, n]])])
}

async function framesOf(store: Store): Promise<readonly number[]> {
  return (await store.read.framesPage({}, undefined, 500)).frames.map((row) => row.id)
}

test('nothing is reported durable once the profile was deleted, and the process goes on', async () => {
  const directory = join(temporaryDirectory(), 'profile')
  mkdirSync(directory)
  const store = await openStore(join(directory, 'store.db'))
  await store.commit([added()])
  await commit(store, 1)
  rmSync(directory, {recursive: true})
  const deleted = {error: {kind: 'io', detail: 'the profile was deleted or moved while it was open'}}
  await expect(commit(store, 2)).rejects.toMatchObject(deleted)
  await expect(Promise.all([commit(store, 3), commit(store, 4)])).rejects.toMatchObject(deleted)
  await store.close()
})

test('nothing is reported durable once another file has the name, or the folder was moved', async () => {
  for (const replace of [replaceFile, moveFolder]) {
    const directory = join(temporaryDirectory(), 'profile')
    mkdirSync(directory)
    const path = join(directory, 'store.db')
    const store = await openStore(path)
    await store.commit([added()])
    replace(path, directory)
    await expect(commit(store, 1)).rejects.toMatchObject({error: {kind: 'io'}})
    await store.close()
  }
})

function replaceFile(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

function moveFolder(_path: string, directory: string): void {
  renameSync(directory, `${directory}-elsewhere`)
}

test('what was durable in a log that was deleted is durable in the file, and nothing more is taken', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = openForWriting(path)
  const write = createWriteGroup(db, rememberPlace(path))
  expect(write([[added(), journaled(1), moved(1, [['s', undefined, 1]])]])).toEqual([undefined])
  rmSync(`${path}-wal`)
  for (const n of [2, 3]) expect(write([[journaled(n)]])).toMatchObject([{kind: 'io'}])
  const left = openForWriting(copyStore(path)) // as after kill -9
  expect(loadProfile(left).sources[0]?.position).toEqual(at({s: 1}))
  left.close()
  db.close()
})

function openForWriting(path: string): DatabaseSync {
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  return opened.value
}

test('a full disk refuses what does not fit and keeps what was kept, until there is space again', async () => {
  const directory = temporaryDirectory()
  if (!mountSmallDisk(directory, '3m')) return // this user may not make a disk
  const path = join(directory, 'store.db')
  const filler = join(directory, 'filler')
  writeFileSync(filler, new Uint8Array(1_000_000))
  const store = await openStore(path)
  await store.commit([added()])
  await commit(store, 1)
  await expect(commit(store, 2, new Uint8Array(8_000_000))).rejects.toMatchObject({error: {kind: 'full'}})
  const refused = await commitUntilFull(store, 2)
  expect(await framesOf(store)).toEqual(Array.from({length: refused - 1}, (_, n) => refused - 1 - n))
  rmSync(filler)
  await commit(store, refused)
  await store.close()
  const reopened = await openStore(path)
  expect((await reopened.load()).sources[0]?.position).toEqual(at({s: refused}))
})

/** The first frame that was refused. */
async function commitUntilFull(store: Store, first: number): Promise<number> {
  for (let n = first; ; n++) {
    const failure = await commit(store, n).catch((cause: unknown) => cause)
    if (failure === undefined) continue
    expect(failure).toMatchObject({error: {kind: 'full'}})
    return n
  }
}

test('a disk that is full when the log is taken over loses nothing', async () => {
  const directory = temporaryDirectory()
  if (!mountSmallDisk(directory, '6m')) return
  const path = join(directory, 'store.db')
  const db = openForWriting(path)
  db.exec('PRAGMA wal_autocheckpoint = 200')
  const write = createWriteGroup(db)
  write([[added()]])
  let n = 1
  while (
    write([[journaled(n, 'handled', {bytes: new Uint8Array(3_000)}), moved(n, [['s', undefined, n]])]])[0] === undefined
  )
    n += 1
  const kept = n - 1
  expect(kept).toBeGreaterThan(100)
  const left = copyStore(path)
  db.close()
  for (const file of [left, path]) {
    const opened = openForWriting(file)
    expect(loadProfile(opened).nextFrameId).toBe(kept + 1)
    opened.close()
  }
})

test('a process without file descriptors goes on committing and reading; what needs one is an error', () => {
  const directory = temporaryDirectory()
  const files = [join(directory, 'store.db'), join(directory, 'other.db')]
  const run = (limit: number) =>
    spawnSync(
      '/bin/sh',
      [
        '-c',
        'ulimit -n "$0" && exec "$@"',
        String(limit),
        process.execPath,
        fileURLToPath(WITHOUT_DESCRIPTORS),
        ...files,
      ],
      {encoding: 'utf8'},
    )
  expect(run(64).stdout.split('\n')).toEqual([
    ...['commit 1: ok', 'commit 2: ok', 'commit 3: ok', 'read: 3', 'open: io', 'commit 4: ok', ''],
  ])
  expect(run(24).stderr).toMatch(/io: .*EMFILE/)
})

test('a disk that is mounted read-only can be read, also with what a killed process left in its log', async () => {
  const directory = temporaryDirectory()
  if (!mountSmallDisk(directory, '8m')) return
  const [closed, killed] = [join(directory, 'closed.db'), join(directory, 'killed.db')]
  const store = await openStore(closed)
  await store.commit([added()])
  await commit(store, 1)
  await store.close()
  const said = await linesUntilKilled(runChild(LOOP, [killed]), 9)
  rmSync(`${killed}-shm`)
  expect(statSync(`${killed}-wal`).size).toBeGreaterThan(0)
  makeReadOnly(directory)
  const [one, other] = [await openStore(closed, {access: 'read'}), await openStore(killed, {access: 'read'})]
  expect(await framesOf(one)).toEqual([1])
  expect(Math.max(...(await framesOf(other)))).toBeGreaterThanOrEqual(Math.max(...said.map(Number)))
  expect(await openSqliteStore({path: closed, workerUrl: WORKER_URL})).toMatchObject({error: {kind: 'readOnly'}})
})
