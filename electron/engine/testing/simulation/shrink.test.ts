import {expect, test} from 'vitest'
import {drawPlan} from './draw-plan.ts'
import type {Item, Plan} from './plan.ts'
import {shrink} from './shrink.ts'

const plan: Plan = {
  ...drawPlan(1),
  items: Array.from({length: 40}, (_, n): Item => ({at: n, kind: 'wall', byMs: n})),
}

test('what is left is what it takes to break the rule', async () => {
  const needs = [7, 23]
  const brokenBy = async ({items}: Plan) =>
    needs.every((n) => items.some((item) => item.at === n)) ? 'the engine threw' : undefined
  const {plan: small, tried} = await shrink(plan, 'the engine threw', brokenBy, 500)
  expect(small.items.map(({at}) => at)).toEqual(needs)
  expect(small.weather.cuts + small.weather.losses + small.weather.diskErrors).toBe(0)
  expect(tried).toBeLessThan(150)
})

test('a smaller world that breaks another rule is not taken for the same failure', async () => {
  const brokenBy = async ({items}: Plan) =>
    items.length === plan.items.length ? 'the engine threw' : 'a source did not catch up'
  expect((await shrink(plan, 'the engine threw', brokenBy, 500)).plan.items).toHaveLength(40)
})

test('no more worlds are tried than allowed', async () => {
  const {tried} = await shrink(plan, 'the engine threw', async () => 'the engine threw', 5)
  expect(tried).toBe(5)
})
