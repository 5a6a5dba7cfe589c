import {createHash} from 'node:crypto'
import {copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {DatabaseSync} from 'node:sqlite'
import {temporaryDirectory} from './temporary-store.ts'

/** The file with its log, as they lie on the disk at this moment, in a folder of their own. */
export function copyStore(path: string): string {
  const copy = join(temporaryDirectory(), 'store.db')
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  return copy
}

/** Of the file and its log: to compare them byte by byte. */
export function digestOf(path: string): string {
  const files = ['', '-wal'].map((suffix) => path + suffix).filter((file) => existsSync(file))
  return files.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex')).join(' ')
}

/** @param share - of its size that is kept, in [0, 1) */
export function cutFile(path: string, share: number): void {
  truncateSync(path, Math.floor(statSync(path).size * share))
}

/** Writes these bytes over the end of a file, as a write that was torn would leave it. */
export function spoilEnd(path: string, garbage: Uint8Array): void {
  const bytes = readFileSync(path)
  bytes.set(garbage.subarray(0, bytes.length), Math.max(0, bytes.length - garbage.length))
  writeFileSync(path, bytes)
}

/** Every row of every table, as text: two stores that say the same are the same. */
export function everythingIn(db: DatabaseSync, {except}: {readonly except?: string} = {}): string {
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all()
  const rows = (table: unknown) => db.prepare(`SELECT * FROM "${String(table)}"`).all()
  const plain = (row: object) =>
    Object.entries(row).flatMap(([name, value]) => (name === except ? [] : [textOf(value)]))
  return JSON.stringify(tables.map(({name}) => [name, rows(name).map(plain)]))
}

function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
