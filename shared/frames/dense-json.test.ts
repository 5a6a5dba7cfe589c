import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isDense} from './dense-json.ts'

function partsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + partsOf(one), 1)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + 1 + partsOf(one), 1)
}

test('counts objects, lists and members, and nothing of what stands in strings', () => {
  const texts = fc.string({unit: fc.constantFrom('{', '[', ':', '"', '\\', 'a', '\n')})
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      {depthSize: 'small'},
      texts,
      fc.array(tie('value')),
      fc.dictionary(texts, tie('value')),
      fc.constant(null),
    ),
  })).value
  fc.assert(
    fc.property(values, (value) => {
      const parts = partsOf(value)
      const text = JSON.stringify(value)
      expect(isDense(text, parts)).toBe(false)
      if (parts > 0) expect(isDense(text, parts - 1)).toBe(true)
    }),
  )
})

test.each([
  ['lists in lists', '['.repeat(2_000_001)],
  ['objects side by side', `[${'{},'.repeat(2_000_000)}{}]`],
])('%s by the million are too dense', (_what, text) => expect(isDense(text)).toBe(true))

test('a text of megabytes is not dense, however it quotes brackets', () => {
  expect(isDense(JSON.stringify({chunk: '[{"a":1}]\\'.repeat(500_000)}))).toBe(false)
  expect(isDense(`"${'\\'.repeat(4_000_000)}`)).toBe(false)
})
