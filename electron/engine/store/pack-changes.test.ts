import fc from 'fast-check'
import {expect, test} from 'vitest'
import {packChanges, unpackChanges} from './pack-changes.ts'
import {added, attempt, frame, gap, id, journaled, moved} from './testing/changes.ts'
import {changesOf, histories} from './testing/history.ts'

test('changes arrive in the other thread as they left', () => {
  fc.assert(
    fc.property(histories('jumping'), (happenings) => {
      const lists = changesOf(happenings)
      const {buffer} = packChanges(lists)
      expect(unpackChanges(structuredClone({...packChanges(lists), buffer}))).toEqual(lists)
    }),
    {numRuns: 50},
  )
})

test('every field of a frame and a move arrives', () => {
  const problem = {kind: 'badPosition', field: 'id'} as const
  const full = frame(1, {problem, redelivers: id(7), cuts: [1, 5], bytes: new Uint8Array(), size: 9})
  const lists = [
    [added(), {kind: 'attemptStarted', attempt: attempt(1)} as const],
    [],
    [{kind: 'frameJournaled', frame: full, outcome: 'rejected', attempt: 4} as const, journaled(2)],
    [
      moved(
        2,
        [
          ['__proto__', undefined, 0],
          ['s', 4, undefined],
        ],
        {cause: 'skipped', reason: 'known'},
      ),
    ],
    [{kind: 'gapRecorded', gap: gap(3)} as const],
  ]
  expect(unpackChanges(structuredClone(packChanges(lists)))).toEqual(lists)
})

test('a view of a large chunk takes along only its own bytes', () => {
  const chunk = new Uint8Array(1_000_000)
  expect(packChanges([[journaled(1, 'handled', {bytes: chunk.subarray(10, 30)})]]).buffer.byteLength).toBe(20)
})
