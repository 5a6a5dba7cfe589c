import {openSqliteStore} from '../sqlite-store.ts'
import {added, journaled, moved} from './changes.ts'
import {WORKER_URL} from './worker-url.ts'

/* A process to be killed: commits frame after frame, some lists at once, and says each number after its commit resolved. */

const [path = '', first = '1'] = process.argv.slice(2)
const opened = await openSqliteStore({path, workerUrl: WORKER_URL})
if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.detail}`)
const store = opened.value
if (first === '1') await store.commit([added()])
for (let n = Number(first); ; n += 3) await Promise.all([n, n + 1, n + 2].map(commit))

async function commit(n: number): Promise<void> {
  await store.commit([journaled(n), moved(n, [['s', n === 1 ? undefined : n - 1, n]])])
  process.stdout.write(`${n}\n`)
}
