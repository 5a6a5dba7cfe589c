import {expect, test} from 'vitest'
import {createRetainedEvents, type RetainedEvent, vectorOf} from './retained-events.ts'

const retention = {count: 3, ageMs: 1_000, batch: 200, batchPauseMs: 0}

function event(s: number, at = 0, room = 'room-a', roomNumber?: number): RetainedEvent {
  return {s, at, text: `event ${s}`, room, addressed: false, ...(roomNumber === undefined ? {} : {roomNumber})}
}

function filled(...events: readonly RetainedEvent[]) {
  const retained = createRetainedEvents({s: 10, rooms: {'room-a': 5}}, retention)
  for (const one of events) retained.append(one)
  return retained
}

test('what is over the count goes, the oldest first, and the floor goes up with it', () => {
  const retained = filled(event(11, 0, 'room-a', 6), event(12, 0, 'room-b', 1), event(13), event(14), event(15))
  expect(retained.after(0, 10).map(({s}) => s)).toEqual([13, 14, 15])
  expect(retained.floor()).toEqual({s: 12, rooms: {'room-a': 6, 'room-b': 1}})
  expect(retained.head().s).toBe(15)
})

test('what is too old goes when the next one comes', () => {
  const retained = filled(event(11, 0), event(12, 1_001))
  expect(retained.after(10, 10).map(({s}) => s)).toEqual([12])
})

test('a reader gets what comes after its cursor, so many at a time', () => {
  const retained = filled(event(11), event(12), event(13))
  expect(retained.after(11, 1).map(({s}) => s)).toEqual([12])
  expect(retained.after(13, 10)).toEqual([])
})

test.each([
  ['everything, of a server that dropped nothing', 0, [11, 12], false, false],
  ['what is retained', 11, [11, 12], false, false],
  ['the head', 12, [11, 12], false, false],
  ['more than the head', 13, [11, 12], true, true],
  ['less than this run began with', 4, [11, 12], true, true],
  ['everything, of a server that dropped some', 0, [11, 12, 13, 14], true, false],
  ['what was dropped', 10, [11, 12, 13, 14], true, false],
] as const)('a cursor at %s', (_where, cursor, held, lost, ofEarlierRun) => {
  const retained = filled(...held.map((s) => event(s)))
  expect(retained.lost(cursor)).toBe(lost)
  expect(retained.isOfEarlierRun(cursor)).toBe(ofEarlierRun)
})

test('the rooms that lost events are those of the dropped ones after the cursor', () => {
  const retained = filled(event(11, 0, 'b'), event(12, 0, 'a'), event(13, 0, 'c'), event(14), event(15))
  expect(retained.roomsLost(10)).toEqual(['a', 'b'])
  expect(retained.roomsLost(11)).toEqual(['a'])
})

test('replaced numbers begin anew, with nothing retained', () => {
  const retained = filled(event(11), event(12))
  retained.replace({s: 2, rooms: {'room-a': 7}})
  expect(retained.after(0, 10)).toEqual([])
  expect(vectorOf(retained.head())).toEqual({s: 2, 'r:room-a': 7})
  expect(retained.isOfEarlierRun(12)).toBe(true)
})
