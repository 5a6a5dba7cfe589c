import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {overlap} from '../../../shared/timeline/place-labels.ts'
import type {Mark} from './mark.ts'
import {planTimeline} from './plan-timeline.ts'
import {GUTTER_PX, RULER_PX, type TimelineInput} from './scene.ts'
import {attemptRow, connectionRow, frameRow, gapRow, rangeOf, type Story, tellStory} from './testing/story.ts'
import {isOrdinary, mergeTimeline, NO_LIVE_ROWS, type TimelineData} from './timeline-data.ts'

const START = 1_764_504_000_000
/** Two hundred thousand rows take a while to make on a busy machine. */
const SLOW_MS = 60_000
const EMPTY: Story = {frames: [], attempts: [], gaps: [], connections: [], lanes: []}

function dataOf(story: Partial<Story>): TimelineData {
  const range = rangeOf({...EMPTY, ...story}, START, START + 60_000)
  return mergeTimeline({range, askedAt: START + 60_000, columns: 700, newestFrame: 1e9}, NO_LIVE_ROWS)
}

function inputOf(data: TimelineData, more: Partial<TimelineInput> = {}): TimelineInput {
  return {
    data,
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
    ...more,
  }
}

const told = tellStory(START)
const story = dataOf(told)
const plan = (data: TimelineData, more: Partial<TimelineInput> = {}) => planTimeline(inputOf(data, more))
const of = <Kind extends Mark['kind']>(marks: readonly Mark[], kind: Kind) =>
  marks.filter((mark): mark is Extract<Mark, {kind: Kind}> => mark.kind === kind)
const shapes = (marks: readonly Mark[]) => of(marks, 'frame').map(({shape, frames}) => `${shape} ${frames.join()}`)
const labels = (marks: readonly Mark[]) => of(marks, 'label').map(({text}) => text)

describe('a gap', () => {
  const marks = plan(story)

  test('is a band from where it was received to where its replacement was applied', () => {
    const [band] = of(marks, 'gapBand')
    const perMs = (840 - 10 - GUTTER_PX) / 60_000
    expect(band?.x0).toBeCloseTo(GUTTER_PX + 29_000 * perMs)
    expect(band?.x1).toBeCloseTo(GUTTER_PX + 32_200 * perMs)
    expect(band?.edges).toEqual({received: true, applied: true})
  })

  test('says of each coordinate how far it went back, and which was removed', () => {
    expect(of(marks, 'replaced').map(({key, before, after}) => [key, before, after])).toEqual([
      ['s', 18, 2],
      ['r:room-a', 43, 7],
    ])
    expect(of(marks, 'removed').map(({key, before}) => [key, before])).toEqual([['r:room-b', 9]])
    expect(labels(marks)).toEqual(expect.arrayContaining(['18 → 2', '43 → 7', '9 → removed', 'gap', 'onGap 3.2 s']))
  })

  test('takes the line down, and ends that of what it removed', () => {
    const [band] = of(marks, 'gapBand')
    for (const key of ['s', 'r:room-a']) {
      const points =
        of(marks, 'stepLine')
          .find((line) => line.key === key)
          ?.pieces.flat() ?? []
      const before = points.filter(([x]) => x < (band?.x1 ?? 0) - 1).at(-1)?.[1] ?? 0
      const after = points.find(([x]) => x > (band?.x1 ?? 0) + 1)?.[1] ?? 0
      expect(after - before).toBeGreaterThan(20) // y grows downward
    }
    const removed = of(marks, 'stepLine')
      .find(({key}) => key === 'r:room-b')
      ?.pieces.flat()
      .at(-1)
    expect(removed?.[0]).toBeCloseTo(band?.x1 ?? 0)
  })

  test('stays open, and moves nothing, while its callback has not resolved', () => {
    const {appliedAt: _open, ...gap} = gapRow(1, START + 30_000, 0, {outcome: 'pending'})
    const open = plan(dataOf({gaps: [gap], lanes: [{lane: 's', start: 18, steps: []}]}))
    expect(of(open, 'gapBand')[0]).toMatchObject({x1: 830, edges: {received: true, applied: false}})
    expect([...of(open, 'replaced'), ...of(open, 'removed')]).toEqual([])
    expect(
      of(open, 'stepLine')[0]
        ?.pieces.flat()
        .map(([, y]) => y),
    ).toEqual([expect.any(Number), expect.any(Number)])
  })

  test('that was malformed is a cross and no band', () => {
    const at = START + 10_000
    const frame = frameRow(1, at, {kind: 'gap', outcome: 'malformed', lane: 's'})
    const marks = plan(dataOf({frames: [frame], gaps: [gapRow(1, at, at, {outcome: 'malformed'})]}))
    expect([shapes(marks), of(marks, 'gapBand')]).toEqual([['cross 1'], []])
  })

  test('points up where a coordinate went on', () => {
    const gap = gapRow(1, START + 5_000, START + 6_000, {before: [['s', 40]], after: [['s', 61]]})
    expect(
      labels(plan(dataOf({gaps: [gap], lanes: [{lane: 's', start: 40, steps: [{at: START + 6_000, value: 61}]}]}))),
    ).toContain('40 → 61')
  })
})

