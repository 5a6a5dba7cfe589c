import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {overlap} from '../../../shared/timeline/place-labels.ts'
import {describeMark} from './describe-mark.ts'
import {hitTest} from './hit-test.ts'
import type {Mark} from './mark.ts'
import {planTimeline} from './plan-timeline.ts'
import {GUTTER_PX, RULER_PX, type TimelineInput} from './scene.ts'
import {
  type CursorStory,
  createCursorTeller,
  cursorRangeOf,
  NEW,
  OLD,
  tellLostStory,
  tellNumberedStory,
  tellPrimeStory,
} from './testing/prime-story.ts'
import {mergeTimeline, NO_LIVE_ROWS} from './timeline-data.ts'
import {rowsOf} from './timeline-table.tsx'

const START = 1_764_504_000_000
const prime = tellPrimeStory(START)
const numbered = tellNumberedStory(START)

function plan(story: CursorStory, more: Partial<TimelineInput> = {}): readonly Mark[] {
  const range = cursorRangeOf(story, START, START + 60_000)
  return planTimeline({
    data: mergeTimeline({range, askedAt: START + 60_000, columns: 700, newestFrame: 1e9}, NO_LIVE_ROWS),
    hasOwn: false,
    generations: story.generations,
    window: {from: START, to: START + 60_000},
    width: 840,
    height: 390,
    now: START + 60_000,
    selectedFrame: undefined,
    moment: undefined,
    offsetMs: 0,
    type: {charPx: 7.25, linePx: 15},
    ...more,
  })
}

const of = <Kind extends Mark['kind']>(marks: readonly Mark[], kind: Kind) =>
  marks.filter((mark): mark is Extract<Mark, {kind: Kind}> => mark.kind === kind)
const labels = (marks: readonly Mark[]) => of(marks, 'label').map(({text}) => text)
const xAt = (s: number) => GUTTER_PX + (s * 1_000 * (840 - 10 - GUTTER_PX)) / 60_000

describe('opaque generations', () => {
  const marks = plan(prime)

  test('each has a row of its own, the later below, and s has none', () => {
    expect(of(marks, 'lane').map(({name}) => name)).toEqual([
      ...['connection', OLD, '0762…', 'activities', 'callbacks'],
    ])
  })

  test('each is a band from where the cursor came into it to where it left it', () => {
    expect(
      of(marks, 'generation').map(({key, from, to, first, last, ended}) => [key, from, to, first, last, ended]),
    ).toEqual([
      [`g:${OLD}`, START + 1_000, START + 40_000, 4, 41, true],
      [`g:${NEW}`, START + 40_000, START + 60_000, 8, 28, false],
    ])
    expect(labels(marks)).toEqual(expect.arrayContaining(['4 … 41', '8 … 28']))
  })

  test('what comes from a generation that was left stands on its row, ignored', () => {
    const ignored = of(marks, 'frame').filter(({shape}) => shape === 'ignored')
    expect(ignored.map(({key, x}) => [key, Math.round(x)])).toEqual([
      [`g:${OLD}`, Math.round(xAt(12.5))],
      [`g:${OLD}`, Math.round(xAt(43))],
    ])
  })

  test('a snapshot is a small mark of its own, a part of a text a speck', () => {
    const shapes = of(marks, 'frame')
    expect(shapes.filter(({shape}) => shape === 'diamond')).toHaveLength(3)
    expect(shapes.filter(({shape}) => shape === 'speck')).toHaveLength(12 + 20)
  })

  test('a frame without a place stands where the cursor stood then', () => {
    const odd = {
      ...prime.frames[0],
      id: 99,
      kind: 'malformed',
      outcome: 'malformed',
      receivedAt: START + 30_000,
    } as const
    const {lane: _none, steps: _still, settledAt: _never, ...frame} = odd
    const cross = of(plan({...prime, frames: [...prime.frames, frame as never]}), 'frame').find(
      ({frames}) => frames[0] === 99,
    )
    expect([cross?.shape, cross?.key]).toEqual(['cross', `g:${OLD}`])
  })
})

