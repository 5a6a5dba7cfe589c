import {expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import type {Generation} from '../../shared/cursor/cursor.ts'
import {laneOfGeneration} from '../../shared/cursor/cursor-position.ts'
import type {Sequence} from '../../shared/position/position.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {profileFiles} from '../engine/store/profile.ts'
import {added, at, gap, hole, journaled, SOURCE, START} from '../engine/store/testing/changes.ts'
import {openStore, temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {told} from './testing/told.ts'

const LEFT = 'source-2' as SourceId // as a parser would make it

/** Two sources, one of which has left the board, with a gap of every outcome. */
async function profile(): Promise<string> {
  const directory = temporaryDirectory()
  const store = await openStore(profileFiles(directory).store)
  const back = {before: at({s: 18, 'r:a': 43}), after: at({s: 2, 'r:a': 43})}
  const gaps = [
    gap(1, {...back, outcome: 'replaced', appliedAt: epochMs(START + 1_500), said: {reason: 'restart'}}),
    gap(2, {source: LEFT, outcome: 'replaced', before: at({}), after: at({s: 5}), appliedAt: epochMs(START)}),
    gap(3, {...back, outcome: 'rejected'}),
    gap(4, {...back, outcome: 'skipped'}),
    gap(5, {...back, outcome: 'pending'}),
    gap(6, {source: LEFT, outcome: 'unmoved', before: at({s: 5}), after: at({s: 5})}),
    gap(7, {outcome: 'replaced', before: at({s: 2, 'r:a': 43}), after: at({s: 2}), appliedAt: epochMs(START + 9_000)}),
  ]
  await store.commit([
    added(SOURCE),
    added(LEFT),
    ...gaps.flatMap((one) => [
      journaled(one.frame, 'handled', {kind: 'gap', source: one.source}),
      {kind: 'gapRecorded', gap: one} as const,
    ]),
    {kind: 'sourceRemoved', source: LEFT, at: epochMs(START + 20_000)},
  ])
  await store.close()
  return directory
}

async function gapsOf(...args: readonly string[]): Promise<readonly string[]> {
  const output = told()
  expect(await runProgram(['gaps', ...args], output)).toBe(0)
  return output.lines
}

/** Without the time each line begins with. */
function afterTime(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^\S+ {2}/, ''))
}

test('the ledger tells what each gap did, newest first over all sources, those that left too', async () => {
  const lines = await gapsOf('--profile', await profile())
  expect(afterTime(lines)).toEqual([
    'source-1  replaced  r:a 43 → removed',
    'source-2 (removed)  unmoved  nothing moved',
    'source-1  pending  not applied yet, would be s 18 → 2',
    'source-1  skipped  not applied, would be s 18 → 2',
    'source-1  rejected  not applied, would be s 18 → 2',
    'source-2 (removed)  replaced  s not held → 5',
    'source-1  replaced  s 18 → 2  “restart”',
  ])
})

test('one source is asked for by its name, also where it has left', async () => {
  const directory = await profile()
  expect(afterTime(await gapsOf('source-2', '--profile', directory))).toEqual([
    'source-2 (removed)  unmoved  nothing moved',
    'source-2 (removed)  replaced  s not held → 5',
  ])
  const output = told()
  expect(await runProgram(['gaps', 'nobody', '--profile', directory], output)).toBe(1)
  expect(output.lines).toEqual([])
})

test('as JSON a gap of very many rooms has every one of them', async () => {
  const directory = temporaryDirectory()
  const store = await openStore(profileFiles(directory).store)
  const before = Object.fromEntries([['s', 7], ...Array.from({length: 2_500}, (_, n) => [`r:${n}`, n + 1])])
  const wide = gap(1, {outcome: 'replaced', before: at(before), after: at({...before, 'r:0': 0})})
  await store.commit([added(), journaled(1, 'handled', {kind: 'gap'}), {kind: 'gapRecorded', gap: wide}])
  await store.close()
  const [line = ''] = await gapsOf('--json', '--profile', directory)
  expect(JSON.parse(line)).toMatchObject({fact: 'gap', name: 'source-1', before, after: {...before, 'r:0': 0}})
  expect(afterTime(await gapsOf('--profile', directory))).toEqual(['source-1  replaced  r:0 1 → 0'])
})

test('what was seen to be missing stands among what was declared, with what the server said of it', async () => {
  const directory = temporaryDirectory()
  const store = await openStore(profileFiles(directory).store)
  const lane = laneOfGeneration('0762effa9b4d' as Generation)
  const numbers = (value: number): Sequence => value as Sequence
  const holes = [
    hole(1, {lane, by: 'event', after: numbers(4), upTo: numbers(9), missing: 4}),
    hole(3, {
      lane,
      by: 'snapshot',
      purpose: 'attach',
      after: numbers(9),
      upTo: numbers(18),
      missing: 9,
      said: 'complete',
    }),
  ]
  await store.commit([
    added(),
    ...holes.flatMap((one) => [journaled(Number(one.frame), 'handled'), {kind: 'holeSeen', hole: one} as const]),
    journaled(2, 'handled', {kind: 'gap'}),
    {kind: 'gapRecorded', gap: gap(2, {outcome: 'unmoved'})},
  ])
  await store.close()
  expect(afterTime(await gapsOf('--profile', directory))).toEqual([
    'source-1  hole  up to 9 not seen: 10 … 18 of generation 0762effa9b4d  held 9, then the snapshot’s cursor is 18 (attach)  the server said “complete”',
    'source-1  unmoved  nothing moved',
    'source-1  hole  up to 4 not seen: 5 … 8 of generation 0762effa9b4d  held 4, then 9 came',
  ])
  const told = (await gapsOf('--json', '--profile', directory)).map((line): unknown => JSON.parse(line))
  expect(told).toMatchObject([
    {fact: 'hole', name: 'source-1', missing: 9, said: 'complete', receivedAt: expect.stringContaining('T')},
    {fact: 'gap'},
    {fact: 'hole', missing: 4},
  ])
})
