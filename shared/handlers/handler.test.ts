import {expect, test} from 'vitest'
import {retryDelayMs} from './handler.ts'

test('the pause doubles from one failure to the next, up to half a minute', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelayMs({attempts: 9, backoffMs: 1_000}, failures, 1))
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(retryDelayMs({attempts: 9, backoffMs: 1_000}, 1, 0)).toBe(500)
  expect(retryDelayMs({attempts: 9, backoffMs: 0}, 5, 1)).toBe(0)
})
