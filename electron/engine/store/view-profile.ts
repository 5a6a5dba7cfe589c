import type {DatabaseSync} from 'node:sqlite'
import type {SourceRecord} from '../../../shared/source/source.ts'
import {loadCounts, loadLastConnection, loadPosition, loadProfile, loadUnhandled} from './load.ts'
import {fromJson, type Row} from './read-row.ts'
import {storeErrorOf} from './sqlite-error.ts'
import type {StoredSource, StoreError} from './store.ts'

/** A source as far as the disk can tell: a part that could not be read is absent, and named. */
export type ViewedSource = Pick<StoredSource, 'record' | 'vectorSeen'> &
  Partial<Pick<StoredSource, 'position' | 'unhandled' | 'counts' | 'lastConnection'>> & {
    readonly unreadable: readonly SourcePart[]
  }

export type SourcePart = 'position' | 'unhandled' | 'counts' | 'lastConnection'

export interface ViewedProfile {
  readonly sources: readonly ViewedSource[]
  readonly removed: readonly SourceRecord[]
  /** Why something could not be read. Absent: everything was. */
  readonly damage?: StoreError
}

/** What a store says of its sources, for looking at it: where a page of it cannot be read, the rest still is. */
export function viewProfile(db: DatabaseSync): ViewedProfile {
  try {
    const {sources, removed} = loadProfile(db)
    return {sources: sources.map((source) => ({...source, unreadable: []})), removed}
  } catch (cause) {
    return viewInParts(db, storeErrorOf(cause))
  }
}

function viewInParts(db: DatabaseSync, damage: StoreError): ViewedProfile {
  const rows = readable(() => db.prepare('SELECT * FROM sources ORDER BY key').all()) ?? []
  const known = rows.flatMap((row) => {
    const record = readable(() => fromJson<SourceRecord>(row['record']))
    return record === undefined ? [] : [{row, record}]
  })
  return {
    sources: known.filter(({row}) => row['removed_at'] === null).map(({row, record}) => viewSource(db, row, record)),
    removed: known.filter(({row}) => row['removed_at'] !== null).map(({record}) => record),
    damage,
  }
}

function viewSource(db: DatabaseSync, row: Row, record: SourceRecord): ViewedSource {
  const key = Number(row['key'])
  const unreadable: SourcePart[] = []
  const part = <Part extends SourcePart>(
    name: Part,
    read: () => StoredSource[Part],
  ): {readonly [P in Part]?: StoredSource[P]} => {
    try {
      const value = read()
      // A computed name widens to an index signature; it is this one name.
      return (value === undefined ? {} : {[name]: value}) as {readonly [P in Part]?: StoredSource[P]}
    } catch {
      unreadable.push(name)
      return {}
    }
  }
  const parts = {
    ...part('position', () => loadPosition(db, key)),
    ...part('unhandled', () => loadUnhandled(db, key)),
    ...part('counts', () => loadCounts(db, key)),
    ...part('lastConnection', () => loadLastConnection(db, row)),
  }
  return {record, vectorSeen: row['vector_seen'] === 1, ...parts, unreadable}
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