describe('holes', () => {
  const marks = plan(prime)

  test('each is a broken step with how many numbers were not seen', () => {
    expect(of(marks, 'hole').map(({holes, x}) => [holes[0]?.missing, Math.round(x)])).toEqual([
      [2, Math.round(xAt(12))],
      [19, Math.round(xAt(18))],
      [7, Math.round(xAt(40))],
    ])
    for (const words of ['2 not seen', 'snapshot adopted; 19 not seen', 'snapshot adopted; 7 not seen'])
      expect(labels(marks)).toContain(words)
  })

  test('in words, what the server said stands beside what was seen', () => {
    const frames = new Map(prime.frames.map((frame) => [frame.id, frame]))
    const [, , head] = of(marks, 'hole').map((mark) => describeMark(mark, frames))
    expect(head).toMatchObject({
      what: 'Hole: 7 numbers not seen',
      detail: expect.stringContaining('said “complete”; seen: 1 … 7'),
    })
  })

  test('none is lost at any zoom', () => {
    const {event, story} = createCursorTeller(START)
    for (let n = 1; n <= 500; n++) event(n * 0.1, 'aa', n * 3)
    const marks = plan({...story(), activities: [], connections: []}, {width: 300})
    expect(of(marks, 'hole').flatMap(({holes}) => holes)).toHaveLength(499)
    expect(of(marks, 'hole').length).toBeLessThanOrEqual(300)
  })

  test('pointed at, a hole is meant, and selects the frame that showed it', () => {
    const [hole] = of(marks, 'hole')
    const hit = hole && hitTest(marks, hole.x + 1, (hole.y0 + hole.y1) / 2)
    expect(hit).toBe(hole)
  })
})

describe('what the agent did', () => {
  const marks = plan(prime)

  test('is as long as it took; what is open reaches to now, and an end that was not seen is called so', () => {
    const spans = of(marks, 'activity')
    const tool = spans.find(({activity}) => activity.label === 'read_file')
    expect([tool?.x0, tool?.x1].map((x) => Math.round(x ?? 0))).toEqual([Math.round(xAt(8)), Math.round(xAt(12))])
    const open = spans.filter(({activity}) => activity.state === 'open')
    expect(open.map(({x1}) => Math.round(x1))).toEqual([830, 830])
    expect(labels(marks)).toEqual(expect.arrayContaining(['grep failed', 'npm test end not seen']))
  })

  test('what goes on at the same time stands on lines of its own', () => {
    const spans = of(marks, 'activity').filter(({activity}) => ['read_file', 'grep'].includes(activity.label))
    expect(new Set(spans.map(({y}) => y)).size).toBe(2)
  })
})

describe('numbered generations', () => {
  const marks = plan(numbered)

  test('share one row, with a boundary where each begins', () => {
    expect(of(marks, 'lane').map(({name}) => name)).toEqual(['connection', 'sequence', 'callbacks'])
    expect(of(marks, 'boundary').map(({generation, at}) => [generation, at - START])).toEqual([
      [5, 2_000],
      [6, 14_000],
      [8, 32_000],
    ])
    expect(of(marks, 'generation')).toEqual([])
  })

  test('what was never seen of them stands on that row too', () => {
    expect(of(marks, 'hole').map(({key, holes}) => [key, holes[0]?.missing, holes[0]?.missingGenerations])).toEqual([
      ['sequence', 2, 1],
    ])
  })
})

