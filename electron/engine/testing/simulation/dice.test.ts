import {expect, test} from 'vitest'
import {createDice} from './dice.ts'

test('the same seed throws the same numbers, another one others', () => {
  const throws = (seed: number): number[] => Array.from({length: 20}, createDice(seed).next)
  expect(throws(7)).toEqual(throws(7))
  expect(throws(7)).not.toEqual(throws(8))
})

test('dice of a part depend on its name, not on how often others were thrown', () => {
  const quiet = createDice(7)
  const busy = createDice(7)
  for (let n = 0; n < 100; n++) busy.next()
  expect(busy.fork('disk').next()).toBe(quiet.fork('disk').next())
  expect(quiet.fork('disk').next()).not.toBe(quiet.fork('net').next())
  expect(quiet.fork('a').fork('b').next()).not.toBe(quiet.fork('b').fork('a').next())
})

test('numbers are spread over all of [0, 1)', () => {
  const dice = createDice(1, 'spread')
  const tenths = new Array<number>(10).fill(0)
  for (let n = 0; n < 10_000; n++) {
    const tenth = dice.below(10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  expect(Math.min(...tenths)).toBeGreaterThan(850)
  expect(Math.max(...tenths)).toBeLessThan(1_150)
})
