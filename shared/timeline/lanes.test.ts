import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  CALLBACKS_PX,
  CONNECTION_PX,
  HIGHEST_COORDINATE_PX,
  type Lane,
  LOWEST_COORDINATE_PX,
  layOutLanes,
} from './lanes.ts'
import {px} from './time-scale.ts'

const wish = (key: string, busy = true) => ({key, busy})

function names(lanes: readonly Lane[]): readonly string[] {
  return lanes.map(({track}) =>
    track.kind === 'coordinate' ? track.key : track.kind === 'more' ? `${track.keys.length} more` : track.kind,
  )
}

test('the connection comes first, then s, rooms by name, and callbacks', () => {
  const lanes = layOutLanes([wish('r:b'), wish('s'), wish('r:a')], px(28), 400)
  expect(names(lanes)).toEqual(['connection', 's', 'r:a', 'r:b', 'callbacks'])
})

test('s has a lane also where nothing is held', () => {
  expect(names(layOutLanes([], px(0), 100))).toEqual(['connection', 's', 'callbacks'])
})

test('where not all rooms fit, those with movement in view stay, and one row counts the others', () => {
  const rooms = ['a', 'b', 'c', 'd', 'e'].map((name) => wish(`r:${name}`, name === 'b' || name === 'd'))
  const height = CONNECTION_PX + CALLBACKS_PX + LOWEST_COORDINATE_PX * 4
  const lanes = layOutLanes([wish('s'), ...rooms], px(0), height)
  expect(names(lanes)).toEqual(['connection', 's', 'r:b', 'r:d', '3 more', 'callbacks'])
})

const OF_GENERATIONS = {hasOwn: false, hasActivities: true}

test('generations stand in the order in which they began, without s, and what the agent did below them', () => {
  const generations = [
    {...wish('g:a'), began: 300},
    {...wish('g:c'), began: 100},
    {...wish('g:b'), began: 200},
  ]
  const lanes = layOutLanes(generations, px(0), 400, OF_GENERATIONS)
  expect(names(lanes)).toEqual(['connection', 'g:c', 'g:b', 'g:a', 'activities', 'callbacks'])
  expect(names(layOutLanes([], px(0), 400, {...OF_GENERATIONS, hasActivities: false}))).toEqual([
    ...['connection', 'callbacks'],
  ])
})

test('where not all generations fit, the latest stay', () => {
  const generations = Array.from({length: 20}, (_, n) => ({...wish(`g:${n}`), began: n}))
  const height = CONNECTION_PX + CALLBACKS_PX + LOWEST_COORDINATE_PX * 3
  const lanes = layOutLanes(generations, px(0), height, {...OF_GENERATIONS, hasActivities: false})
  expect(names(lanes)).toEqual(['connection', 'g:18', 'g:19', '18 more', 'callbacks'])
})

test('lanes share the height they are given, up to what is of use', () => {
  const tall = layOutLanes([wish('s')], px(0), 2_000)
  expect(tall.find(({track}) => track.kind === 'coordinate')?.height).toBe(HIGHEST_COORDINATE_PX)
})

test('lanes lie one below the other, every room once, inside the height if s fits at all', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({maxLength: 5}), {maxLength: 40}),
      fc.integer({min: 110, max: 900}),
      (rooms, height) => {
        const keys = rooms.map((room) => `r:${room}`)
        const lanes = layOutLanes([wish('s'), ...keys.map((key, i) => wish(key, i % 3 === 0))], px(28), height)
        let top = 28
        for (const lane of lanes) {
          expect(lane.top).toBe(top)
          top += lane.height
        }
        const least = CONNECTION_PX + CALLBACKS_PX + LOWEST_COORDINATE_PX + 22
        if (height >= least) expect(top - 28).toBeLessThanOrEqual(height)
        const shown = lanes.flatMap(({track}) =>
          track.kind === 'coordinate' ? [track.key] : track.kind === 'more' ? track.keys : [],
        )
        expect([...shown].sort()).toEqual(['s', ...keys].sort())
      },
    ),
  )
})
