import type {DatabaseSync, SQLInputValue} from 'node:sqlite'
import type {RescuedTable} from './rescue-tables.ts'

/** What came of one table. */
export interface CopiedTable {
  readonly table: string
  readonly saved: number
  /** Stretches of its key in which something could not be read; the last may have no end. */
  readonly unreadable: readonly Stretch[]
  /** Rows that are missing. Absent where nothing that could be read tells it. */
  readonly lost?: number
  /** Keys of the rows that were saved without their optional column. */
  readonly without: readonly number[]
}

export interface Stretch {
  readonly from: number
  readonly to?: number
}

/** Narrows a walk to some rows of a table whose key is only in order among them. */
export interface Part {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

const ROWS_AT_ONCE = 500
/** How finely an unreadable stretch is searched for pages that can be read. Smaller islands of a very long one may be missed. */
const PLACES_TRIED = 4_096

/** Copies every row that can be read, from `damaged` to `main`, around what cannot be. */
export function copyTable(db: DatabaseSync, wanted: RescuedTable, parts: readonly Part[] = [WHOLE]): CopiedTable {
  const unreadable: Stretch[] = []
  const without: number[] = []
  const columns = commonColumns(db, wanted.name)
  if (columns.length === 0) return {table: wanted.name, saved: 0, unreadable, without} // an older store has no such table
  const table = namedBy(wanted, columns)
  for (const part of parts) {
    const walk = createWalk(db, table, part)
    const copying = {table, columns, part, unreadable, without}
    for (const step of walkAround(walk)) {
      if (step.kind === 'readable') copyRange(db, copying, step.from, step.to)
      else {
        unreadable.push(step.stretch)
        if (step.stretch.to !== undefined) copyShared(db, copying, step.stretch.to)
      }
    }
  }
  const saved = Number(db.prepare(`SELECT count(*) AS n FROM main.${table.name}`).get()?.['n'])
  const lost = countLost(db, table)
  return {table: table.name, saved, unreadable: joined(unreadable), without, ...(lost === undefined ? {} : {lost})}
}

/** Stretches one after another as one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = []
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last?.to === undefined || stretch.from > last.to + 1) all.push(stretch)
    else
      all[all.length - 1] = {from: last.from, ...(stretch.to === undefined ? {} : {to: Math.max(last.to, stretch.to)})}
  }
  return all
}

const WHOLE: Part = {sql: 'true', values: []}

interface Walk {
  /** The last key of the next rows from a key on; `undefined`: there are none. Throws where a page cannot be read. */
  readonly lastOf: (from: number, rows: number) => number | undefined
}

function createWalk(db: DatabaseSync, {name, key}: RescuedTable, {sql, values}: Part): Walk {
  const next = db.prepare(`
    SELECT max(k) AS last, min(k) AS first FROM (
      SELECT ${key} AS k FROM damaged.${name} NOT INDEXED WHERE ${sql} AND ${key} >= ? ORDER BY ${key} LIMIT ?)`)
  return {
    lastOf(from, rows) {
      const row = next.get(...values, from, rows)
      if (row === undefined || row['last'] === null) return undefined
      if (Number(row['first']) < from) throw new Error('keys out of order')
      return Number(row['last'])
    },
  }
}

type WalkStep =
  | {readonly kind: 'readable'; readonly from: number; readonly to: number}
  | {readonly kind: 'unreadable'; readonly stretch: Stretch}

function* walkAround({lastOf}: Walk): Generator<WalkStep> {
  const tried = (from: number, rows: number): number | undefined | 'unreadable' => {
    try {
      return lastOf(from, rows)
    } catch {
      return 'unreadable'
    }
  }
  let from = 0
  let rows = ROWS_AT_ONCE
  for (;;) {
    const last = tried(from, rows)
    if (last === undefined) return
    if (last !== 'unreadable') {
      yield {kind: 'readable', from, to: last}
      from = last + 1
      rows = Math.min(ROWS_AT_ONCE, rows * 2)
    } else if (rows > 1) rows = Math.ceil(rows / 8)
    else {
      const next = endOfUnreadable(from, (key) => tried(key, 1) !== 'unreadable')
      yield {kind: 'unreadable', stretch: {from, ...(next === undefined ? {} : {to: next - 1})}}
      if (next === undefined) return
      from = next
    }
  }
}

