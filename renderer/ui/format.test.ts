import {afterEach, expect, test, vi} from 'vitest'
import {
  age,
  byteSize,
  clockOf,
  clockTime,
  count,
  countdown,
  counted,
  duration,
  laneSequence,
  shortPosition,
  stepText,
} from './format.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [4402, '4\u2009402'],
  [9_007_199_254_740_991, '9\u2009007\u2009199\u2009254\u2009740\u2009991'],
])('%d is grouped by thin spaces for reading', (value, text) => expect(count(value)).toBe(text))

test.each([
  [-5, '0 ms'],
  [3, '3 ms'],
  [999.7, '1.0 s'],
  [2_100, '2.1 s'],
  [9_960, '10 s'],
  [61_000, '61 s'],
  [125_000, '2 min'],
  [7_200_000, '2 h'],
  [200_000_000, '2 d'],
])('a span of %d ms has a unit', (ms, text) => expect(duration(ms)).toBe(text))

test('a growing age does not flicker below a second, and is never rounded up', () => {
  expect(age(-3)).toBe('<1 s')
  expect(age(999)).toBe('<1 s')
  expect(age(1_999)).toBe('1.0 s')
  expect(age(42_900)).toBe('42 s')
})

test('a countdown does not say 0 before it is due', () => {
  expect(countdown(1)).toBe('1 s')
  expect(countdown(0)).toBe('0 s')
  expect(countdown(-400)).toBe('0 s')
})

test('times of day are exact to the millisecond and in the zone of the screen', () => {
  const at = new Date(2026, 10, 30, 16, 4, 36, 4).getTime()
  expect(clockTime(at)).toBe('16:04:36.004')
  expect(clockTime(clockOf(at)(9, 5, 7))).toBe('09:05:07.000')
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [142, '142 bytes'],
  [12_345, '12 kB'],
  [999_900, '1.0 MB'],
  [1_234_000_000, '1.2 GB'],
])('%d bytes read as %s', (bytes, text) => expect(byteSize(bytes)).toBe(text))

test('a position that is not known is not written as 0', () => {
  expect(shortPosition([], 0)).toBe('no position yet')
  expect(shortPosition([['s', 0]], 1)).toBe('s 0')
  expect(
    shortPosition(
      [
        ['s', 4402],
        ['r:a', 1],
      ],
      6,
    ),
  ).toBe('s 4402 · 5 rooms')
  expect(shortPosition([['r:a', 7]], 1)).toBe('1 room')
})

test('a step says where it came from and where it went, removal included', () => {
  expect(stepText(18, 2)).toBe('18 → 2')
  expect(stepText(9, null)).toBe('9 → removed')
  expect(stepText(null, 4)).toBe('new → 4')
})

test('a frame without a coordinate has a dash, and one without a sequence only its lane', () => {
  expect(laneSequence(undefined, undefined)).toBe('–')
  expect(laneSequence('s', undefined)).toBe('s')
  expect(laneSequence('r:__proto__', 0)).toBe('r:__proto__ 0')
  expect(counted(1, 'gap')).toBe('1 gap')
})

afterEach(() => vi.unstubAllEnvs())

test('a time of day is the one on the clock, also on a day on which the clocks change', () => {
  vi.stubEnv('TZ', 'Europe/Berlin') // 2026-03-29 has 23 hours there, 2026-10-25 has 25
  expect(clockOf(Date.UTC(2026, 2, 29, 12))(16, 0, 0)).toBe(Date.UTC(2026, 2, 29, 14))
  expect(clockOf(Date.UTC(2026, 9, 25, 12))(16, 0, 0)).toBe(Date.UTC(2026, 9, 25, 15))
})
