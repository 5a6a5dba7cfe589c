import {expect, test} from 'vitest'
import {explainPageEnd, explainPageEnds} from './explain-page-end.ts'

test('a reason that is not known is not guessed at', () => {
  expect(explainPageEnd('oom').title).toBe('This screen was loaded again: its process ran out of memory')
  expect(explainPageEnd('something new').title).toBe('This screen was loaded again: its process ended by itself')
  expect(explainPageEnds('crashed').title).toBe('The screen ends again and again: its process crashed')
})
