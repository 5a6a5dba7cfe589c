import {expect, test} from 'vitest'
import {historyProblem, readHistoryDraft} from './history-draft.ts'

test.each([
  ['5', '12', {generation: 5, sequence: 12}],
  [' 0 ', ' 0 ', {generation: 0, sequence: 0}],
  ['da65790f3c68', '59', {generation: 'da65790f3c68', sequence: 59}],
])('%s and %s are a cursor', (generation, sequence, cursor) => {
  expect(readHistoryDraft({generation, sequence})).toEqual(cursor)
  expect(historyProblem({generation, sequence})).toBeUndefined()
})

test.each([
  ['5', 'x'],
  ['5', '-1'],
  ['5', '1.5'],
  ['99999999999999999999', '1'],
])('%s and %s are none, and it is said why', (generation, sequence) => {
  expect(readHistoryDraft({generation, sequence})).toBeUndefined()
  expect(historyProblem({generation, sequence})).toMatch(/whole number/)
})

test.each([
  ['', '12'],
  ['5', ''],
])('“%s” and “%s” are not a cursor yet', (generation, sequence) => {
  expect(readHistoryDraft({generation, sequence})).toBeUndefined()
  expect(historyProblem({generation, sequence})).toBeUndefined()
})
