import {readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import type {Change} from '../../../shared/history/change.ts'
import type {CoordinateKey} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {openDatabase} from './database.ts'
import {loadProfile} from './load.ts'
import {salvage} from './rescue.ts'
import {MIGRATIONS} from './schema.ts'
import {
  added,
  at,
  attempt,
  connection,
  gap,
  id,
  journaled,
  moved,
  SOURCE,
  START,
  settled,
  type Told,
} from './testing/changes.ts'
import {copyStore, digestOf} from './testing/damage.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'
import {createWriteGroup} from './write-group.ts'

const PAGE = 4_096

/** A history in which every table has rows on several pages, or at least some. */
function history(): readonly (readonly Change[])[] {
  const other = 'other' as SourceId
  const lists: Change[][] = [[added(), added(other)]]
  for (let n = 1; n <= 400; n++) {
    const lane = `r:room-${n % 60}` as CoordinateKey
    const bytes = new Uint8Array(n % 50 === 0 ? 9_000 : 200).fill(n % 256)
    const about = {bytes, size: bytes.length, lane, ...(n % 9 === 0 ? {source: other} : {})}
    const source = n % 9 === 0 ? {source: other} : {}
    const isSkipped = n % 40 === 1 && n % 9 > 0
    const list: Change[] = [journaled(n, n > 395 || isSkipped ? 'pending' : 'handled', about)]
    const told: Told[] = [
      ['s', n - 1, n],
      [lane, undefined, n],
    ]
    if (isSkipped) list.push(settled(n, 'skipped'), moved(n, told, {cause: 'skipped', reason: 'known loss'}))
    else if (n <= 395) list.push(moved(n, told, source))
    if (n % 10 === 0) list.push({kind: 'attemptStarted', attempt: attempt(n, {state: 'resolved', ...source})})
    if (n % 20 === 0) list.push({kind: 'gapRecorded', gap: gap(n, source)})
    if (n % 15 === 0) list.push({kind: 'connectionChanged', connection: connection(START + n * 1_000)})
    lists.push(list)
  }
  return lists
}

function storeWith(lists: readonly (readonly Change[])[]): string {
  const path = join(temporaryDirectory(), 'store.db')
  const db = opened(path)
  db.exec('PRAGMA synchronous = OFF')
  const write = createWriteGroup(db)
  for (const list of lists) expect(write([list])).toEqual([undefined])
  db.close()
  return path
}

function opened(path: string): DatabaseSync {
  const store = openDatabase({path, role: 'write'})
  if (!store.ok) throw new Error(store.error.detail)
  return store.value
}

type Rows = ReadonlyMap<string, readonly string[]>

function rowsOf(path: string): Rows {
  const db = new DatabaseSync(path, {readOnly: true})
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all()
    .map(({name}) => String(name))
  const rows = tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all().map(textOf)] as const)
  db.close()
  return new Map(rows)
}

