import {expect, test} from 'vitest'
import {describeMark} from './describe-mark.ts'
import {planTimeline} from './plan-timeline.ts'
import {rangeOf, tellStory} from './testing/story.ts'
import {mergeTimeline, NO_LIVE_ROWS} from './timeline-data.ts'
import {rowsOf} from './timeline-table.tsx'

const START = 1_764_504_000_000
const story = tellStory(START)
const data = mergeTimeline(
  {range: rangeOf(story, START, START + 60_000), askedAt: START + 60_000, columns: 700, newestFrame: 99},
  NO_LIVE_ROWS,
)
const frames = new Map(data.frames.map((frame) => [frame.id, frame]))
const marks = planTimeline({
  ...{data, window: {from: START, to: START + 60_000}, now: START + 60_000, width: 840, height: 390, offsetMs: 0},
  ...{hasOwn: true, generations: [], selectedFrame: undefined, moment: undefined, type: {charPx: 7.25, linePx: 15}},
})
const rows = rowsOf(marks, frames)
const said = rows.map(({lane, what, detail}) => [lane, what, detail].filter((part) => part !== '').join(' · '))

test('the table says what the picture shows', () => {
  expect(said).toEqual(
    expect.arrayContaining([
      's · s 15 message rejected · @ben: ping',
      's · s 15 message handled · @ben: ping · attempt 2: its effect may have run twice',
      'gap, replaced · “synthetic reset” · s 18 → 2, r:room-a 43 → 7, r:room-b 9 → removed',
      's · replaced by a gap · 18 → 2',
      'r:room-b · removed by a gap · 9 → removed',
      'callbacks · onGap resolved after 3.2 s, attempt 1',
    ]),
  )
})

test('the table is in the order of time, and has every frame of the picture', () => {
  expect(rows.map(({at}) => at)).toEqual([...rows.map(({at}) => at)].sort((a, b) => a - b))
  const listed = new Set(rows.map(({frame}) => frame))
  for (const {id} of data.frames) expect(listed.has(id)).toBe(true)
})

test('several frames on one spot are counted', () => {
  const mark = {kind: 'frame', shape: 'cross', key: 's', x: 0, y: 0, at: START, frames: [1, 2, 3]} as const
  expect(describeMark(mark, frames)?.what).toBe('3 malformed frames')
})

test('what only helps to read the picture is not listed', () => {
  expect(describeMark({kind: 'now', x: 1}, frames)).toBeUndefined()
})