describe('a frame', () => {
  const rejected = {outcome: 'rejected', lane: 's', sequence: 5, settledAt: START + 10_500} as const
  const failed = {state: 'rejected', endedAt: START + 10_500} as const
  const lanes = [{lane: 's', start: 4, steps: [{at: START + 20_300, value: 5, frame: 2}]}]

  test('that was rejected and came again is a ring joined to a dot, both above the line it had not moved', () => {
    const again = frameRow(2, START + 20_000, {
      ...{lane: 's', sequence: 5, redelivers: 1, attempt: 2, settledAt: START + 20_300, cause: 'handled'},
      steps: [['s', 4, 5]],
    })
    const marks = plan(
      dataOf({
        frames: [frameRow(1, START + 10_000, rejected), again],
        attempts: [attemptRow(1, 1, START + 10_000, failed), attemptRow(2, 2, START + 20_000)],
        lanes,
      }),
    )
    const [ring, dot] = of(marks, 'frame')
    expect(shapes(marks)).toEqual(['ring 1', 'dot 2'])
    expect(of(marks, 'link')).toEqual([{kind: 'link', x0: ring?.x, y0: ring?.y, x1: dot?.x, y1: dot?.y}])
    expect(ring?.y).toBe(dot?.y)
    expect(ring?.y).toBeLessThan(of(marks, 'stepLine')[0]?.pieces[0]?.[0]?.[1] ?? 0)
  })

  test('that failed and ran again from the journal is a ring joined to a dot of the same frame', () => {
    const frame = frameRow(2, START + 10_000, {
      lane: 's',
      sequence: 5,
      attempt: 2,
      settledAt: START + 20_300,
      steps: [['s', 4, 5]],
    })
    const attempts = [attemptRow(2, 1, START + 10_000, failed), attemptRow(2, 2, START + 20_000)]
    const marks = plan(dataOf({frames: [frame], attempts, lanes}))
    expect([shapes(marks), of(marks, 'link').length]).toEqual([['ring 2', 'dot 2'], 1])
  })

  test.each([
    ['malformed', 'cross'],
    ['discarded', 'square'],
    ['skipped', 'chevrons'],
    ['pending', 'waiting'],
    ['control', 'tick'],
    ['duplicate', 'ignored'],
  ] as const)('%s has a shape of its own: %s', (outcome, shape) => {
    const marks = plan(dataOf({frames: [frameRow(1, START + 9_000, {outcome, lane: 's', sequence: 4})], lanes}))
    expect(shapes(marks)).toEqual([`${shape} 1`])
  })

  test('that moved other coordinates too leaves a small tick on theirs', () => {
    const frame = frameRow(1, START + 1_000, {
      ...{
        lane: 'r:a',
        sequence: 8,
        steps: [
          ['r:a', 7, 8],
          ['s', 3, 4],
        ],
        cause: 'handled',
      },
    })
    const both = [
      {lane: 's', start: 3, steps: [{at: START + 1_000, value: 4, frame: 1}]},
      {lane: 'r:a', start: 7, steps: [{at: START + 1_000, value: 8, frame: 1}]},
    ]
    const marks = plan(dataOf({frames: [frame], lanes: both}))
    expect([of(marks, 'frame')[0]?.key, of(marks, 'echo').map(({key}) => key)]).toEqual(['r:a', ['s']])
  })

  test('that names no coordinate stands on the row of s', () => {
    expect(of(plan(dataOf({frames: [frameRow(1, START + 9_000)]})), 'frame')[0]?.key).toBe('s')
  })

  test('selected anywhere has a ring of its own', () => {
    const marks = plan(story, {selectedFrame: 1})
    expect(of(marks, 'selected')).toHaveLength(1)
    expect(of(plan(story, {selectedFrame: told.gaps[0]?.frame}), 'selectedBand')).toHaveLength(1)
  })
})

