import {expect, test} from 'vitest'
import {COUNTERS} from '../history/counts.ts'
import {sourceCounts} from './rows.ts'

test('the counters that are kept are those that cross to the screen, each once', () => {
  expect([...COUNTERS].sort()).toEqual(Object.keys(sourceCounts.shape).sort())
})