function textOf(row: object): string {
  return JSON.stringify(row, (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

interface PageOf {
  readonly page: number
  readonly name: string
  readonly kind: string
  readonly cells: number
}

function pagesOf(path: string): readonly PageOf[] {
  const db = new DatabaseSync(path, {readOnly: true})
  const rows = db.prepare('SELECT pageno, name, pagetype, ncell FROM dbstat').all()
  db.close()
  return rows.map((row) => ({
    page: Number(row['pageno']),
    name: String(row['name']),
    kind: String(row['pagetype']),
    cells: Number(row['ncell']),
  }))
}

/** Of each tree the first page and two others, which takes a while as it is. */
function someOfEach(pages: readonly PageOf[]): readonly PageOf[] {
  const trees = Map.groupBy(pages, ({name}) => name)
  return [...trees.values()].flatMap((all) =>
    [...new Set([all[0], all.at(all.length / 2), all.at(-1)])].flatMap((page) => page ?? []),
  )
}

function withPage(path: string, page: number, fill: number): string {
  const bytes = readFileSync(path)
  bytes.fill(fill, (page - 1) * PAGE, page * PAGE)
  const damaged = join(temporaryDirectory(), 'store.db')
  writeFileSync(damaged, bytes)
  return damaged
}

function salvaged(path: string) {
  const into = join(temporaryDirectory(), 'rescued.db')
  const report = salvage(path, into)
  if (!report.ok) throw new Error(`${report.error.kind}: ${report.error.detail}`)
  return {into, report: report.value, rows: rowsOf(into)}
}

/** Which tables do not hold the very rows they held, and how many rows of theirs are gone. */
function differences(before: Rows, after: Rows): Readonly<Record<string, number>> {
  const lost: Record<string, number> = {}
  for (const [table, rows] of before) {
    const now = new Set(after.get(table))
    const gone = rows.filter((row) => !now.has(row)).length
    if (gone > 0 || (after.get(table)?.length ?? 0) > rows.length) lost[table] = gone
  }
  return lost
}

test('whatever page is lost, everything on the others is saved, and the new store is sound', () => {
  const path = storeWith(history())
  const whole = rowsOf(path)
  for (const {page, name, kind, cells} of someOfEach(pagesOf(path))) {
    const damaged = withPage(path, page, page % 2 === 0 ? 0 : 0xff)
    const before = digestOf(damaged)
    const {into, rows, report} = salvaged(damaged)
    expect(digestOf(damaged)).toBe(before)
    const lost = differences(whole, rows)
    const hit = whole.has(name) ? [name, ...(FOLLOWING.get(name) ?? [])] : [] // else an index, or the list of tables
    expect(Object.keys(lost).filter((table) => !hit.includes(table))).toEqual([])
    if (kind === 'leaf') expect(lost[name] ?? 0).toBeLessThanOrEqual(cells)
    if (!MOVING.has(name)) expect(report.cursors.differ).toEqual([])
    const db = opened(into)
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{integrity_check: 'ok'}])
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    expect(loadProfile(db).sources).toHaveLength(2)
    db.close()
  }
})

/** What is mended, and so not the same, after a loss elsewhere. */
const FOLLOWING: ReadonlyMap<string, readonly string[]> = new Map([
  ['sources', ['tallies']],
  ['frames', ['unhandled', 'coordinates']],
  ['connections', ['sources']],
])

/** Where moves stand: a cursor may then be further than the newest that is left. */
const MOVING = new Set(['frames', 'moves'])

test('of a frame whose bytes cannot be read all else is saved, and one that waited is to be asked for again', () => {
  const large = {bytes: new Uint8Array(9_000).fill(65), size: 9_000}
  const path = storeWith([[added(), journaled(1, 'handled', large), journaled(2, 'pending', large), journaled(3)]])
  const overflow = pagesOf(path).filter(({kind, name}) => kind === 'overflow' && name === 'frames')
  const told: number[] = []
  for (const {page} of overflow) {
    const {into, report} = salvaged(withPage(path, page, 0xff))
    const db = opened(into)
    expect(db.prepare('SELECT id FROM frames ORDER BY id').all()).toEqual([{id: 1}, {id: 2}, {id: 3}])
    const [without] = report.tables.flatMap((table) => table.without)
    const empty = without === undefined ? [] : [{id: without}] // the last page of a value names no other: garbage in it reads as bytes
    expect(db.prepare('SELECT id FROM frames WHERE length(bytes) = 0').all()).toEqual(empty)
    expect(report.mended.gone).toEqual(without === 2 ? [2] : [])
    expect(loadProfile(db).sources[0]?.unhandled).toHaveLength(without === 2 ? 0 : 1)
    db.close()
    told.push(without ?? 0)
  }
  expect(told.toSorted()).toEqual([0, 0, 1, 2])
})

test('a source, a cursor and what waits follow from what is left where their own rows are lost', () => {
  const path = storeWith([
    [
      added(),
      journaled(1),
      moved(1, [
        ['s', undefined, 1],
        ['r:a', undefined, 4],
      ]),
    ],
    [journaled(2, 'pending'), journaled(3, 'pending', {redelivers: id(2)})],
  ])
  const before = rowsOf(path)
  const lose = (name: string) => {
    const [page] = pagesOf(path).filter((one) => one.name === name)
    const {into, report} = salvaged(withPage(path, page?.page ?? 0, 0xff))
    const db = opened(into)
    const [source] = loadProfile(db).sources
    db.close()
    return {source, report, rows: rowsOf(into)}
  }
  const withoutSources = lose('sources')
  expect(withoutSources.source).toMatchObject({
    record: {id: SOURCE, name: 'rescued source 1', paused: true},
    vectorSeen: true,
  })
  expect(withoutSources.source?.position).toEqual(at({s: 1, 'r:a': 4}))
  expect(withoutSources.report.mended.sources).toEqual(['rescued source 1'])
  const withoutCoordinates = lose('coordinates')
  expect(withoutCoordinates.rows.get('coordinates')).toEqual(before.get('coordinates'))
  expect(withoutCoordinates.report.mended.coordinates).toEqual([
    {source: 1, name: 'r:a', sequence: 4},
    {source: 1, name: 's', sequence: 1},
  ])
  const withoutUnhandled = lose('unhandled')
  expect(withoutUnhandled.source?.unhandled.map(({frame}) => frame.id)).toEqual([3])
  expect(withoutUnhandled.report.mended.waiting).toEqual([3])
})

test('a log that lost its end is left out, and the file alone is saved', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = opened(path)
  const write = createWriteGroup(db)
  write([[added(), journaled(1), moved(1, [['s', undefined, 1]])]])
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  write([[journaled(2), moved(2, [['s', 1, 2]])]])
  const lengthThen = statSync(`${path}-wal`).size
  write([[journaled(3), moved(3, [['s', 2, 3]])]])
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  const copy = copyStore(path)
  db.close()
  truncateSync(`${copy}-wal`, lengthThen)
  const {rows, report} = salvaged(copy)
  expect(report.how).toEqual(['withoutLog'])
  expect(differences(rowsOf(path), rows)).toEqual({})
})

