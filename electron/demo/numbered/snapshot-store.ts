import {appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync} from 'node:fs'
import {join} from 'node:path'
import {isJsonObject, parseJson} from '../../../shared/base/json.ts'
import {readCursor} from './cursor.ts'
import type {Entry} from './numbered-log.ts'

/** What outlives the process: as long as it is there, cursors stay valid. */
export interface SnapshotStore {
  readonly read: () => readonly Entry[]
  readonly append: (entry: Entry) => void
  /** It was lost: the next numbering begins anew. */
  readonly forget: () => void
}

const FILE = 'snapshots.jsonl'

/** @param folder - made where it is not there. Deleting it, or the one file in it, is losing the store. */
export function openSnapshotStore(folder: string): SnapshotStore {
  const path = join(folder, FILE)
  mkdirSync(folder, {recursive: true, mode: 0o700})
  return {
    read: () => readEntries(path),
    append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, {mode: 0o600}),
    forget: () => rmSync(path, {force: true}),
  }
}

/** For a server that is given no folder: its numbering ends with it. */
export function memoryStore(): SnapshotStore {
  return {read: () => [], append: () => {}, forget: () => {}}
}

function readEntries(path: string): readonly Entry[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // Not there: a store that is new, or was lost. Nobody can tell the two apart.
    return []
  }
  // A process that was killed may leave half a line; what was never whole was never sent.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  return whole.split('\n').flatMap((line) => readEntry(line) ?? [])
}

function readEntry(line: string): Entry | undefined {
  const value = parseJson(line)
  if (!isJsonObject(value)) return undefined
  const {type, at, body} = value
  const cursor = readCursor(value['cursor'])
  if (cursor === undefined || typeof at !== 'string' || !isJsonObject(body)) return undefined
  return type === 'event' || type === 'snapshot' ? {type, cursor, at, body} : undefined
}
