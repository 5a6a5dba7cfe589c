import {expect, test} from 'vitest'
import {type ListedOutcome, listedOutcome, listedOutcomeOf} from '../contract/listed-outcome.ts'
import type {FrameRow} from '../contract/rows.ts'
import {TRIED_OUTCOMES} from '../handlers/handler.ts'
import {nameListed, readSearchWord, searchWord} from './name-listed.ts'

const cases: ReadonlyArray<
  [kind: FrameRow['kind'], outcome: FrameRow['outcome'], steps: number, listed: ListedOutcome]
> = [
  ['event', 'handled', 1, 'handled'],
  ['gap', 'handled', 3, 'replaced'],
  ['gap', 'handled', 0, 'unmoved'],
  ['gap', 'rejected', 0, 'rejected'],
  ['gap', 'skipped', 2, 'skipped'],
  ['snapshot', 'handled', 2, 'adopted'],
  ['snapshot', 'handled', 0, 'nothingNew'],
  ['snapshot', 'stale', 0, 'stale'],
]

test.each(cases)('a %s that is %s with %d steps is listed as %s', (kind, outcome, stepCount, listed) => {
  expect(listedOutcomeOf({kind, outcome, stepCount})).toBe(listed)
})

test('each word is one of its own, and is read back from a search', () => {
  const words = listedOutcome.options.map((listed) => nameListed(listed).word)
  expect(new Set(words).size).toBe(words.length)
  for (const listed of listedOutcome.options) expect(readSearchWord(searchWord(listed))).toBe(listed)
  expect(readSearchWord('lost')).toBeUndefined()
})

test('a handler can be tried on every event and every gap that was handled, and on no snapshot', () => {
  const tried = new Set<string>(TRIED_OUTCOMES)
  for (const stepCount of [0, 3]) {
    for (const kind of ['event', 'gap'] as const)
      expect(tried).toContain(listedOutcomeOf({kind, outcome: 'handled', stepCount}))
    expect(tried).not.toContain(listedOutcomeOf({kind: 'snapshot', outcome: 'handled', stepCount}))
  }
})
