import {chmodSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import type {SourceId} from '../../../shared/source/source.ts'
import {openDatabase} from './database.ts'
import {openSqliteStore} from './sqlite-store.ts'
import type {Store} from './store.ts'
import {added, at, id, journaled, moved, SOURCE} from './testing/changes.ts'
import {linesUntilKilled, runChild} from './testing/run-child.ts'
import {makeReadOnly, mountSmallDisk} from './testing/small-disk.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'
import {WORKER_URL} from './testing/worker-url.ts'
import {createWriteGroup} from './write-group.ts'

const LOOP = new URL('./testing/commit-in-a-loop.ts', import.meta.url)

async function framesOf(store: Store): Promise<readonly number[]> {
  return (await store.read.framesPage({}, undefined, 500)).frames.map((row) => row.id)
}

test('nothing of a list that does not fit is visible, and the lists beside it are durable', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const store = await openStore(path)
  await store.commit([added()])
  const first = store.commit([journaled(1), moved(1, [['s', undefined, 1]])])
  const broken = store.commit([journaled(2), moved(2, [['s', 1, 2]]), journaled(1)])
  const last = store.commit([journaled(3), moved(3, [['s', 1, 3]])])
  expect(await Promise.allSettled([first, broken, last])).toMatchObject([
    {status: 'fulfilled'},
    {status: 'rejected', reason: {error: {kind: 'io'}}},
    {status: 'fulfilled'},
  ])
  expect(await framesOf(store)).toEqual([3, 1])
  const [source] = (await store.load()).sources
  expect(source?.position).toEqual(at({s: 3}))
  expect(source?.counts).toMatchObject({frames: 2, handled: 2})
})

test('a list about a source that was never added is refused', async () => {
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  const lost = store.commit([journaled(1, 'handled', {source: 'nobody' as SourceId})])
  await expect(lost).rejects.toMatchObject({error: {kind: 'io'}})
})

test('lists committed at once are applied in their order', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const store = await openStore(path)
  await store.commit([added()])
  const numbers = Array.from({length: 300}, (_, n) => n + 1)
  await Promise.all(numbers.map((n) => store.commit([journaled(n), moved(n, [['s', n - 1, n]])])))
  await store.close()
  const reopened = await openStore(path)
  expect((await reopened.load()).sources[0]?.position).toEqual(at({s: 300}))
  expect(await reopened.load()).toMatchObject({nextFrameId: 301})
})

test('what was said to be committed is there after the process was killed', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  let next = 1
  for (const lines of [1, 20, 57]) {
    const said = await linesUntilKilled(runChild(LOOP, [path, String(next)]), lines)
    const store = await openStore(path)
    const newest = (await store.load()).nextFrameId - 1
    expect(newest).toBeGreaterThanOrEqual(Math.max(...said.map(Number)))
    const [source] = (await store.load()).sources
    expect(source?.position).toEqual(at({s: newest}))
    expect(source?.counts.frames).toBe(newest)
    await store.close()
    next = newest + 1
  }
})

test('a reopened file still syncs every commit', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  for (let n = 0; n < 2; n++) {
    const opened = openDatabase({path, role: 'write'})
    if (!opened.ok) throw new Error(opened.error.detail)
    expect(opened.value.prepare('PRAGMA synchronous').get()).toEqual({synchronous: 2})
    expect(opened.value.prepare('PRAGMA journal_mode').get()).toEqual({journal_mode: 'wal'})
    opened.value.close()
  }
})

test('a second process can read beside the owner, and commits nothing', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const owner = await openStore(path)
  await owner.commit([added(), journaled(1), moved(1, [['s', undefined, 1]])])
  const reader = await openStore(path, {access: 'read'})
  expect((await reader.load()).sources[0]?.position).toEqual(at({s: 1}))
  await owner.commit([journaled(2), moved(2, [['s', 1, 2]])])
  expect(await framesOf(reader)).toEqual([2, 1])
  await expect(reader.commit([journaled(3)])).rejects.toMatchObject({error: {kind: 'readOnly'}})
})

test('reads a file that nobody has open, also after its owner was killed', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const said = await linesUntilKilled(runChild(LOOP, [path]), 9)
  const reader = await openStore(path, {access: 'read'})
  expect((await reader.load()).nextFrameId).toBeGreaterThan(Math.max(...said.map(Number)))
})

