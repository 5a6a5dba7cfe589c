import {rmSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Change} from '../../../shared/history/change.ts'
import {type CoordinateKey, type Sequence, takeSteps} from '../../../shared/position/position.ts'
import {openDatabase} from './database.ts'
import {loadProfile} from './load.ts'
import {added, journaled, moved, type Told} from './testing/changes.ts'
import {copyStore, cutFile, digestOf, everythingIn, spoilEnd} from './testing/damage.ts'
import {changesOf, histories} from './testing/history.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'
import {createWriteGroup} from './write-group.ts'

type Lists = readonly (readonly Change[])[]

const lives = fc.record({
  lists: histories('jumping').map(
    (happenings): Lists => [[added()], ...changesOf(happenings)].filter((list) => list.length > 0),
  ),
  /** After how many pages of log it is taken over into the file: never, sometimes, all the time. */
  checkpointPages: fc.constantFrom(1, 8, 20, 60, 100_000),
  /** At which of its moments it is looked at. */
  moment: fc.nat(1_000).map((thousandths) => thousandths / 1_001),
})

function openForWriting(path: string): DatabaseSync {
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  return opened.value
}

const garbage = fc.uint8Array({minLength: 1, maxLength: 4_096})

/** A store as a process that is still running left it so far, and what it holds after each of its commits. */
function leftBy({lists, checkpointPages, moment}: typeof lives extends fc.Arbitrary<infer Life> ? Life : never) {
  const path = join(temporaryDirectory(), 'store.db')
  const db = openForWriting(path)
  db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA synchronous = OFF`) // the same bytes, sooner
  const write = createWriteGroup(db)
  const held = ['no table yet', everythingIn(db)]
  const until = Math.ceil(lists.length * moment)
  for (const list of lists.slice(0, until)) {
    expect(write([list])).toEqual([undefined])
    held.push(everythingIn(db))
  }
  const copy = copyStore(path)
  db.close()
  return {copy, held, committed: lists.slice(0, until)}
}

/** How many of the lists a file holds, whole; throws where it holds anything else. `corrupt`: it was refused. */
function prefixIn(path: string, held: readonly string[], lists: Lists): number | 'corrupt' {
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) {
    expect(opened.error.kind).toBe('corrupt')
    return 'corrupt'
  }
  const found = held.indexOf(everythingIn(opened.value)) - 1
  const [source] = loadProfile(opened.value).sources
  opened.value.close()
  if (found < 0) throw new Error('what is there was never committed like this')
  expect(source?.position ?? new Map()).toEqual(folded(lists.slice(0, found)))
  return found
}

function folded(lists: Lists): ReadonlyMap<CoordinateKey, Sequence> {
  const position = new Map<CoordinateKey, Sequence>()
  for (const change of lists.flat()) if (change.kind === 'cursorMoved') takeSteps(position, change.move.steps)
  return position
}

test('a log that was cut at any byte leaves whole lists from the first on, or is refused', () => {
  fc.assert(
    fc.property(lives, fc.array(fc.nat(999), {minLength: 1, maxLength: 4}), (life, cuts) => {
      const {copy, held, committed} = leftBy(life)
      for (const thousandths of cuts) {
        const cut = copyStore(copy)
        cutFile(`${cut}-wal`, thousandths / 1_000)
        prefixIn(cut, held, committed)
      }
    }),
    {numRuns: 40},
  )
})

test('a log that lost its end after it was taken over is refused, and the file is left as it is', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = openForWriting(path)
  const write = createWriteGroup(db)
  const rooms = Array.from({length: 400}, (_, n): Told => [`r:room-${n}`, undefined, 1])
  write([[added(), journaled(1), moved(1, rooms)]])
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  write([[journaled(2), moved(2, [['r:room-0', 1, 2]])]])
  const lengthThen = statSync(`${path}-wal`).size
  write([[journaled(3), moved(3, [['r:room-399', 1, 2]])]]) // on a page that the commit before did not touch
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  const copy = copyStore(path)
  db.close()
  truncateSync(`${copy}-wal`, lengthThen)
  const before = digestOf(copy)
  expect(openDatabase({path: copy, role: 'write'})).toMatchObject({ok: false, error: {kind: 'corrupt'}})
  expect(digestOf(copy)).toBe(before)
})

test('a torn end of the log leaves whole lists from the first on', () => {
  fc.assert(
    fc.property(lives, garbage, (life, bytes) => {
      const {copy, held, committed} = leftBy(life)
      spoilEnd(`${copy}-wal`, bytes)
      prefixIn(copy, held, committed)
    }),
    {numRuns: 40},
  )
})

test('a log is read whole without its index, and beside one that is not its own', () => {
  fc.assert(
    fc.property(lives, fc.option(garbage), (life, bytes) => {
      const {copy, held, committed} = leftBy(life)
      if (bytes !== null) writeFileSync(`${copy}-shm`, bytes)
      expect(prefixIn(copy, held, committed)).toBe(committed.length)
    }),
    {numRuns: 20},
  )
})

test('a file without its log holds whole lists from the first on', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const {copy, held, committed} = leftBy(life)
      rmSync(`${copy}-wal`)
      prefixIn(copy, held, committed)
    }),
    {numRuns: 20},
  )
})

/** A store whose last page holds frames, as that of a history does. */
const histories100 = fc.array(fc.record({size: fc.nat(900), room: fc.nat(30)}), {minLength: 1, maxLength: 100})

function journalOf(frames: readonly {readonly size: number; readonly room: number}[]): Lists {
  return frames.map(({size, room}, index) => {
    const n = index + 1
    return [journaled(n, 'handled', {bytes: new Uint8Array(size).fill(65)}), moved(n, [[`r:${room}`, undefined, n]])]
  })
}

test('a last page that a killed checkpoint left torn is read from the log', () => {
  fc.assert(
    fc.property(histories100, garbage, (frames, bytes) => {
      const path = join(temporaryDirectory(), 'store.db')
      const db = openForWriting(path)
      db.exec('PRAGMA synchronous = OFF')
      const write = createWriteGroup(db)
      for (const list of [[added()], ...journalOf(frames)]) write([list])
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      const [copy, held] = [copyStore(path), everythingIn(db)]
      db.close()
      spoilEnd(copy, bytes)
      const opened = openForWriting(copy)
      expect(everythingIn(opened)).toBe(held)
      opened.close()
    }),
    {numRuns: 20},
  )
})

/** What a page holds: rows of a table, known by their numbers, or part of something else. */
interface LastPage {
  readonly of: string
  readonly rows: ReadonlySet<number>
}

/** A table is appended to, so a leaf that is its file's last page holds the last of its rows. */
function lastPageOf(path: string): LastPage {
  const db = new DatabaseSync(path, {readOnly: true})
  const page = db.prepare('SELECT name, pagetype, ncell FROM dbstat ORDER BY pageno DESC LIMIT 1').get()
  const of = String(page?.['name'])
  const holdsRows = of === 'frames' && page?.['pagetype'] === 'leaf'
  const rows = holdsRows ? db.prepare('SELECT id FROM frames ORDER BY id DESC LIMIT ?').all(Number(page['ncell'])) : []
  db.close()
  return {of, rows: new Set(rows.map(({id}) => Number(id)))}
}

/** Of every table but this one everything; of frames, those on other pages. */
function besides(db: DatabaseSync, {of, rows}: LastPage): string {
  const owner = db.prepare('SELECT tbl_name FROM sqlite_schema WHERE name = ?').get(of)?.['tbl_name']
  const tables = JSON.parse(everythingIn(db)) as readonly [name: string, rows: readonly unknown[][]][]
  const others = tables.filter(([name]) => name !== owner || name === 'frames')
  return JSON.stringify(
    others.map(([name, all]) => [name, name === 'frames' ? all.filter(([id]) => !rows.has(Number(id))) : all]),
  )
}

/*
 * SQLite's pages carry no sums: bytes that changed within a value, on a page that still is one, are seen by nobody. A write that
 * was torn is another matter: its page is in the log (above). So this is all that can be promised of a disk that lies.
 */
test('garbage in the last page of a closed file is refused, or changed values of the rows on that page and of no other', () => {
  fc.assert(
    fc.property(histories100, garbage, (frames, bytes) => {
      const path = join(temporaryDirectory(), 'store.db')
      const db = openForWriting(path)
      db.exec('PRAGMA synchronous = OFF')
      const write = createWriteGroup(db)
      for (const list of [[added()], ...journalOf(frames)]) write([list])
      db.close()
      const page = lastPageOf(path)
      const sound = openForWriting(path)
      const held = besides(sound, page)
      sound.close()
      spoilEnd(path, bytes)
      const opened = openDatabase({path, role: 'write'})
      if (!opened.ok) expect(opened.error.kind).toBe('corrupt')
      else {
        expect(besides(opened.value, page)).toBe(held)
        opened.value.close()
      }
    }),
    {numRuns: 60},
  )
})
