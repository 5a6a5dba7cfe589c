import {chmodSync, mkdirSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {openDatabase} from './database.ts'
import {profileFiles} from './profile.ts'
import {lockProfile} from './profile-lock.ts'
import {added, journaled} from './testing/changes.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'

/** A folder as `mkdir` makes it: everybody may look into it. */
function openFolder(): string {
  const directory = join(temporaryDirectory(), 'profile')
  mkdirSync(directory)
  chmodSync(directory, 0o755)
  return directory
}

function modes(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
  )
}

test('in a folder that others may read, no file of a profile is', async () => {
  const directory = openFolder()
  const lock = lockProfile(directory, {pid: process.pid, mode: 'host', since: 1})
  const store = await openStore(profileFiles(directory).store)
  await store.commit([added(), journaled(1)])
  expect(Object.keys(modes(directory))).toEqual(
    expect.arrayContaining(['lock.db', 'owner.json', 'tidemark.db', 'tidemark.db-shm', 'tidemark.db-wal']),
  )
  expect(new Set(Object.values(modes(directory)))).toEqual(new Set(['600']))
  if (lock.ok) lock.value.release()
})

test('a file that others could read is closed to them, with its log, and so is the copy made before a new schema', () => {
  const directory = openFolder()
  const path = join(directory, 'store.db')
  const older = new DatabaseSync(path)
  older.exec('PRAGMA journal_mode = WAL; CREATE TABLE facts (id INTEGER); PRAGMA user_version = 1')
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644)
  const opened = openDatabase({path, role: 'write', migrations: ['', 'CREATE TABLE more (id INTEGER)']})
  if (!opened.ok) throw new Error(opened.error.detail)
  expect(new Set(Object.values(modes(directory)))).toEqual(new Set(['600']))
  expect(Object.keys(modes(directory))).toContain('store.db.v1.backup')
  opened.value.close()
  older.close()
})
