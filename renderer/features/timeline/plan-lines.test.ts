import {expect, test} from 'vitest'
import {describeMark} from './describe-mark.ts'
import {hitTest} from './hit-test.ts'
import type {Mark} from './mark.ts'
import {planTimeline} from './plan-timeline.ts'
import {connectionRow, rangeOf} from './testing/story.ts'
import {mergeTimeline, NO_LIVE_ROWS} from './timeline-data.ts'

const START = 1_764_504_000_000

/** A minute that was watched from its 40th second on, as far as is still known. */
function planWith(detailsFrom: number | undefined): readonly Mark[] {
  const story = {frames: [], attempts: [], gaps: [], connections: [connectionRow(START + 40_000, 'live')], lanes: []}
  const told = rangeOf(story, START, START + 60_000)
  const range = detailsFrom === undefined ? told : {...told, detailsFrom}
  return planTimeline({
    data: mergeTimeline({range, askedAt: START + 60_000, columns: 700, newestFrame: 0}, NO_LIVE_ROWS),
    window: {from: START, to: START + 60_000},
    width: 840,
    height: 390,
    now: START + 60_000,
    hasOwn: true,
    generations: [],
    selectedFrame: undefined,
    moment: undefined,
    offsetMs: 0,
    type: {charPx: 7.25, linePx: 15},
  })
}

function stretches(marks: readonly Mark[]) {
  return marks.flatMap((mark) =>
    mark.kind === 'unwatched' || mark.kind === 'pruned' ? [[mark.kind, mark.from - START, mark.to - START]] : [],
  )
}

test('time whose frames were deleted is told as that, and not as time nobody watched', () => {
  const marks = planWith(START + 20_000)
  expect(stretches(marks)).toEqual([
    ['unwatched', 20_000, 40_000],
    ['pruned', 0, 20_000],
  ])
  expect(marks.flatMap((mark) => (mark.kind === 'label' ? [mark.text] : []))).toContain('details deleted')
  const pointed = hitTest(marks, 200, 200)
  expect(pointed?.kind).toBe('pruned')
  expect(pointed && describeMark(pointed, new Map())).toMatchObject({what: 'details deleted', frame: undefined})
})

test('where no frames were deleted in view nothing is said of it', () => {
  for (const detailsFrom of [undefined, START - 1, START])
    expect(stretches(planWith(detailsFrom))).toEqual([['unwatched', 0, 40_000]])
})

test('a view that lies all before the details is told as deleted to its end', () => {
  expect(stretches(planWith(START + 90_000))).toEqual([['pruned', 0, 60_000]])
})