test('says that there is no file to read', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const opened = await openSqliteStore({path, workerUrl: WORKER_URL, access: 'read'})
  expect(opened).toMatchObject({ok: false, error: {kind: 'io'}})
})

test('a thread that dies fails what is outstanding and what comes after, and is told of', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const troubles: string[] = []
  const workerUrl = new URL('./testing/dying-worker.ts', import.meta.url)
  writeFileSync(path, '')
  const store = await openStore(path, {workerUrl, onTrouble: ({kind}) => troubles.push(kind)})
  await expect(store.commit([added()])).rejects.toMatchObject({error: {kind: 'io'}})
  await expect(store.commit([added()])).rejects.toMatchObject({error: {kind: 'io'}})
  await expect(store.load()).rejects.toMatchObject({error: {kind: 'io'}})
  await expect(store.read.size()).rejects.toMatchObject({error: {kind: 'io'}})
  await store.close()
  expect(troubles).toEqual(['io', 'io'])
})

test('a thread that cannot be started is an error and no hang', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const opened = await openSqliteStore({path, workerUrl: new URL('file:///no-such-worker.ts')})
  expect(opened).toMatchObject({ok: false, error: {kind: 'io'}})
})

test('a full disk refuses a list as a whole, says so, and takes the next one that fits', async () => {
  const directory = temporaryDirectory()
  const onOwnDisk = mountSmallDisk(directory, '1m')
  const opened = openDatabase({path: join(directory, 'store.db'), role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  const db = opened.value
  if (!onOwnDisk) db.exec('PRAGMA max_page_count = 120') // of 4 KiB, where this user may not make a disk
  const write = createWriteGroup(db)
  expect(write([[added()]])).toEqual([undefined])
  const large = new Uint8Array(2_000_000)
  const answers = write([
    [journaled(1)],
    [journaled(2, 'handled', {bytes: large}), moved(2, [['s', undefined, 2]])],
    [journaled(3)],
  ])
  expect(answers).toMatchObject([undefined, {kind: 'full'}, undefined])
  expect(db.prepare('SELECT id FROM frames ORDER BY id').all()).toEqual([{id: 1}, {id: 3}])
  expect(db.prepare('SELECT count(*) AS n FROM coordinates').get()).toEqual({n: 0})
  db.close()
})

test('a disk that cannot be written is told of at the start', async () => {
  const directory = temporaryDirectory()
  const onOwnDisk = mountSmallDisk(directory, '8m')
  const path = join(directory, 'store.db')
  const store = await openStore(path)
  await store.close()
  if (onOwnDisk) makeReadOnly(directory)
  else chmodSync(directory, 0o500)
  expect(await openSqliteStore({path, workerUrl: WORKER_URL})).toMatchObject({ok: false, error: {kind: 'readOnly'}})
  if (!onOwnDisk) chmodSync(directory, 0o700)
})

test('frames and their raw bytes come back from a chunk that they only viewed', async () => {
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  const chunk = new TextEncoder().encode('aaaabbbbcccc')
  const views = [chunk.subarray(0, 4), chunk.subarray(4, 8), chunk.subarray(8)]
  await store.commit([added(), ...views.map((bytes, n) => journaled(n + 1, 'handled', {bytes, size: 4}))])
  const shown = await Promise.all([1, 2, 3].map((n) => store.read.frameDetail(id(n))))
  expect(shown.map((detail) => atob(detail?.bytes ?? ''))).toEqual(['aaaa', 'bbbb', 'cccc'])
  expect(chunk.byteLength).toBe(12)
})

test('keeps what is committed to a source apart from every other source', async () => {
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  const other = 'other' as SourceId
  await store.commit([added(), added(other)])
  await store.commit([moved(1, [['s', undefined, 5]]), moved(2, [['s', undefined, 9]], {source: other})])
  const {sources} = await store.load()
  expect(sources.map(({record: {id: source}, position}) => [source, position])).toEqual([
    [SOURCE, at({s: 5})],
    [other, at({s: 9})],
  ])
})

test('a plain SQLite program can open the file', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const store = await openStore(path)
  await store.commit([added(), journaled(1)])
  await store.close()
  const db = new DatabaseSync(path, {readOnly: true})
  expect(db.prepare('SELECT summary FROM frames').get()).toEqual({summary: 'message 1'})
  db.close()
})
