import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {openSqliteStore} from './sqlite-store.ts'
import type {StoreError} from './store.ts'
import {added, at, id, journaled, moved} from './testing/changes.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'
import {WORKER_URL} from './testing/worker-url.ts'

/** A store too large to be looked through before it is used, of which one page is lost. */
async function largeStore(lost: (page: {readonly name: string; readonly kind: string}) => boolean): Promise<string> {
  const path = join(temporaryDirectory(), 'store.db')
  const store = await openStore(path)
  await store.commit([added(), journaled(1), moved(1, [['s', undefined, 1]])])
  for (let n = 2; n < 40; n++)
    await store.commit([journaled(n, 'handled', {bytes: new Uint8Array(1_000_000), size: 1_000_000})])
  await store.close()
  const db = new DatabaseSync(path, {readOnly: true})
  const pages = db.prepare('SELECT pageno, name, pagetype FROM dbstat').all()
  db.close()
  const page = pages.find((row) => lost({name: String(row['name']), kind: String(row['pagetype'])}))
  const from = (Number(page?.['pageno']) - 1) * 4_096
  writeFileSync(path, readFileSync(path).fill(0xff, from, from + 4_096))
  return path
}

test('damage that is found while a large store is in use is told of, and nothing more is written', async () => {
  const path = await largeStore(({name}) => name === 'frames_notable')
  const told = Promise.withResolvers<StoreError>()
  const store = await openStore(path, {onTrouble: told.resolve})
  expect(await told.promise).toMatchObject({kind: 'corrupt'})
  await expect(store.commit([journaled(99)])).rejects.toMatchObject({error: {kind: 'corrupt'}})
  expect(await store.prune({now: 0 as never, maxBytes: 1})).toEqual({frames: 0, bytes: 0})
  expect((await store.load()).sources[0]?.position).toEqual(at({s: 1}))
})

test('a question that meets what cannot be read fails alone', async () => {
  const path = await largeStore(({name, kind}) => name === 'frames' && kind === 'overflow')
  const opened = await openSqliteStore({path, workerUrl: WORKER_URL, access: 'read'})
  if (!opened.ok) throw new Error(opened.error.detail)
  const {read, load, close} = opened.value
  const details = await Promise.allSettled([1, 2, 3, 4].map((n) => read.frameDetail(id(n))))
  expect(details.filter(({status}) => status === 'rejected')).toMatchObject([{reason: {error: {kind: 'corrupt'}}}])
  expect((await read.framesPage({}, undefined, 100)).frames).toHaveLength(39)
  expect((await load()).sources[0]?.position).toEqual(at({s: 1}))
  await close()
})
