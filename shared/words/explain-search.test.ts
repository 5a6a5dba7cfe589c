import {expect, test} from 'vitest'
import {explainSearch} from './explain-search.ts'

test('what a search leaves out, or takes otherwise than it looks, is said', () => {
  expect(explainSearch({notUnderstood: [], takenAsText: []})).toBeUndefined()
  expect(explainSearch({notUnderstood: ['after:25:00'], takenAsText: ['agent:dana']})).toEqual({
    wrong: true,
    words:
      'not understood, and left out: after:25:00 · searched as text, being no key: agent:dana (keys are room, lane, outcome, after, before)',
  })
  expect(explainSearch({notUnderstood: [], takenAsText: ['agent:dana']})?.wrong).toBe(false)
})
