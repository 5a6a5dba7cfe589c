import {expect, test} from 'vitest'
import {gap} from '../../state/testing/rows.ts'
import {coordinatesNotShown, seenText} from './seen-text.ts'

const pairs = (count: number): [string, number][] => Array.from({length: count}, (_, n) => [`r:${n}`, n])

test('what a cut row leaves out counts among those not shown', () => {
  const cut = gap({before: pairs(1_000), after: pairs(900), coordinatesTotal: 25_000})
  expect(coordinatesNotShown(cut, 100)).toBe(24_900)
})

test('of a whole row those are left out that have no line, each counted once', () => {
  const whole = gap({before: pairs(120), after: pairs(90)})
  expect(coordinatesNotShown(whole, 100)).toBe(20)
  expect(coordinatesNotShown(gap({before: pairs(3), after: pairs(2)}), 3)).toBe(0)
})

test('what was held is told by its first coordinates, with a number only where it is known', () => {
  expect(seenText(gap({before: []}))).toBe('nothing acknowledged before')
  expect(seenText(gap({before: [['s', 18]]}))).toBe('s 18 acknowledged')
  expect(seenText(gap({before: pairs(6)}))).toBe('r:0 0, r:1 1, r:2 2, r:3 3 and 2 more acknowledged')
  expect(seenText(gap({before: pairs(6), coordinatesTotal: 9_000}))).toBe(
    'r:0 0, r:1 1, r:2 2, r:3 3 and others acknowledged',
  )
  expect(seenText(gap({before: [], coordinatesTotal: 9_000}))).not.toContain('nothing')
})
