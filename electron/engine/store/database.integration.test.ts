import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {openDatabase} from './database.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'

const V1 = 'CREATE TABLE facts (id INTEGER PRIMARY KEY, said TEXT) STRICT'
const V2 = 'ALTER TABLE facts ADD COLUMN at INTEGER; UPDATE facts SET at = 7'
const V3_BROKEN = 'CREATE TABLE more (id INTEGER); INSERT INTO nowhere VALUES (1)'

/** A file as an older version left it, made by hand. */
function olderFile(): string {
  const path = join(temporaryDirectory(), 'store.db')
  const db = new DatabaseSync(path)
  db.exec(`${V1}; INSERT INTO facts VALUES (1, 'kept'); PRAGMA user_version = 1`)
  db.close()
  return path
}

function version(path: string): unknown {
  const db = new DatabaseSync(path, {readOnly: true})
  const row = db.prepare('PRAGMA user_version').get()
  db.close()
  return row?.['user_version']
}

test('an older file is copied beside itself and then brought up to date', () => {
  const path = olderFile()
  const opened = openDatabase({path, role: 'write', migrations: [V1, V2]})
  if (!opened.ok) throw new Error(opened.error.detail)
  expect(opened.value.prepare('SELECT * FROM facts').all()).toEqual([{id: 1, said: 'kept', at: 7}])
  opened.value.close()
  expect(version(path)).toBe(2)
  const copy = new DatabaseSync(`${path}.v1.backup`, {readOnly: true})
  expect(copy.prepare('SELECT * FROM facts').all()).toEqual([{id: 1, said: 'kept'}])
  copy.close()
})

test('a copy that a killed process did not finish is made anew, and none of it stays', () => {
  const path = olderFile()
  for (const half of ['.unfinished', '.unfinished-journal']) writeFileSync(path + half, 'half a copy')
  const opened = openDatabase({path, role: 'write', migrations: [V1, V2]})
  if (!opened.ok) throw new Error(opened.error.detail)
  opened.value.close()
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['store.db', 'store.db.v1.backup'])
  const copy = new DatabaseSync(`${path}.v1.backup`, {readOnly: true})
  expect(copy.prepare('SELECT * FROM facts').all()).toEqual([{id: 1, said: 'kept'}])
  copy.close()
})

test('a migration that fails leaves the old schema whole, and the next try keeps the first copy', () => {
  const path = olderFile()
  for (const wanted of [`${path}.v1.backup`, `${path}.v1.backup-2`]) {
    expect(openDatabase({path, role: 'write', migrations: [V1, V2, V3_BROKEN]})).toMatchObject({
      ok: false,
      error: {kind: 'io'},
    })
    expect(version(path)).toBe(1)
    expect(existsSync(wanted)).toBe(true)
  }
})

test('a new file needs no copy', () => {
  const directory = temporaryDirectory()
  const opened = openDatabase({path: join(directory, 'store.db'), role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  opened.value.close()
  expect(readdirSync(directory)).toEqual(['store.db'])
})

test('a file of a newer version is refused and left as it is', () => {
  const path = olderFile()
  const before = readFileSync(path)
  expect(openDatabase({path, role: 'write', migrations: []})).toMatchObject({ok: false, error: {kind: 'newerSchema'}})
  expect(openDatabase({path, role: 'read', migrations: []})).toMatchObject({ok: false, error: {kind: 'newerSchema'}})
  expect(version(path)).toBe(1)
  expect(readFileSync(path).length).toBe(before.length)
})

test('a file of an older version is refused to a reader, told as what it is, and left as it is', () => {
  const path = olderFile()
  const before = readFileSync(path)
  expect(openDatabase({path, role: 'read'})).toMatchObject({ok: false, error: {kind: 'olderSchema'}})
  expect(version(path)).toBe(1)
  expect(readFileSync(path)).toEqual(before)
})

test('a file that is no database is refused and left as it is', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const garbage = Buffer.alloc(8_192, 'not a database ')
  writeFileSync(path, garbage)
  expect(openDatabase({path, role: 'write'})).toMatchObject({ok: false, error: {kind: 'corrupt'}})
  expect(readFileSync(path)).toEqual(garbage)
})

test('a damaged page is found at the start, and nothing is thrown away', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  opened.value.close()
  const damaged = readFileSync(path)
  damaged.fill(0xff, 4_096 * 3, 4_096 * 3 + 400)
  writeFileSync(path, damaged)
  expect(openDatabase({path, role: 'write'})).toMatchObject({ok: false, error: {kind: 'corrupt'}})
  expect(readFileSync(path).length).toBe(damaged.length)
})

test('a folder that is not there is an error', () => {
  const path = join(temporaryDirectory(), 'nowhere', 'store.db')
  expect(openDatabase({path, role: 'write'})).toMatchObject({ok: false, error: {kind: 'io'}})
})
