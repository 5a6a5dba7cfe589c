import {expect, test} from 'vitest'
import {holdsTooMuch} from './holds-too-much.ts'

const many = (count: number): number[] => Array.from({length: count}, (_, index) => index)

test.each([
  ['nothing', undefined],
  ['a long word', 'x'.repeat(1_000_000)],
  [
    'as many handlers as there may be, each as large as it may be',
    many(20).map(() => ({argv: many(100), env: many(400)})),
  ],
])('%s is not too much', (_what, input) => expect(holdsTooMuch(input)).toBe(false))

test.each([
  ['a long list', many(60_000)],
  ['a list of lists', many(1_000).map(() => many(60))],
  ['an object with many members', Object.fromEntries(many(60_000).map((name) => [name, name]))],
])('%s is too much', (_what, input) => expect(holdsTooMuch(input)).toBe(true))

test('so is what holds itself', () => {
  const input: Record<string, unknown> = {}
  input['itself'] = [input, input]
  expect(holdsTooMuch(input)).toBe(true)
})