test('what a killed process left in its log is saved with the file', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = opened(path)
  db.exec('PRAGMA synchronous = OFF')
  const write = createWriteGroup(db)
  for (const list of history().slice(0, 50)) write([list])
  const [copy, whole] = [copyStore(path), rowsOf(path)]
  db.close()
  const before = digestOf(copy)
  expect(differences(whole, salvaged(copy).rows)).toEqual({})
  expect(digestOf(copy)).toBe(before)
})

test('a store of an older schema is saved as one of the newest', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = new DatabaseSync(path)
  db.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1; INSERT INTO sources (id, record) VALUES ('old', '{}')`)
  db.close()
  const {into} = salvaged(path)
  const rescued = opened(into)
  expect(rescued.prepare('PRAGMA user_version').get()).toEqual({user_version: MIGRATIONS.length})
  expect(rescued.prepare('SELECT id FROM sources').all()).toEqual([{id: 'old'}])
  rescued.close()
})

test('generations of an older schema are saved as those of the first numbering', () => {
  const path = join(temporaryDirectory(), 'store.db')
  const db = new DatabaseSync(path)
  for (const step of MIGRATIONS.slice(0, 5)) db.exec(step)
  db.exec(`PRAGMA user_version = 5; INSERT INTO sources (key, id, record) VALUES (1, 'old', '{}')`)
  const coordinate = db.prepare('INSERT INTO coordinates (id, source, name) VALUES (?, 1, ?)')
  const add = db.prepare(
    'INSERT INTO generations (lane, source, first_at, last_at, events, snapshots) VALUES (?, 1, 0, 0, ?, 0)',
  )
  for (const n of [1, 2, 3]) {
    coordinate.run(n, `"n:${n}"`)
    add.run(n, n * 10)
  }
  db.close()
  const rescued = opened(salvaged(path).into)
  expect(rescued.prepare('SELECT lane, numbering, events FROM generations ORDER BY lane').all()).toEqual([
    {lane: 1, numbering: 0, events: 10},
    {lane: 2, numbering: 0, events: 20},
    {lane: 3, numbering: 0, events: 30},
  ])
  rescued.close()
})

test('where nothing can be read nothing is made, and what is there is never written over', () => {
  const directory = temporaryDirectory()
  const [garbage, into] = [join(directory, 'store.db'), join(directory, 'rescued.db')]
  writeFileSync(garbage, new Uint8Array(50_000).fill(0xab))
  expect(salvage(garbage, into)).toMatchObject({ok: false, error: {kind: 'corrupt'}})
  expect(readdirSync(directory)).toEqual(['store.db'])
  writeFileSync(into, 'mine')
  expect(salvage(garbage, into)).toMatchObject({ok: false, error: {kind: 'io'}})
  expect(readFileSync(into, 'utf8')).toBe('mine')
})
