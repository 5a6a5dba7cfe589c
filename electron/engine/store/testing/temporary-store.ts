import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {openSqliteStore, type SqliteStoreOptions} from '../sqlite-store.ts'
import type {Store} from '../store.ts'
import {WORKER_URL} from './worker-url.ts'

/** A folder that goes when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'))
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}))
  return directory
}

/** A store on a real file, closed when the test ends. */
export async function openStore(path: string, more: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const opened = await openSqliteStore({path, workerUrl: WORKER_URL, ...more})
  if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.detail}`)
  onTestFinished(() => opened.value.close())
  return opened.value
}
