import {expect, test} from 'vitest'
import type {Frame} from '../frames/frame.ts'
import type {PositionUpdate} from '../position/position.ts'
import {at, ownProgress, progress, replacement} from '../testing/positions.ts'
import {nothingHeld} from './held.ts'
import {settlementOf} from './settlement.ts'

const data = {}
const event = (update: PositionUpdate): Frame => ({kind: 'event', event: 'message', type: 'message', data, update})
const held = {...nothingHeld(), position: at({s: 18, 'r:a': 43})}

test('an event waits for its callback, then moves', () => {
  expect(settlementOf(held, event(progress({s: 19})))).toEqual({
    outcome: 'handled',
    cause: 'handled',
    place: {lane: 's', sequence: 19},
    callback: 'onEvent',
    vectorSeen: true,
    retired: held.retired,
    steps: [{key: 's', before: 18, after: 19}],
  })
})

test('an unknown frame moves without a callback, for a cause of its own', () => {
  const settlement = settlementOf(held, {kind: 'unknown', event: 'new', data, update: progress({'r:a': 44})})
  expect(settlement).toMatchObject({
    outcome: 'discarded',
    cause: 'discarded',
    steps: [{key: 'r:a', before: 43, after: 44}],
  })
  expect(settlement.callback).toBeUndefined()
})

test('a control frame moves nothing, calls nothing and remembers nothing', () => {
  const settlement = settlementOf(held, {kind: 'control', event: 'evicted', data})
  expect(settlement).toMatchObject({outcome: 'control', steps: [], vectorSeen: false})
  expect(settlement.callback).toBeUndefined()
})

test('a gap waits for its own callback, and is planned from what is held', () => {
  const settlement = settlementOf(held, {kind: 'gap', event: 'gap', data, said: {}, update: replacement({s: 2})})
  expect(settlement).toMatchObject({
    callback: 'onGap',
    cause: 'gapReplaced',
    vectorSeen: true,
    gap: {before: held.position, after: at({s: 2}), removed: ['r:a']},
  })
  expect(settlement.gap?.steps).toEqual(settlement.steps)
})

test('that a vector was seen is judged before the frame, and never forgotten', () => {
  expect(settlementOf(held, event(ownProgress(19)))).toMatchObject({vectorSeen: false, steps: [{after: 19}]})
  expect(settlementOf({...held, vectorSeen: true}, event(ownProgress(19)))).toMatchObject({vectorSeen: true, steps: []})
  expect(settlementOf({...held, vectorSeen: true}, {kind: 'control', event: 'wake', data})).toMatchObject({
    vectorSeen: true,
  })
})
