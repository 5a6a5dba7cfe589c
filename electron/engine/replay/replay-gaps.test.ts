import {expect, test} from 'vitest'
import {frames, gap, P} from './testing/replay-text.ts'

test('what a gap said keeps only fields of the right type', async () => {
  const said = async (data: object): Promise<unknown> => {
    const [line] = await frames(gap(data), {start: {s: 18}})
    return line?.fact === 'gap' ? line.said : undefined
  }
  expect(await said({})).toEqual({})
  expect(await said({from_sequence: '18', rooms: 'room-a', all_rooms: 1, reason: 5})).toEqual({})
  expect(await said({from_sequence: -1, rooms: null, all_rooms: null, reason: null})).toEqual({})
  expect(await said({from_sequence: 1.5, rooms: {0: 'a'}})).toEqual({})
  expect(await said({rooms: ['a', 1, null, ['b'], '']})).toEqual({rooms: ['a', '']})
  expect(await said({rooms: [], all_rooms: false, reason: '', from_sequence: 0})).toEqual({
    from: 0,
    rooms: [],
    allRooms: false,
    reason: '',
  })
})

test('a malformed gap says what was valid of it, and nothing of what it would have done', async () => {
  expect(
    await frames(gap({from_sequence: 18, resumed_at: -1, resumed_position: {s: 2}, rooms: ['a', 5], reason: 7}), {
      start: P,
    }),
  ).toEqual([
    {fact: 'gap', n: 1, outcome: 'malformed', said: {from: 18, position: {s: 2}, rooms: ['a']}, before: P, position: P},
  ])
  expect(await frames(gap({resumed_at: 2, resumed_position: {s: 2, x: null}}), {start: P, onGap: 'reject'})).toEqual([
    {fact: 'gap', n: 1, outcome: 'malformed', said: {resumedAt: 2}, before: P, position: P},
  ])
})

test('a gap that says neither where it resumes nor from which position moves nothing', async () => {
  expect(await frames(gap({reason: 'x'}), {start: P})).toEqual([
    {fact: 'gap', n: 1, outcome: 'unmoved', said: {reason: 'x'}, before: P, position: P},
  ])
})

test('a rejected gap says what it would have done, and the position stays', async () => {
  const body = gap({resumed_at: 20, resumed_position: {s: 20, 'r:room-a': 7}})
  expect(await frames(body + body, {start: P, onGap: 'reject-once'})).toMatchObject([
    {outcome: 'rejected', before: P, position: P, cursorReset: false, wentBack: ['r:room-a'], removed: ['r:room-b']},
    {
      outcome: 'replaced',
      before: P,
      position: {s: 20, 'r:room-a': 7},
      cursorReset: false,
      wentBack: ['r:room-a'],
      removed: ['r:room-b'],
    },
  ])
})
