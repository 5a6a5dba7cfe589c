import fc from 'fast-check'
import {expect, test} from 'vitest'
import {compareText} from './compare-text.ts'

test('texts are ordered as the language orders them without a locale', () => {
  fc.assert(
    fc.property(fc.array(fc.string({unit: 'binary'})), (texts) => {
      expect([...texts].sort(compareText)).toEqual([...texts].sort())
    }),
  )
})

test('capitals come before small letters, and equal texts are equal', () => {
  expect(['b', 'a', 'B'].sort(compareText)).toEqual(['B', 'a', 'b'])
  expect(compareText('r:a', 'r:a')).toBe(0)
})
