import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

/** A folder of the test's own, which ends with it. */
export function temporaryFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tidemark-test-'))
  onTestFinished(() => rmSync(made, {recursive: true, force: true}))
  return made
}

/** What outlives whoever holds it, as a file does. */
export function leftOpen<Held extends {readonly close: () => Promise<void>}>(held: Held): Held {
  return {...held, close: async () => {}}
}
