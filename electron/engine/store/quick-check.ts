import type {DatabaseSync} from 'node:sqlite'
import type {StoreError} from './store.ts'

/** Reads the whole file; `undefined` where it is sound. */
export function quickCheck(db: DatabaseSync): StoreError | undefined {
  const rows = db.prepare('PRAGMA quick_check(20)').all()
  const findings = rows.map((row) => String(row['quick_check']))
  return findings.length === 1 && findings[0] === 'ok' ? undefined : {kind: 'corrupt', detail: findings.join('; ')}
}
