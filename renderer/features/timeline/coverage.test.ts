import {expect, test} from 'vitest'
import {covers, questionFor} from './coverage.ts'
import {rangeOf, tellStory} from './testing/story.ts'
import type {AnsweredRange} from './timeline-data.ts'

const NOW = 100_000
const SINCE = {now: NOW, lost: -1, incomplete: false}

function answered(from: number, to: number, askedAt: number, binMs?: number): AnsweredRange {
  const range = {...rangeOf(tellStory(0), from, to), ...(binMs === undefined ? {} : {binMs})}
  return {range, askedAt, columns: 1_400, newestFrame: 10}
}

test('a question has room on both sides and never more columns than the contract takes', () => {
  expect(questionFor({from: 10_000.4, to: 20_000.6}, 700)).toEqual({from: 5_000, to: 25_001, columns: 1_400})
  expect(questionFor({from: 0, to: 1}, 9_999).columns).toBe(4_000)
})

test('an answer made up to now, with the live rows after it, covers a window that goes on', () => {
  expect(covers(answered(0, 130_000, 90_000), {from: 50_000, to: 101_000}, 700, {...SINCE, now: 500_000})).toBe(true)
})

test.each([
  ['the window begins before it', answered(60_000, 130_000, 90_000), SINCE],
  ['the window ends after it, and it ended before it was asked', answered(0, 80_000, 90_000), SINCE],
  ['live rows after it were lost', answered(0, 130_000, 90_000), {...SINCE, lost: 11}],
  ['a live row tells less than it should', answered(0, 130_000, 90_000), {...SINCE, incomplete: true}],
])('an answer does not cover a window where %s', (_why, answer, since) => {
  expect(covers(answer, {from: 50_000, to: 100_000}, 700, since)).toBe(false)
})

test('bins are asked for again where a window is much finer than the question was, and never for its own sake', () => {
  const binned = answered(0, 130_000, 90_000, 1_000)
  expect(covers(binned, {from: 50_000, to: 100_000}, 700, SINCE)).toBe(true)
  expect(covers(binned, {from: 90_000, to: 100_000}, 700, SINCE)).toBe(false)
})

test('rows that were lost before it was asked are in it', () => {
  expect(covers(answered(0, 130_000, 90_000), {from: 50_000, to: 100_000}, 700, {...SINCE, lost: 10})).toBe(true)
})
