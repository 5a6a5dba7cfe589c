import {join} from 'node:path'
import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import {pruneOrder} from '../../../shared/history/retention.ts'
import {openDatabase} from './database.ts'
import {createMemoryStore} from './memory-store.ts'
import type {Store} from './store.ts'
import {added, at, decided, gap, id, journaled, moved, SOURCE, START, seen, settled} from './testing/changes.ts'
import {linesUntilKilled, runChild} from './testing/run-child.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'

const IMPLEMENTATIONS: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['sqlite', () => openStore(join(temporaryDirectory(), 'store.db'))],
]

async function framesOf(store: Store): Promise<readonly number[]> {
  return (await store.read.framesPage({}, undefined, 500)).frames.map((row) => row.id)
}

/** Frame n was received n s after the start. */
function olderThanFrame(n: number) {
  return {now: epochMs(START + 1_000_000), before: epochMs(START + n * 1_000)}
}

test.each(IMPLEMENTATIONS)(
  'a %s store forgets old frames, and neither cursor nor gap nor skip nor what waits',
  async (_name, open) => {
    const store = await open()
    await store.commit([added(), ...[1, 2, 3, 4, 5, 6].map((n) => journaled(n, n === 2 ? 'pending' : 'handled'))])
    await store.commit([moved(1, [['s', undefined, 1]]), moved(6, [['s', 1, 6]]), {kind: 'gapRecorded', gap: gap(3)}])
    await store.commit([
      settled(4, 'skipped'),
      moved(4, [['r:a', undefined, 1]], {cause: 'skipped', reason: 'known loss'}),
    ])
    const before = await store.load()
    const ledger = await store.read.gaps(SOURCE, undefined, 10)
    expect(await store.prune(olderThanFrame(6))).toMatchObject({frames: 2})
    expect(await framesOf(store)).toEqual([6, 4, 3, 2])
    expect(await store.load()).toEqual(before)
    expect(before.sources[0]?.position).toEqual(at({s: 6, 'r:a': 1}))
    expect(await store.read.gaps(SOURCE, undefined, 10)).toEqual(ledger)
    expect(await store.read.frameDetail(id(4))).toMatchObject({skipReason: 'known loss'})
    expect(await store.read.frameDetail(id(1))).toBeUndefined()
    expect(await store.read.size()).toMatchObject({storedFrames: 4})
    expect(await store.prune(olderThanFrame(6))).toEqual({frames: 0, bytes: 0})
  },
)

test.each(IMPLEMENTATIONS)(
  'a %s store keeps what the user said of a numbering, with the frame that began it',
  async (_name, open) => {
    const store = await open()
    await store.commit([added(), ...[1, 2, 3, 4].map((n) => journaled(n, n === 2 || n === 3 ? 'pending' : 'handled'))])
    await store.commit([settled(2, 'stale'), moved(2, [], {cause: 'numberingKept'}), decided(2, 'kept')])
    const back = moved(3, [['generation', 10, 1]], {cause: 'numberingTaken'})
    await store.commit([settled(3), back, decided(3, 'taken'), seen('n:1', 0, 3_500)])
    const [ledger, generations] = [
      await store.read.numberings(SOURCE, undefined, 10),
      await store.read.generations(SOURCE, 500),
    ]
    expect(await store.prune(olderThanFrame(4))).toMatchObject({frames: 1})
    expect(await framesOf(store)).toEqual([4, 3, 2])
    expect(await store.read.numberings(SOURCE, undefined, 10)).toEqual(ledger)
    expect(await store.read.generations(SOURCE, 500)).toEqual(generations)
    expect(await store.read.frameDetail(id(3))).toMatchObject({steps: [['generation', 10, 1]]})
  },
)

test('a store of very many numberings keeps each of them, and comes to the end of what is old', {
  timeout: 600_000,
}, async () => {
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  const [numberings, apiece, others] = [100_000, 1_000, 1_000]
  await store.commit([added()])
  for (let first = 1; first <= numberings; first += apiece)
    await store.commit(
      Array.from({length: apiece}, (_, n) => [
        journaled(first + n, 'stale'),
        moved(first + n, [], {cause: 'numberingKept'}),
        decided(first + n, 'kept'),
      ]).flat(),
    )
  await store.commit(Array.from({length: others}, (_, n) => journaled(numberings + n + 1)))
  const newest = await store.read.numberings(SOURCE, undefined, 50)
  const {frames} = await store.prune(olderThanFrame(numberings + others))
  expect(frames).toBe(others - 1)
  expect(await store.read.numberings(SOURCE, undefined, 50)).toEqual(newest)
  expect(await store.read.size()).toMatchObject({storedFrames: numberings + 1})
  expect(await store.read.frameDetail(id(1))).toMatchObject({frame: {outcome: 'stale'}})
  expect(await store.prune(olderThanFrame(numberings + others))).toEqual({frames: 0, bytes: 0})
})

test('commits go on while old history is deleted', async () => {
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  await store.commit([added(), ...Array.from({length: 5_000}, (_, n) => journaled(n + 1))])
  const ended: string[] = []
  const pruning = store.prune(olderThanFrame(9_999)).then(() => ended.push('prune'))
  for (const n of [5_001, 5_002, 5_003]) {
    await store.commit([journaled(n)])
    ended.push('commit')
  }
  await pruning
  expect(ended).toEqual(['commit', 'commit', 'commit', 'prune'])
})

test('a store that is closed while old history is deleted stops deleting', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const store = await openStore(path)
  await store.commit([added(), ...Array.from({length: 5_000}, (_, n) => journaled(n + 1))])
  const pruning = store.prune(olderThanFrame(9_999))
  await store.close()
  const {frames} = await pruning
  const reopened = await openStore(path)
  expect(await reopened.read.size()).toMatchObject({storedFrames: 5_000 - frames})
})

test('a process that only reads deletes nothing', async () => {
  const path = join(temporaryDirectory(), 'store.db')
  const owner = await openStore(path)
  await owner.commit([added(), journaled(1), journaled(2)])
  const reader = await openStore(path, {access: 'read'})
  await expect(reader.prune(olderThanFrame(9))).rejects.toMatchObject({error: {kind: 'readOnly'}})
})

test('a process killed while it deletes leaves a sound store with everything that must stay', async () => {
  for (const lines of [1, 3, 6]) {
    const path = join(temporaryDirectory(), 'store.db')
    const said = await linesUntilKilled(
      runChild(new URL('./testing/prune-in-a-loop.ts', import.meta.url), [path]),
      lines,
    )
    const opened = openDatabase({path, role: 'read'})
    if (!opened.ok) throw new Error(opened.error.detail)
    expect(opened.value.prepare('PRAGMA integrity_check').all()).toEqual([{integrity_check: 'ok'}])
    opened.value.close()
    const store = await openStore(path)
    const newest = (await store.load()).nextFrameId - 1
    expect(newest).toBeGreaterThanOrEqual(Math.max(...said.map(Number)))
    const [source] = (await store.load()).sources
    expect(source?.position).toEqual(at({s: newest}))
    expect(source?.unhandled.map(({frame}) => frame.id)).toEqual([100])
    await store.prune(pruneOrder({maxAgeDays: 0}, epochMs(START + 1_000_000_000_000)))
    expect((await store.read.gaps(SOURCE, undefined, 5)).gaps).toMatchObject([{frame: 50}])
    expect(await framesOf(store)).toEqual([...range(newest, 8_001), 100, 50])
    await store.close()
  }
})

function range(from: number, downTo: number): readonly number[] {
  return Array.from({length: from - downTo + 1}, (_, n) => from - n)
}
