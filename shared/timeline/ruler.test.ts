import fc from 'fast-check'
import {expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import {chooseStep, ticksOf} from './ruler.ts'
import {px, type TimeScale} from './time-scale.ts'

const MIDNIGHT = 1_764_460_800_000 // 2025-11-30T00:00:00Z
const HOUR = 3_600_000

function scale(from: number, span: number): TimeScale {
  return {from: epochMs(from), to: epochMs(from + span), left: px(0), right: px(800)}
}

const labels = (from: number, span: number, offsetMs = 0) =>
  ticksOf(scale(from, span), offsetMs, 100).map(({label}) => label)

test.each([
  ['a tenth of a second in thousandths', MIDNIGHT + HOUR, 100, ['01:00:00.000', '01:00:00.020', '01:00:00.040']],
  ['a minute in seconds', MIDNIGHT + HOUR, 60_000, ['01:00:00', '01:00:10', '01:00:20']],
  ['an hour in minutes', MIDNIGHT + HOUR, HOUR, ['01:00', '01:10', '01:20']],
  ['a week in days', MIDNIGHT, 7 * 24 * HOUR, ['30 Nov', '1 Dec', '2 Dec']],
])('the ruler shows %s', (_span, from, span, expected) => {
  expect(labels(from, span).slice(0, 3)).toEqual(expected)
})

test('midnight says which day begins', () => {
  expect(labels(MIDNIGHT - 2 * HOUR, 4 * HOUR)).toContain('30 Nov')
})

test('the lines stand at round local times', () => {
  const india = 5.5 * HOUR
  const ticks = ticksOf(scale(MIDNIGHT, 6 * HOUR), india, 100)
  expect(ticks[0]).toMatchObject({label: '06:00', at: MIDNIGHT + HOUR / 2})
})

test.each([
  ['a leap day', Date.UTC(2024, 1, 29), '29 Feb'],
  ['the last day of a year', Date.UTC(2025, 11, 31), '31 Dec'],
  ['a day before 1970', Date.UTC(1969, 6, 20), '20 Jul'],
])('%s has its name', (_which, at, expected) => {
  expect(labels(at, 60_000)[0]).toBe(expected)
})

test('the name of a day is the calendar’s', () => {
  fc.assert(
    fc.property(fc.integer({min: -30_000, max: 60_000}), (day) => {
      const at = day * 24 * HOUR
      const date = new Date(at)
      const month = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][
        date.getUTCMonth()
      ]
      expect(labels(at, 60_000)[0]).toBe(`${date.getUTCDate()} ${month}`)
    }),
  )
})

test('two lines are never closer than was asked, and never more than the width holds', () => {
  fc.assert(
    fc.property(fc.integer({min: 20, max: 366 * 24 * HOUR}), (span) => {
      const time = scale(MIDNIGHT, span)
      const ticks = ticksOf(time, 0, 100)
      expect((chooseStep(time, 100) / span) * 800).toBeGreaterThanOrEqual(100)
      expect(ticks.length).toBeLessThanOrEqual(9)
    }),
  )
})
