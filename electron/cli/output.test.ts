import {expect, test} from 'vitest'
import {clip} from '../../shared/frames/summary.ts'
import {printable} from './output.ts'

/** Signs that turn what stands behind them, up to the end of the line: numbers would be read backwards. */
const TURNING = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']

test.each(TURNING)('what a server says turns nothing that stands beside it (%j)', (sign) => {
  expect(printable(`a${sign}b  12`)).toBe('a\ufffdb  12')
  expect(clip(`a${sign}b`)).toBe('a b')
})

test('a terminal is told no sequence that it would obey, and letters of any script stay', () => {
  expect(printable('a\u001b[2Jb\u0085')).toBe('a\ufffd[2Jb\ufffd')
  expect([printable('مرحبا 日本 🌊'), clip('مرحبا 日本 🌊')]).toEqual(['مرحبا 日本 🌊', 'مرحبا 日本 🌊'])
})
