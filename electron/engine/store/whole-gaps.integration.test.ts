import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {CoordinateKey} from '../../../shared/position/position.ts'
import {createMemoryStore} from './memory-store.ts'
import type {Store} from './store.ts'
import {added, at, gap, id, journaled, START} from './testing/changes.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'

const IMPLEMENTATIONS: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['sqlite', () => openStore(join(temporaryDirectory(), 'store.db'))],
]

const ROOMS = 3_000

/** `s` stays at 7; of so many rooms the first few go back to 1, and one is removed. */
function wide() {
  const rooms = Array.from({length: ROOMS}, (_, n) => [`r:${n}`, 100 + n] as const)
  const before = Object.fromEntries([['s', 7], ...rooms])
  const {'r:9': _removed, ...rest} = before
  const after = {...rest, 'r:0': 1, 'r:1': 1}
  const wentBack = ['r:0', 'r:1'] as readonly string[] as readonly CoordinateKey[] // names, as a parser would make them
  const removed = ['r:9'] as readonly string[] as readonly CoordinateKey[]
  return {before: at(before), after: at(after), said: {position: at(after), reason: 'restart'}, wentBack, removed}
}

describe.each(IMPLEMENTATIONS)('the ledger of a %s store', (_name, open) => {
  test('tells a screen of a wide gap s, what changed, and how many coordinates there are', async () => {
    const store = await open()
    await store.commit([added(), journaled(1, 'handled', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(1, wide())}])
    const {gaps} = await store.read.gaps(undefined, undefined, 10)
    const shown = {
      before: [
        ['s', 7],
        ['r:0', 100],
        ['r:1', 101],
        ['r:9', 109],
      ],
      after: [
        ['s', 7],
        ['r:0', 1],
        ['r:1', 1],
      ],
      coordinatesTotal: ROOMS + 1,
    }
    expect(gaps).toMatchObject([shown])
    expect((await store.read.frameDetail(id(1)))?.gap).toMatchObject(shown)
    const range = await store.read.timeline(gap(1).source, epochMs(START), epochMs(START + 60_000), 100)
    expect(range.gaps).toMatchObject([shown])
  })

  test('keeps every coordinate of a wide gap, for whoever asks for the whole', async () => {
    const store = await open()
    const pending = gap(1, {...wide(), outcome: 'pending'})
    const applied = gap(1, {...wide(), outcome: 'replaced', appliedAt: epochMs(START + 5_000)})
    await store.commit([added(), journaled(1, 'handled', {kind: 'gap'}), {kind: 'gapRecorded', gap: pending}])
    await store.commit([{kind: 'gapRecorded', gap: applied}])
    const {gaps} = await store.read.gaps(undefined, undefined, 10, true)
    const [whole] = gaps
    expect(whole).toMatchObject({outcome: 'replaced', appliedAt: START + 5_000, said: {reason: 'restart'}})
    expect(whole?.coordinatesTotal).toBeUndefined()
    expect(at(Object.fromEntries(whole?.before ?? []))).toEqual(applied.before)
    expect(at(Object.fromEntries(whole?.after ?? []))).toEqual(applied.after)
    expect(at(Object.fromEntries(whole?.said.position ?? []))).toEqual(applied.after)
  })

  test('a gap that fits a screen is the same both ways, and names no total', async () => {
    const store = await open()
    const small = gap(1, {before: at({s: 18, 'r:a': 43}), after: at({s: 2}), said: {position: at({s: 2})}})
    await store.commit([added(), journaled(1, 'handled', {kind: 'gap'}), {kind: 'gapRecorded', gap: small}])
    const [shown, whole] = [
      await store.read.gaps(undefined, undefined, 10),
      await store.read.gaps(undefined, undefined, 10, true),
    ]
    expect(shown).toEqual(whole)
    expect(shown.gaps[0]).not.toHaveProperty('coordinatesTotal')
  })
})
