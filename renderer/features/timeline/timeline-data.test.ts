import {describe, expect, test} from 'vitest'
import type {TimelineRange} from '../../../shared/contract/contract.ts'
import {connectionRow, frameRow, gapRow, SOURCE} from './testing/story.ts'
import {type AnsweredRange, gapSteps, mergeTimeline, NO_LIVE_ROWS} from './timeline-data.ts'

function answered(range: Partial<TimelineRange>, more: Partial<AnsweredRange> = {}): AnsweredRange {
  const empty = {
    source: SOURCE,
    from: 0,
    to: 2_000,
    lanes: [],
    frames: [],
    bins: [],
    attempts: [],
    gaps: [],
    holes: [],
    activities: [],
    connections: [],
  }
  return {range: {...empty, ...range}, askedAt: 1_000, columns: 700, newestFrame: 10, ...more}
}

const moved = (id: number, at: number, before: number, after: number) =>
  frameRow(id, at, {lane: 's', cause: 'handled', steps: [['s', before, after]], stepCount: 1})

describe('an exact answer and live rows', () => {
  test('a row that came live takes the place of the answer’s', () => {
    const range = answered({frames: [frameRow(10, 900, {outcome: 'pending'})]})
    const {frames} = mergeTimeline(range, {...NO_LIVE_ROWS, frames: [frameRow(10, 900)]})
    expect(frames.map(({id, outcome}) => [id, outcome])).toEqual([[10, 'handled']])
  })

  test('a step that is in both counts once', () => {
    const range = answered({lanes: [{lane: 's', start: 4, steps: [{at: 900, value: 5, frame: 10}]}]})
    const {lines} = mergeTimeline(range, {...NO_LIVE_ROWS, frames: [moved(10, 900, 4, 5), moved(11, 1_100, 5, 6)]})
    expect(lines.get('s')).toMatchObject({
      start: 4,
      steps: [
        {at: 900, value: 5},
        {at: 1_100, value: 6},
      ],
    })
  })

  test('a coordinate that only live rows know begins with what they say was held', () => {
    const {lines} = mergeTimeline(undefined, {...NO_LIVE_ROWS, frames: [moved(1, 100, 7, 8)]})
    expect(lines.get('s')).toEqual({start: 7, steps: [{at: 100, value: 8, frame: 1}]})
  })

  test('a frame that moved nothing makes no step', () => {
    const {cause: _none, ...rejected} = moved(1, 100, 7, 8)
    expect(mergeTimeline(undefined, {...NO_LIVE_ROWS, frames: [{...rejected, outcome: 'rejected'}]}).lines.size).toBe(0)
  })

  test('where a gap moved more than its row carries, the ledger tells the rest', () => {
    const frame = frameRow(1, 100, {kind: 'gap', cause: 'gapReplaced', steps: [['s', 18, 2]], stepCount: 3})
    const {lines} = mergeTimeline(undefined, {...NO_LIVE_ROWS, frames: [frame], gaps: [gapRow(1, 100, 100)]})
    expect([...lines].map(([key, {start, steps}]) => [key, start, steps[0]?.value])).toEqual([
      ['s', 18, 2],
      ['r:room-a', 43, 7],
      ['r:room-b', 9, undefined],
    ])
  })
})

describe('a binned answer and live rows', () => {
  const binned = answered({binMs: 100, bins: [{lane: 's', at: 800, count: 50}]}, {askedAt: 5_000})

  test('ordinary frames it has counted already stay out, notable and newer ones do not', () => {
    const frames = [frameRow(9, 800), frameRow(10, 850, {outcome: 'rejected'}), frameRow(11, 5_100)]
    expect(mergeTimeline(binned, {...NO_LIVE_ROWS, frames}).frames.map(({id}) => id)).toEqual([10, 11])
  })

  test('steps from before it was asked are in it', () => {
    const frames = [moved(9, 800, 1, 2), moved(11, 5_100, 2, 3)]
    expect(mergeTimeline(binned, {...NO_LIVE_ROWS, frames}).lines.get('s')?.steps).toHaveLength(1)
  })
})

test('a lane ends with the latest move, also where the clock was set back before it', () => {
  const exact = answered({lanes: [{lane: 's', start: 4, steps: [{at: 900, value: 5, frame: 10}]}]})
  const {lines} = mergeTimeline(exact, {...NO_LIVE_ROWS, frames: [moved(11, 300, 5, 6)]})
  expect(lines.get('s')?.steps.at(-1)).toMatchObject({at: 300, value: 6})
  const binned = answered({binMs: 100, lanes: [{lane: 's', start: 4, steps: [{at: 900, value: 5}]}]}, {askedAt: 5_000})
  expect(mergeTimeline(binned, {...NO_LIVE_ROWS, frames: [moved(11, 300, 5, 6)]}).lines.get('s')?.steps).toHaveLength(2)
})

test('states that came long after a past range are not taken for its next', () => {
  const past = answered({connections: [connectionRow(0, 'live')]}, {askedAt: 90_000})
  const {connections} = mergeTimeline(past, {...NO_LIVE_ROWS, connections: [connectionRow(80_000, 'connecting')]})
  expect(connections.map(({at}) => at)).toEqual([0])
})

test('the state both know is there once', () => {
  const row = connectionRow(500, 'live')
  expect(mergeTimeline(answered({connections: [row]}), {...NO_LIVE_ROWS, connections: [row, row]}).connections).toEqual(
    [row],
  )
})

test('a gap’s steps are what differs between before and after', () => {
  const gap = gapRow(1, 0, 0, {
    before: [
      ['s', 1],
      ['r:a', 2],
    ],
    after: [
      ['s', 1],
      ['r:b', 3],
    ],
  })
  expect(gapSteps(gap)).toEqual([
    ['r:a', 2, null],
    ['r:b', null, 3],
  ])
})
