import {statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {profileDirectory, profileFiles} from './profile.ts'
import {lockProfile, type ProfileOwner, readOwner} from './profile-lock.ts'
import {linesUntilKilled, runChild} from './testing/run-child.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'

const HOLD = new URL('./testing/hold-profile.ts', import.meta.url)
const ME: ProfileOwner = {pid: process.pid, mode: 'host', since: 1_700_000_000_000}

test('a second owner is told who the first is and where', () => {
  const directory = join(temporaryDirectory(), 'profile')
  const first = lockProfile(directory, ME)
  if (!first.ok) throw new Error(first.error.kind)
  expect(lockProfile(directory, ME)).toEqual({ok: false, error: {kind: 'owned', owner: ME}})
  first.value.announce('http://127.0.0.1:7777')
  expect(lockProfile(directory, ME)).toMatchObject({error: {owner: {...ME, url: 'http://127.0.0.1:7777'}}})
  first.value.release()
  first.value.release()
  expect(readOwner(directory)).toBeUndefined()
  const second = lockProfile(directory, ME)
  expect(second.ok).toBe(true)
  if (second.ok) second.value.release()
})

test('another process holds it as long as it lives, and a killed one leaves nothing behind', async () => {
  const directory = temporaryDirectory()
  const child = runChild(HOLD, [directory])
  const said = new Promise((resolve) => child.stdout?.once('data', (text) => resolve(String(text))))
  expect(await said).toBe('owned\n')
  expect(lockProfile(directory, ME)).toMatchObject({ok: false, error: {kind: 'owned', owner: {pid: child.pid}}})
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  const mine = lockProfile(directory, ME)
  expect(mine.ok).toBe(true)
  expect(readOwner(directory)).toEqual(ME)
  if (mine.ok) mine.value.release()
})

test('a process that finds it owned is refused', async () => {
  const directory = temporaryDirectory()
  const mine = lockProfile(directory, ME)
  expect(await linesUntilKilled(runChild(HOLD, [directory]), 1)).toEqual(['refused'])
  if (mine.ok) mine.value.release()
})

test('the folder and what is said of the owner are for this user only', () => {
  const directory = join(temporaryDirectory(), 'profile')
  const lock = lockProfile(directory, ME)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(statSync(profileFiles(directory).owner).mode & 0o777).toBe(0o600)
  if (lock.ok) lock.value.release()
})

test('a folder that was named is taken as it is, from where the program stands', () => {
  expect(profileDirectory('/some/where')).toBe('/some/where')
  expect(profileDirectory('here')).toBe(join(process.cwd(), 'here'))
  expect(profileDirectory()).toMatch(/tidemark/)
})