/** The first key after `from` at which reading goes on; `undefined` where it does nowhere. */
function endOfUnreadable(from: number, readable: (key: number) => boolean): number | undefined {
  let step = 1
  while (!readable(from + step)) {
    step *= 2
    if (from + step > Number.MAX_SAFE_INTEGER) return undefined
  }
  const width = Math.max(1, Math.floor(step / PLACES_TRIED))
  let key = from + 1
  while (key < from + step && !readable(key)) key += width
  return firstReadable(Math.max(from, key - width), Math.min(key, from + step), readable)
}

/** @param bad - is not readable, and `good` is */
function firstReadable(bad: number, good: number, readable: (key: number) => boolean): number {
  let [low, high] = [bad, good]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (readable(middle)) high = middle
    else low = middle
  }
  return high
}

interface Copying {
  readonly table: RescuedTable
  readonly columns: readonly string[]
  readonly part: Part
  readonly unreadable: Stretch[]
  readonly without: number[]
}

/** Halves a stretch in which a row cannot be copied, down to that row: a value may lie on a page of its own. */
function copyRange(db: DatabaseSync, copying: Copying, from: number, to: number): void {
  if (insert(db, copying, {from, to}) !== undefined) return
  if (from === to) return copyKey(db, copying, from)
  const middle = from + Math.floor((to - from) / 2)
  copyRange(db, copying, from, middle)
  copyRange(db, copying, middle + 1, to)
}

/** Looks no further than the row itself: where the key ends is told by the next one, which may lie on a page that cannot be read. */
function copyKey(db: DatabaseSync, copying: Copying, key: number): void {
  const {names, optional} = copying.table
  const rows = {from: key, to: key, limit: 1}
  if (names === undefined) {
    if (insert(db, copying, rows) !== undefined) return
    if (optional !== undefined && insert(db, copying, {...rows, without: optional}) !== undefined) {
      copying.without.push(key)
      return
    }
  }
  copyShared(db, copying, key)
  copying.unreadable.push({from: key, to: key})
}

/** Of rows that share a key, those before the page that cannot be read, and those after it: one more each time, as long as there is one. */
function copyShared(db: DatabaseSync, copying: Copying, key: number): void {
  if (copying.table.names === undefined) return
  for (const order of ['ASC', 'DESC'] as const)
    for (let limit = 1; insert(db, copying, {from: key, to: key, limit, order}) === 1; ) limit += 1
}

interface Rows {
  readonly from: number
  readonly to: number
  readonly limit?: number
  readonly order?: 'ASC' | 'DESC'
  /** A column that is left empty. */
  readonly without?: string
}

/** How many rows are new; `undefined` where something could not be read, or was no row of this table. */
function insert(
  db: DatabaseSync,
  {table: {name, key, sound, names = [key]}, part, columns}: Copying,
  {from, to, limit = -1, order = 'ASC', without}: Rows,
): number | undefined {
  const values = columns.map((column) => (column === without ? `x''` : column))
  try {
    const copy = db.prepare(`
      INSERT OR IGNORE INTO main.${name} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM damaged.${name} NOT INDEXED
      WHERE ${part.sql} AND ${key} BETWEEN ? AND ? AND ${sound}
      ORDER BY ${names.map((column) => `${column} ${order}`).join(', ')} LIMIT ?`)
    return Number(copy.run(...part.values, from, to, limit).changes)
  } catch {
    return undefined
  }
}

/** An older file lacks columns that came later. */
function commonColumns(db: DatabaseSync, table: string): readonly string[] {
  const columnsIn = (schema: string) =>
    db
      .prepare('SELECT name FROM pragma_table_info(?, ?)')
      .all(table, schema)
      .map(({name}) => String(name))
  const theirs = new Set(columnsIn('damaged'))
  return columnsIn('main').filter((column) => theirs.has(column))
}

/** In an older file less may name a row. */
function namedBy({names, ...table}: RescuedTable, columns: readonly string[]): RescuedTable {
  const known = names?.filter((name) => columns.includes(name)) ?? []
  return known.length > 1 ? {...table, names: known} : table
}

/** An index lies on pages of its own: it names the rows that the table could not give. */
function countLost(db: DatabaseSync, {name, key, names = [key], index}: RescuedTable): number | undefined {
  if (index === undefined) return undefined
  const same = names.map((column) => `saved.${column} = named.${column}`).join(' AND ')
  try {
    const row = db
      .prepare(`
        SELECT count(*) AS n FROM (SELECT ${names.join(', ')} FROM damaged.${name} INDEXED BY ${index}) AS named
        WHERE NOT EXISTS (SELECT 1 FROM main.${name} AS saved WHERE ${same})`)
      .get()
    return Number(row?.['n'])
  } catch {
    return undefined
  }
}
