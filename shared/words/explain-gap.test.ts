import {expect, test} from 'vitest'
import {type GapRow, gapRow} from '../contract/rows.ts'
import {explainGap, nameRepair, roomsOfGap, titleOfGap} from './explain-gap.ts'

function gap(over: Partial<GapRow>): GapRow {
  return {
    frame: 1,
    source: 'a',
    receivedAt: 0,
    outcome: 'replaced',
    said: {},
    before: [],
    after: [],
    wentBack: [],
    removed: [],
    ...over,
  }
}

test('every outcome of a gap has a heading and an explanation of its own', () => {
  const all = gapRow.shape.outcome.options.map((outcome) => gap({outcome, wentBack: ['s'], cursorReset: true}))
  expect(new Set(all.map(explainGap)).size).toBe(all.length)
  // `replaced` and `ownReplaced` did the same to the cursor: they share a heading.
  expect(new Set(all.map(titleOfGap)).size).toBe(all.length - 1)
})

test.each([
  ['s went back', gap({cursorReset: true, wentBack: ['s']}), 'Gap, cursor moved back'],
  ['a room went back while s went on', gap({cursorReset: false, wentBack: ['r:a']}), 'Gap, one coordinate moved back'],
  ['a room was removed', gap({removed: ['r:b']}), 'Gap, one coordinate removed'],
  ['everything went forward', gap({cursorReset: false}), 'Gap, cursor moved on'],
])('the heading says so where %s', (_case, row, title) => expect(titleOfGap(row)).toBe(title))

test('rooms that were not named are not claimed to be none', () => {
  expect(roomsOfGap(gap({said: {}}))).toBe('not said; it may be any room')
  expect(roomsOfGap(gap({said: {rooms: []}}))).toBe('none named')
  expect(roomsOfGap(gap({said: {rooms: ['a', 'b']}}))).toBe('a, b')
  expect(roomsOfGap(gap({said: {rooms: ['a'], allRooms: true}}))).toBe('all rooms')
})

test('a gap is accounted for by nobody’s word but the user’s', () => {
  expect(nameRepair(undefined).word).toBe('not yet accounted for')
  expect(nameRepair({at: 0, note: 'read in the room'})).toEqual({
    word: 'the user’s word',
    meaning: 'The user said how it was made good: “read in the room”',
  })
})