describe('callbacks', () => {
  test('a run is as long as it took, an open one reaches to now', () => {
    const perMs = (840 - 10 - GUTTER_PX) / 60_000
    const {endedAt: _open, ...open} = attemptRow(2, 1, START + 50_000, {state: 'pending'})
    const [ran, runs] = of(plan(dataOf({attempts: [attemptRow(1, 1, START, {endedAt: START + 6_000}), open]})), 'span')
    expect((ran?.x1 ?? 0) - (ran?.x0 ?? 0)).toBeCloseTo(6_000 * perMs)
    expect(runs?.x1).toBeCloseTo(830)
  })

  test('what is open, failed or long says so', () => {
    expect(labels(plan(story))).toEqual(expect.arrayContaining(['pending 4.0 s', 'rejected (attempt 1)', '2.4 s']))
  })
})

describe('the connection', () => {
  test('shows its states one after the other, and why it waits', () => {
    const marks = plan(story)
    expect(of(marks, 'strip').map(({state}) => state)).toEqual([
      ...['fresh', 'waiting', 'connecting', 'fresh', 'stale', 'fresh'],
    ])
    expect(labels(marks)).toContain('backoff 2.0 s. The callback rejected a frame')
  })

  test('its words stand over no other stretch that has words of its own', () => {
    const because = {kind: 'dropped', code: 'ECONNRESET'} as const
    const connections = [
      connectionRow(START + 1_000, 'live', {heartbeat: 'fresh'}),
      connectionRow(START + 20_000, 'waiting', {delayMs: 2_000, because, heartbeat: 'none'}),
      connectionRow(START + 22_000, 'stopped', {because: {kind: 'asked'}, heartbeat: 'none'}),
      connectionRow(START + 26_000, 'waiting', {delayMs: 4_000, because, heartbeat: 'none'}),
      connectionRow(START + 30_000, 'live', {heartbeat: 'fresh'}),
    ]
    const marks = plan(dataOf({connections}))
    const spoken = of(marks, 'strip').filter(({state}) => state === 'waiting' || state === 'stopped')
    const words = of(marks, 'label').filter(({text}) => /^(backoff|paused)/.test(text))
    expect(words.length).toBeGreaterThan(0)
    for (const {x, width, text} of words) {
      const foreign = spoken.filter((strip) => !text.startsWith(strip.words.split('. ')[0] ?? ''))
      for (const {x0, x1} of foreign) expect(x + width <= x0 || x >= x1, `${text} over ${x0}–${x1}`).toBe(true)
    }
  })

  test('where nobody watched, lines and strip are missing, not flat', () => {
    const connections = [connectionRow(START - 1, 'live'), connectionRow(START + 40_000, 'connecting')]
    const lanes = [{lane: 's', start: 4, steps: [{at: START + 10_000, value: 5}]}]
    const marks = plan(dataOf({connections, lanes}))
    const [hatched] = of(marks, 'unwatched')
    expect([hatched?.from, hatched?.to]).toEqual([START + 10_000, START + 40_000])
    expect(of(marks, 'stepLine')[0]?.pieces).toHaveLength(2)
    expect(of(marks, 'strip')[0]?.x1).toBe(hatched?.x0)
  })

  test.each(['closedWithApp', 'notStarted'] as const)(
    'an app that ended (%s) is drawn as time nobody watched, not as a stop',
    (kind) => {
      const connections = [
        connectionRow(START - 1, 'live'),
        connectionRow(START + 10_000, 'stopped', {heartbeat: 'none', because: {kind}}),
        connectionRow(START + 30_000, 'connecting'),
      ]
      const marks = plan(dataOf({connections}))
      expect(of(marks, 'unwatched').map(({from, to}) => [from, to])).toEqual([[START + 10_000, START + 30_000]])
      expect(of(marks, 'strip').map(({state}) => state)).not.toContain('stopped')
    },
  )
})

