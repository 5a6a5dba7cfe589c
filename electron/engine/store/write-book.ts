import type {DatabaseSync} from 'node:sqlite'
import {COUNTERS, type Counter, countsOf} from '../../../shared/history/counts.ts'
import type {CoordinateKey, Sequence} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {COUNT_COMMIT} from './cut-log.ts'
import type {Cells} from './roll-up.ts'
import {createRollUpWriter} from './write-roll-up.ts'

/** A coordinate as it will stand when the transaction ends. */
export interface OpenCoordinate {
  readonly id: number
  sequence: Sequence | undefined
}

/** What a transaction gathers about one source and writes once, at its end. */
export interface OpenSource {
  readonly key: number
  readonly tally: Record<Counter, number>
  readonly coordinates: Map<CoordinateKey, OpenCoordinate>
  readonly moved: Set<OpenCoordinate>
  /** Which of its numberings it is in. */
  numbering: number
  cells: Cells
  openSecond: number | undefined
  lastAt: number | undefined
  touched: boolean
}

/**
 * What the writer remembers between commits, so that a commit reads nothing it wrote before. The file is the truth: after a
 * transaction that failed, everything here is forgotten and read again.
 */
export interface WriteBook {
  readonly source: (id: SourceId) => OpenSource
  readonly coordinate: (source: OpenSource, name: CoordinateKey) => OpenCoordinate
  /** Writes what was gathered. The last thing in a transaction. */
  readonly flush: () => void
  readonly forget: () => void
  /** The newest frame journaled, over all sources; 0 before the first. */
  newestFrame: number
}

/** Above this many coordinates the memory of them is given up after a commit. About 100 bytes each. */
const COORDINATES_REMEMBERED = 500_000

export function createWriteBook(db: DatabaseSync): WriteBook {
  const statements = prepare(db)
  const sources = new Map<SourceId, OpenSource>()
  let remembered = 0
  let newest: number | undefined

  const loadSource = (id: SourceId): OpenSource => {
    const row = statements.findSource.get(id)
    if (row === undefined) throw new Error(`the store knows no source ${id}`)
    return {
      key: Number(row['key']),
      tally: countsOf((counter) => Number(row[counter])),
      coordinates: new Map(),
      moved: new Set(),
      numbering: Number(row['numbering']),
      cells: new Map(),
      openSecond: optionalNumber(row['open_second']),
      lastAt: optionalNumber(row['last_at']),
      touched: false,
    }
  }
  const loadCoordinate = (source: OpenSource, name: CoordinateKey): OpenCoordinate => {
    const stored = JSON.stringify(name)
    const row = statements.findCoordinate.get(source.key, stored)
    remembered += 1
    if (row === undefined) {
      const id = Number(statements.addCoordinate.run(source.key, stored).lastInsertRowid)
      return {id, sequence: undefined}
    }
    // Written by this file alone, from a Sequence.
    return {id: Number(row['id']), sequence: optionalNumber(row['sequence']) as Sequence | undefined}
  }
  const forget = (): void => {
    sources.clear()
    remembered = 0
    newest = undefined
  }

  return {
    source: (id) => remember(sources, id, () => loadSource(id)),
    coordinate: (source, name) => remember(source.coordinates, name, () => loadCoordinate(source, name)),
    flush() {
      for (const source of sources.values()) if (source.touched) statements.write(source)
      statements.countCommit.run()
      if (remembered > COORDINATES_REMEMBERED) forget()
    },
    forget,
    get newestFrame() {
      newest ??= Number(statements.newestFrame.get()?.['id'] ?? 0)
      return newest
    },
    set newestFrame(frame) {
      newest = frame
    },
  }
}

function prepare(db: DatabaseSync) {
  const rollUps = createRollUpWriter(db)
  const moveCoordinate = db.prepare('UPDATE coordinates SET sequence = ? WHERE id = ?')
  const writeTally = db.prepare(
    `UPDATE tallies SET ${COUNTERS.map((counter) => `${counter} = ?`).join(', ')}, open_second = ?, last_at = ? WHERE source = ?`,
  )
  return {
    findSource: db.prepare(`
      SELECT sources.*, tallies.*,
        (SELECT count(*) FROM numberings WHERE numberings.source = sources.key AND decision = 'taken') AS numbering
      FROM sources JOIN tallies ON tallies.source = sources.key WHERE id = ?`),
    findCoordinate: db.prepare('SELECT id, sequence FROM coordinates WHERE source = ? AND name = ?'),
    addCoordinate: db.prepare('INSERT INTO coordinates (source, name) VALUES (?, ?)'),
    newestFrame: db.prepare('SELECT max(id) AS id FROM frames'),
    countCommit: db.prepare(COUNT_COMMIT),
    write(source: OpenSource): void {
      source.openSecond = rollUps.add(source.key, source.cells, source.openSecond)
      source.cells = new Map()
      for (const {id, sequence} of source.moved) moveCoordinate.run(sequence ?? null, id)
      source.moved.clear()
      const counts = COUNTERS.map((counter) => source.tally[counter])
      writeTally.run(...counts, source.openSecond ?? null, source.lastAt ?? null, source.key)
      source.touched = false
    },
  }
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, load: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const loaded = load()
  map.set(key, loaded)
  return loaded
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
