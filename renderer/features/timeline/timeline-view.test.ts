import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  FIRST_VIEW,
  following,
  instantUnder,
  panned,
  pauseBetween,
  showing,
  spanOf,
  stopped,
  type TimelineView,
  windowOf,
  withSpan,
  zoomAt,
  zoomBy,
} from './timeline-view.ts'

const CONTEXT = {now: 1_764_504_000_000, width: 840}
const scrubbed: TimelineView = {kind: 'scrubbed', window: {from: CONTEXT.now - 90_000, to: CONTEXT.now - 30_000}}

test('a live view ends a little after now, and goes with it', () => {
  const at = (now: number) => windowOf(FIRST_VIEW, now)
  expect(at(CONTEXT.now).to).toBeGreaterThan(CONTEXT.now)
  expect(at(CONTEXT.now + 5_000).from - at(CONTEXT.now).from).toBe(5_000)
})

test('zooming by wheel keeps the instant under the pointer, live or not', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(FIRST_VIEW, scrubbed),
      fc.integer({min: 132, max: 830}),
      fc.double({min: 0.2, max: 5, noNaN: true}),
      (view, x, factor) => {
        const before = instantUnder(view, CONTEXT, x)
        expect(Math.abs(instantUnder(zoomAt(view, CONTEXT, x, factor), CONTEXT, x) - before)).toBeLessThan(0.01)
      },
    ),
  )
})

test('zooming by key keeps a live view live, and another’s middle', () => {
  expect(zoomBy(FIRST_VIEW, 2)).toEqual({kind: 'live', spanMs: 30_000})
  expect(windowOf(zoomBy(scrubbed, 2), 0)).toEqual({from: CONTEXT.now - 75_000, to: CONTEXT.now - 45_000})
})

test('a drag scrubs, and back to live keeps the span', () => {
  const dragged = panned(withSpan(FIRST_VIEW, 20_000), CONTEXT, 100)
  expect(dragged.kind).toBe('scrubbed')
  expect(spanOf(following(dragged))).toBeCloseTo(20_000)
})

test('what is in view already moves nothing; what is not is brought in', () => {
  expect(showing(FIRST_VIEW, CONTEXT, CONTEXT.now - 10_000)).toBe(FIRST_VIEW)
  const {from, to} = windowOf(showing(FIRST_VIEW, CONTEXT, CONTEXT.now - 500_000), CONTEXT.now)
  expect(from < CONTEXT.now - 500_000 && to > CONTEXT.now - 500_000).toBe(true)
})

test('a view that is stopped stays where it was', () => {
  expect(windowOf(stopped(FIRST_VIEW, CONTEXT.now), CONTEXT.now + 60_000)).toEqual(windowOf(FIRST_VIEW, CONTEXT.now))
})

test('a picture glides by the pixel, a wide one goes on all the same, and for who asked for less motion it steps', () => {
  const context = {now: 1_000_000, width: 600}
  const minute = {kind: 'live', spanMs: 60_000} as const
  expect(pauseBetween(minute, context, false)).toBeLessThan(250)
  expect(pauseBetween({kind: 'live', spanMs: 86_400_000}, context, false)).toBe(1_000)
  expect(pauseBetween(minute, context, true)).toBe(1_000)
})
