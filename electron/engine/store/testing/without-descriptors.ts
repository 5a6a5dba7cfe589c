import {closeSync, openSync} from 'node:fs'
import {openSqliteStore} from '../sqlite-store.ts'
import {added, journaled, moved} from './changes.ts'
import {WORKER_URL} from './worker-url.ts'

/* A process that has no file descriptors left: it commits, reads, opens a second store, and says what came of each. */

const [path = '', other = ''] = process.argv.slice(2)
const opened = await openSqliteStore({path, workerUrl: WORKER_URL})
if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.detail}`)
const store = opened.value
await store.commit([added()])
const taken = takeAll()
for (const n of [1, 2, 3]) {
  const before = n === 1 ? undefined : n - 1
  await say(`commit ${n}`, () => store.commit([journaled(n), moved(n, [['s', before, n]])]))
}
await say('read', async () => (await store.read.framesPage({}, undefined, 10)).frames.length)
await say('open', async () => {
  const second = await openSqliteStore({path: other, workerUrl: WORKER_URL})
  return second.ok ? 'ok' : second.error.kind
})
for (const file of taken) closeSync(file)
await say('commit 4', () => store.commit([journaled(4), moved(4, [['s', 3, 4]])]))
await store.close()

function takeAll(): readonly number[] {
  const files: number[] = []
  try {
    for (;;) files.push(openSync('/dev/null', 'r'))
  } catch {
    return files // there are none left
  }
}

async function say(what: string, work: () => Promise<unknown>): Promise<void> {
  const came = await work().then(
    (value) => value ?? 'ok',
    (cause: unknown) => String(cause),
  )
  process.stdout.write(`${what}: ${String(came)}\n`)
}