describe('a numbering that began anew', () => {
  const lost = tellLostStory(START)
  const marks = plan(lost)
  const frames = new Map(lost.frames.map((frame) => [frame.id, frame]))

  test('is a band from where it was received to where the user decided, each decision with its words', () => {
    const told = of(marks, 'numbering').map(({numbering, x0, x1, at, until}) => [
      ...[numbering.decision, at - START, until - START],
      ...[Math.round(x0 - xAt((at - START) / 1_000)), Math.round(x1 - xAt((until - START) / 1_000))],
    ])
    expect(told).toEqual([
      ['kept', 20_000, 28_000, 0, 0],
      ['taken', 30_000, 38_000, 0, 0],
    ])
    expect(labels(marks)).toEqual(expect.arrayContaining(['kept {10, 7}', '{10, 7} → {1, 0}']))
  })

  test('is no boundary at which the order goes on', () => {
    expect(of(marks, 'boundary').map(({generation, anew}) => [generation, anew])).toEqual([
      [10, false],
      [2, false],
    ])
  })

  test('of which only the roll-up is left, is a boundary at which the order begins anew', () => {
    const bare = of(plan({...lost, frames: []}), 'boundary').find(({generation}) => generation === 1)
    expect(bare && describeMark(bare, frames)).toMatchObject({
      what: 'generation 1 begins',
      detail: 'lower than the one before it: the order begins anew',
    })
  })

  test('stands in the table twin with both cursors and how long the source was held, and selects its frame', () => {
    const rows = rowsOf(marks, frames).filter(({what}) => what.includes('numbering'))
    expect(rows).toMatchObject([
      {what: 'old numbering kept', detail: expect.stringContaining('the cursor stays at {10, 7}, and {1, 0} is stale')},
      {
        what: 'new numbering taken',
        detail: expect.stringContaining('from {10, 7} back to {1, 0}; settled 8.0 s after it came'),
      },
    ])
    const [, taken] = of(marks, 'numbering')
    expect(taken && hitTest(marks, (taken.x0 + taken.x1) / 2, taken.bottom - 2)).toBe(taken)
    expect(taken?.frames).toEqual([rows[1]?.frame])
  })

  test('is told where it was decided in view, and received before it', () => {
    const window = {from: START + 35_000, to: START + 60_000}
    expect(of(plan(lost, {window}), 'numbering').map(({numbering, edges}) => [numbering.decision, edges])).toEqual([
      ['taken', {received: false, decided: true}],
    ])
  })

  test('is never lost in a bar of density', () => {
    const {event, anew, story} = createCursorTeller(START)
    for (let n = 0; n < 2_000; n++) event(n * 0.02, 10, n)
    for (let n = 0; n < 300; n++) anew(41 + n * 0.05, 41.01 + n * 0.05, 1, 0, 'kept')
    const dense = of(plan({...story(), activities: [], connections: []}, {width: 300}), 'numbering')
    expect(dense.flatMap(({frames}) => frames)).toHaveLength(300)
    expect(dense.length).toBeLessThan(300)
  })
})

test('the table twin has a row for every generation, boundary, hole and activity', () => {
  const frames = new Map(prime.frames.map((frame) => [frame.id, frame]))
  const rows = rowsOf(plan(prime), frames)
  expect(rows.filter(({what}) => what.startsWith('generation'))).toHaveLength(2)
  expect(rows.filter(({what}) => what.startsWith('Hole'))).toHaveLength(3)
  expect(rows.filter(({lane}) => lane === 'activities')).toHaveLength(7)
  expect(rowsOf(plan(numbered), new Map()).filter(({what}) => what.endsWith('begins'))).toHaveLength(3)
})

test('whatever the window, no mark is outside the view and no two labels overlap', () => {
  const windows = fc
    .tuple(fc.integer({min: -60_000, max: 60_000}), fc.integer({min: 20, max: 600_000}))
    .map(([from, span]) => ({from: START + from, to: START + from + span}))
  fc.assert(
    fc.property(
      fc.constantFrom(prime, numbered),
      windows,
      fc.integer({min: 300, max: 1_400}),
      fc.integer({min: 180, max: 800}),
      (story, window, width, height) => {
        const marks = plan(story, {window, width, height})
        for (const mark of marks) for (const x of xsOf(mark)) expect(x >= GUTTER_PX - 4 && x <= width).toBe(true)
        for (const mark of marks)
          if ('y' in mark) expect(mark.y >= RULER_PX && mark.y <= Math.max(height, 240)).toBe(true)
        const boxes = of(marks, 'label').map((label) => ({
          ...{left: label.x, right: label.x + label.width, top: label.y - 7.5, bottom: label.y + 7.5},
        }))
        for (const [i, box] of boxes.entries())
          for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBe(false)
      },
    ),
    {numRuns: 60},
  )
})

function xsOf(mark: Mark): readonly number[] {
  if ('x0' in mark) return [mark.x0, mark.x1]
  return 'x' in mark ? [mark.x] : []
}
