import {expect, test} from 'vitest'
import {drawPlan} from './draw-plan.ts'
import {runPlan} from './run-seed.ts'
import {explainSeed, runSeeds} from './run-seeds.ts'

test('one seed is one world: run again, it takes the same way to the last event', {timeout: 600_000}, async () => {
  const hashes = new Set<string>()
  for (let seed = 1; seed <= 60; seed++) {
    const first = await runPlan(drawPlan(seed), true)
    const again = await runPlan(drawPlan(seed), true)
    expect(again).toEqual(first)
    hashes.add(first.hash)
  }
  expect(hashes.size).toBe(60)
})

test('a trace that is kept changes nothing of what happens', {timeout: 600_000}, async () => {
  for (let seed = 1; seed <= 12; seed++)
    expect((await runPlan(drawPlan(seed), true)).steps).toBe((await runPlan(drawPlan(seed))).steps)
})

test('a thousand worlds keep every rule', {timeout: 600_000}, async () => {
  const {seeds, failures} = await runSeeds({first: 1, count: 1_000})
  expect(failures.length === 0 ? 'no violation' : await explainSeed(failures[0]?.seed ?? 0, 200)).toBe('no violation')
  expect(seeds).toBe(1_000)
})
