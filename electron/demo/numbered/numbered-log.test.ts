import {expect, test} from 'vitest'
import {createNumberedLog} from './numbered-log.ts'
import {cursorVectors} from './testing/vectors.ts'

test.each(cursorVectors().resume)('$n: what a log has after $cursor', ({log, cursor, delivered}) => {
  const stored = log.map((one) => ({type: 'event' as const, cursor: one, at: '', body: {}}))
  const after = createNumberedLog(stored, 1).after(cursor ?? undefined)
  expect(after.map((entry) => entry.cursor)).toEqual(delivered)
})

test('a numbering goes on behind what was stored, and begins at the first generation where nothing was', () => {
  const stored = [{type: 'event' as const, cursor: {generation: 5, sequence: 12}, at: '', body: {}}]
  expect(createNumberedLog(stored, 1).append({}, '').cursor).toEqual({generation: 5, sequence: 13})
  expect(createNumberedLog(stored, 1).snapshot({}, '').cursor).toEqual({generation: 6, sequence: 0})
  expect(createNumberedLog([], 3).snapshot({}, '').cursor).toEqual({generation: 3, sequence: 0})
})
