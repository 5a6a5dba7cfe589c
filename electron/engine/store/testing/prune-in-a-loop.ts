import {epochMs} from '../../../../shared/base/units.ts'
import {openSqliteStore} from '../sqlite-store.ts'
import {added, gap, id, journaled, moved, SOURCE, START} from './changes.ts'
import {WORKER_URL} from './worker-url.ts'

/* A process to be killed while it prunes: it goes on committing meanwhile, and says each number after its commit resolved. */

const [path = ''] = process.argv.slice(2)
const OLD = 8_000
const opened = await openSqliteStore({path, workerUrl: WORKER_URL})
if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.detail}`)
const store = opened.value
await store.commit([
  added(),
  ...Array.from({length: OLD}, (_, n) => journaled(n + 1, n === 99 ? 'pending' : 'handled')),
])
await store.commit([{kind: 'gapRecorded', gap: gap(50)}])
const now = epochMs(START + 1_000_000_000_000)
void store.prune({now, before: now})
for (let n = OLD + 1; ; n++) {
  const more = {id: id(n), receivedAt: now, source: SOURCE}
  await store.commit([journaled(n, 'handled', more), moved(n, [['s', undefined, n]], {at: now})])
  process.stdout.write(`${n}\n`)
}
