import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import {
  instantAt,
  LONGEST_SPAN_MS,
  panBy,
  px,
  reveal,
  SHORTEST_SPAN_MS,
  spanMs,
  type TimeScale,
  xOf,
  zoomAbout,
} from './time-scale.ts'

const NOON = 1_764_504_000_000

function scale(from: number, to: number): TimeScale {
  return {from: epochMs(from), to: epochMs(to), left: px(100), right: px(900)}
}

const scales = fc
  .tuple(fc.integer({min: 1_000_000_000_000, max: 2_000_000_000_000}), fc.integer({min: 100, max: 86_400_000}))
  .map(([from, span]) => scale(from, from + span))
const xs = fc.integer({min: 100, max: 900})

test('the edges of the window lie on the edges of the stretch of pixels', () => {
  const minute = scale(NOON, NOON + 60_000)
  expect([xOf(minute, NOON), xOf(minute, NOON + 15_000), xOf(minute, NOON + 60_000)]).toEqual([100, 300, 900])
})

test('an instant comes back from its pixel', () => {
  fc.assert(
    fc.property(scales, fc.double({min: 0, max: 1, noNaN: true}), (time, share) => {
      const at = time.from + share * spanMs(time)
      // A double of this size is exact to about a quarter of a microsecond; a pixel is much wider.
      expect(Math.abs(instantAt(time, xOf(time, at)) - at)).toBeLessThan(0.01)
    }),
  )
})

test('zooming keeps the instant under the pointer', () => {
  fc.assert(
    fc.property(scales, xs, fc.double({min: 0.1, max: 10, noNaN: true}), (time, x, factor) => {
      const zoomed = zoomAbout(time, x, factor)
      expect(Math.abs(instantAt(zoomed, x) - instantAt(time, x))).toBeLessThan(0.01)
    }),
  )
})

test('zooming in and out again by the same factor ends where it began', () => {
  fc.assert(
    fc.property(scales, xs, (time, x) => {
      const back = zoomAbout(zoomAbout(time, x, 2), x, 0.5)
      expect(back.from).toBeCloseTo(time.from, 1)
      expect(back.to).toBeCloseTo(time.to, 1)
    }),
  )
})

describe('a window', () => {
  const minute = scale(NOON, NOON + 60_000)

  test('never becomes shorter or longer than can be drawn', () => {
    expect(spanMs(zoomAbout(minute, 500, 1e9))).toBeCloseTo(SHORTEST_SPAN_MS, 2)
    expect(spanMs(zoomAbout(minute, 500, 1e-9))).toBeCloseTo(LONGEST_SPAN_MS, 0)
  })

  test('goes with the pointer that drags it', () => {
    const panned = panBy(minute, 80)
    expect([panned.from, panned.to]).toEqual([NOON - 6_000, NOON + 54_000])
    expect(xOf(panned, NOON)).toBe(xOf(minute, NOON) + 80)
  })

  test.each([
    ['stays where what it is to show is in view', 30_000, 0],
    ['moves back just so far that what lies before it is seen', -20_000, -26_000],
    ['moves on just so far that what lies after it is seen', 90_000, 36_000],
  ])('%s', (_behaviour, at, moved) => {
    expect(reveal(minute, NOON + at).from - NOON).toBe(moved)
  })
})
