import {expect, test} from 'vitest'
import {addCounts, countPlaywright, countVitest} from './count-tests.ts'

const file = (status: string, tests: number) => ({status, assertionResults: Array.from({length: tests}, () => ({}))})

test('passed and failed tests are counted as reported', () => {
  const report = {numPassedTests: 4, numFailedTests: 2, testResults: [file('passed', 3), file('failed', 3)]}
  expect(countVitest(report, false)).toEqual({passed: 4, failed: 2})
})

test('a file that does not load counts as one failed', () => {
  const report = {numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', 3), file('failed', 0)]}
  expect(countVitest(report, false)).toEqual({passed: 3, failed: 1})
})

test('a run that ended badly with no failed test counts as one failed', () => {
  expect(countVitest({numPassedTests: 3, numFailedTests: 0, testResults: []}, false)).toEqual({passed: 3, failed: 1})
  const stats = {expected: 5, unexpected: 0, flaky: 0}
  expect(countPlaywright({stats}, false)).toEqual({passed: 5, failed: 1})
})

test('no report counts as one failed', () => {
  expect(countVitest(undefined, true)).toEqual({passed: 0, failed: 1})
  expect(countPlaywright(undefined, true)).toEqual({passed: 0, failed: 1})
})

test('a test that passed only at its second try failed', () => {
  expect(countPlaywright({stats: {expected: 5, unexpected: 1, flaky: 2}}, false)).toEqual({passed: 5, failed: 3})
})

test('counts add up', () => {
  expect(
    addCounts([
      {passed: 1, failed: 0},
      {passed: 2, failed: 3},
    ]),
  ).toEqual({passed: 3, failed: 3})
})