describe('zoomed out', () => {
  const notable = (frame: FrameRow) => !isOrdinary(frame)
  const outcomes = fc.constantFrom<FrameRow['outcome']>(
    'handled',
    'rejected',
    'malformed',
    'skipped',
    'discarded',
    'pending',
  )
  const crowds = fc.array(fc.record({s: fc.integer({min: 0, max: 59_999}), outcome: outcomes}), {
    minLength: 1,
    maxLength: 300,
  })

  test('every notable frame is in a mark at any zoom', () => {
    fc.assert(
      fc.property(
        crowds,
        fc.integer({min: 220, max: 1_000}),
        fc.integer({min: 60, max: 1e9}),
        (crowd, width, spanS) => {
          const frames = crowd.map(({s, outcome}, i) => frameRow(i + 1, START + s, {outcome, lane: 's', sequence: i}))
          const to = START + Math.max(spanS, 60) * 1_000
          const marks = plan(dataOf({frames}), {width, window: {from: START, to}, now: to})
          const marked = new Set(of(marks, 'frame').flatMap((mark) => mark.frames))
          for (const frame of frames.filter(notable)) expect(marked.has(frame.id)).toBe(true)
        },
      ),
      {numRuns: 30},
    )
  })

  test(
    '200,000 frames become one mark a row, and the notable among them keep theirs',
    () => {
      const row = frameRow(0, 0)
      const frames = Array.from({length: 200_000}, (_, i) => {
        const at = START + i * 0.3
        const outcome = i % 50_000 === 7 ? 'malformed' : 'handled'
        return {...row, id: i, receivedAt: at, settledAt: at, lane: i % 2 ? 's' : 'r:a', outcome} as const
      })
      const marks = plan({...dataOf({}), frames})
      expect(of(marks, 'density').map(({bars}) => bars.length)).toEqual([698, 698])
      expect(shapes(marks)).toHaveLength(4)
      expect(marks.length).toBeLessThan(40)
      const counted = of(marks, 'density').flatMap(({bars}) => bars.map(({count}) => count))
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(200_000 - 4)
    },
    SLOW_MS,
  )

  test('frames that the store only counted are drawn as dense as they were', () => {
    const data = {...dataOf({}), bins: [{lane: 's', at: START + 30_000, count: 1_000}], binMs: 100}
    expect(of(plan(data), 'density')[0]?.bars).toEqual([expect.objectContaining({count: 1_000})])
  })

  test('50,000 notable frames share marks by column, and none is lost', () => {
    const frames = Array.from({length: 50_000}, (_, i) =>
      frameRow(i, START + i * 1.2, {lane: 's', outcome: 'malformed'}),
    )
    const marks = of(plan(dataOf({frames})), 'frame')
    expect(marks.length).toBeLessThanOrEqual(699)
    expect(marks.reduce((sum, mark) => sum + mark.frames.length, 0)).toBe(50_000)
  })
})

describe('whatever the window', () => {
  const windows = fc
    .tuple(fc.integer({min: -60_000, max: 60_000}), fc.integer({min: 20, max: 600_000}))
    .map(([from, span]) => ({from: START + from, to: START + from + span}))

  test('no mark is outside the view, and no two labels overlap', () => {
    fc.assert(
      fc.property(
        windows,
        fc.integer({min: 300, max: 1_400}),
        fc.integer({min: 180, max: 800}),
        (window, width, height) => {
          const marks = planTimeline(inputOf(story, {window, width, height}))
          for (const mark of marks) for (const x of xsOf(mark)) expect(x >= GUTTER_PX - 4 && x <= width).toBe(true)
          for (const mark of marks)
            for (const y of ysOf(mark)) expect(y >= RULER_PX && y <= Math.max(height, 240)).toBe(true)
          const boxes = of(marks, 'label').map((label) => ({
            ...{left: label.x, right: label.x + label.width, top: label.y - 7.5, bottom: label.y + 7.5},
          }))
          for (const [i, box] of boxes.entries()) {
            expect(box.left >= GUTTER_PX && box.right <= width).toBe(true)
            for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBe(false)
          }
        },
      ),
      {numRuns: 40},
    )
  })
})

function xsOf(mark: Mark): readonly number[] {
  if (mark.kind === 'stepLine') return mark.pieces.flat().map(([x]) => x)
  if (mark.kind === 'density') return mark.bars.map(({x}) => x)
  if ('x0' in mark) return [mark.x0, mark.x1]
  return 'x' in mark ? [mark.x] : []
}

function ysOf(mark: Mark): readonly number[] {
  if (mark.kind === 'stepLine') return mark.pieces.flat().map(([, y]) => y)
  return 'y' in mark ? [mark.y] : []
}
