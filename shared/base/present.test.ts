import {expect, test} from 'vitest'
import {present} from './present.ts'

test('what is undefined is absent, and everything else stays, false and empty too', () => {
  const kept = present({a: 1, b: undefined, c: false, d: '', e: null, f: 0})
  expect(kept).toEqual({a: 1, c: false, d: '', e: null, f: 0})
  expect('b' in kept).toBe(false)
})
