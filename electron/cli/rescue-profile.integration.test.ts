import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {profileFiles} from '../engine/store/profile.ts'
import {lockProfile} from '../engine/store/profile-lock.ts'
import {added, gap, journaled, moved, type Told} from '../engine/store/testing/changes.ts'
import {digestOf} from '../engine/store/testing/damage.ts'
import {openStore, temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {told} from './testing/told.ts'

/** A profile of which one page is lost: the first of a table or an index. */
async function damaged(lost?: string): Promise<string> {
  const directory = join(temporaryDirectory(), "it's a profile")
  lockIt(directory).release() // makes the folder
  const {store: path} = profileFiles(directory)
  const store = await openStore(path)
  const rooms = Array.from({length: 300}, (_, n): Told => [`r:room-${n}`, undefined, n])
  await store.commit([added(), journaled(1), moved(1, rooms), journaled(2), {kind: 'gapRecorded', gap: gap(2)}])
  await store.commit([journaled(3, 'pending'), moved(2, [['s', undefined, 2]])])
  await store.close()
  if (lost !== undefined) loseFirstPage(path, lost)
  return directory
}

function lockIt(directory: string) {
  const lock = lockProfile(directory, {pid: 1, mode: 'host', since: 0})
  if (!lock.ok) throw new Error(lock.error.kind)
  return lock.value
}

function loseFirstPage(path: string, tree: string): void {
  const db = new DatabaseSync(path, {readOnly: true})
  const page = Number(db.prepare('SELECT min(pageno) AS page FROM dbstat WHERE name = ?').get(tree)?.['page'])
  db.close()
  writeFileSync(path, readFileSync(path).fill(0xff, (page - 1) * 4_096, page * 4_096))
}

async function run(directory: string, ...args: readonly string[]) {
  const output = told()
  const code = await runProgram([...args, '--profile', directory], output)
  return {code, lines: output.lines, notes: output.notes}
}

test('a damaged store is saved beside itself, and the commands it tells put the new one into its place', async () => {
  const directory = await damaged('frames')
  const {store} = profileFiles(directory)
  const before = digestOf(store)
  const {code, lines} = await run(directory, 'rescue')
  expect(code).toBe(0)
  expect(digestOf(store)).toBe(before)
  expect(lines.find((line) => line.includes('coordinates with their cursors'))).toMatch(/301 +0$/)
  expect(lines.find((line) => /^ {2}frames /.test(line))).toMatch(/0 +3$/)
  const commands = lines.filter((line) => line.startsWith('  mv '))
  expect(commands).toHaveLength(2)
  for (const command of commands) execFileSync('/bin/sh', ['-c', command])
  const rescued = await openStore(store)
  expect((await rescued.load()).sources[0]?.position.size).toBe(301)
  await rescued.close()
  expect(readdirSync(join(directory, 'damaged'))).toContain('tidemark.db')
  expect(digestOf(join(directory, 'damaged', 'tidemark.db'))).toBe(before)
})

test('with --json one line tells all of it, into the file that was named', async () => {
  const directory = await damaged('gaps')
  const into = join(temporaryDirectory(), 'saved.db')
  const {code, lines} = await run(directory, 'rescue', '--json', '--into', into)
  expect(code).toBe(0)
  const [report, ...more] = lines.map((line) => JSON.parse(line))
  expect(more).toEqual([])
  expect(report).toMatchObject({fact: 'rescued', into, how: [], cursors: {differ: []}, mended: {gone: []}})
  expect(report.tables).toContainEqual({table: 'gaps', saved: 0, lost: 1, unreadable: [{from: 0}], without: []})
  expect(report.commands.map(([program]: readonly string[]) => program)).toEqual(['mv', 'mv'])
  expect(await run(directory, 'rescue', '--into', into)).toMatchObject({code: 1, lines: []})
})

test('a sound store is left alone', async () => {
  const directory = await damaged()
  const {code, lines} = await run(directory, 'rescue')
  expect(code).toBe(0)
  expect(lines).toEqual([`${profileFiles(directory).store} is not damaged; nothing was written.`])
  expect(readdirSync(directory).filter((name) => name.includes('rescued') || name.includes('damaged'))).toEqual([])
})

test('a store that is in use is not rescued, and neither is one that is not there', async () => {
  const directory = await damaged('frames')
  const lock = lockIt(directory)
  expect(await run(directory, 'rescue')).toMatchObject({
    code: 1,
    lines: [],
    notes: [expect.stringContaining('close it')],
  })
  lock.release()
  expect(await run(temporaryDirectory(), 'rescue')).toMatchObject({code: 1, lines: []})
})

test('what can be read of a damaged store is still listed, and what cannot is named', async () => {
  const withoutPositions = await damaged('coordinates')
  const sources = await run(withoutPositions, 'sources')
  expect(sources.code).toBe(1)
  expect(sources.lines[1]).toMatch(/^source-1 +demo +never opened +\(could not be read\) +3 +0 +0$/)
  expect(sources.notes).toEqual([expect.stringContaining('tidemark rescue')])
  const positions = await run(withoutPositions, 'positions', '--json')
  expect(positions.lines.map((line) => JSON.parse(line))).toEqual([
    {source: 'source-1', name: 'source-1', unreadable: ['position'], vectorSeen: false},
  ])
  const gaps = await run(withoutPositions, 'gaps')
  expect(gaps).toMatchObject({code: 1, lines: [expect.stringContaining('source-1  pending')]})
})

test('a damaged ledger does not hide the positions, nor lost frames the ledger', async () => {
  const withoutLedger = await damaged('gaps')
  expect(await run(withoutLedger, 'positions')).toMatchObject({code: 0, notes: []})
  expect(await run(withoutLedger, 'gaps')).toMatchObject({
    code: 1,
    lines: [],
    notes: [expect.stringContaining('rescue')],
  })
  const withoutFrames = await damaged('frames')
  expect((await run(withoutFrames, 'gaps')).lines).toHaveLength(1)
  const [line] = (await run(withoutFrames, 'positions', '--json')).lines
  expect(JSON.parse(line ?? '').position).toMatchObject({s: 2, 'r:room-299': 299})
})

test('a file whose head is lost says what to do, and is rescued whole', async () => {
  const directory = await damaged('sqlite_schema')
  expect(await run(directory, 'sources')).toMatchObject({code: 1, notes: [expect.stringContaining('tidemark rescue')]})
  expect((await run(directory, 'rescue')).code).toBe(0)
  const rescued = await openStore(`${profileFiles(directory).store}.rescued`)
  const [source] = (await rescued.load()).sources
  expect(Object.fromEntries(source?.position ?? [])).toMatchObject({s: 2, 'r:room-299': 299})
  expect(source?.unhandled).toHaveLength(1)
})
