import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {GapNotice} from '../frames/frame.ts'
import {anyPosition, anyUpdate, at, ownReplacement, replacement, sequence} from '../testing/positions.ts'
import {gapRows, planGap} from './gap-plan.ts'
import {applyUpdate, OWN, type PositionUpdate} from './position.ts'

const P = {s: 18, 'r:room-a': 43, 'r:room-b': 9}
const saidAt = (resumedAt: number): GapNotice => ({resumedAt: sequence(resumedAt)})

interface Wanted {
  readonly outcome: string
  readonly after: object
  readonly cursorReset?: boolean
  readonly wentBack?: readonly string[]
  readonly removed?: readonly string[]
}
const plans: ReadonlyArray<
  readonly [behaviour: string, held: object, said: GapNotice, update: PositionUpdate, wanted: Wanted]
> = [
  [
    'a vector behind replaces all of it',
    P,
    saidAt(2),
    replacement({s: 2, 'r:room-a': 7}),
    {
      outcome: 'replaced',
      after: {s: 2, 'r:room-a': 7},
      cursorReset: true,
      wentBack: ['r:room-a', 's'],
      removed: ['r:room-b'],
    },
  ],
  [
    'a vector without a word about s says nothing about a reset',
    P,
    {},
    replacement({'r:room-a': 7}),
    {outcome: 'replaced', after: {'r:room-a': 7}, wentBack: ['r:room-a'], removed: ['r:room-b', 's']},
  ],
  [
    'an empty vector clears',
    P,
    saidAt(0),
    replacement({}),
    {outcome: 'replaced', after: {}, cursorReset: true, removed: ['r:room-a', 'r:room-b', 's']},
  ],
  [
    'an older gap behind',
    P,
    saidAt(2),
    ownReplacement(2),
    {outcome: 'ownReplaced', after: {...P, s: 2}, cursorReset: true, wentBack: ['s']},
  ],
  [
    'a forward restart is no reset',
    P,
    saidAt(4_294_967_295),
    ownReplacement(4_294_967_295),
    {outcome: 'ownReplaced', after: {...P, s: 4_294_967_295}, cursorReset: false},
  ],
  ['the same s is no reset', P, saidAt(18), ownReplacement(18), {outcome: 'ownReplaced', after: P, cursorReset: false}],
  [
    'where no s was held there is nothing to go back from',
    {'r:room-a': 7},
    saidAt(2),
    ownReplacement(2),
    {outcome: 'ownReplaced', after: {'r:room-a': 7, s: 2}, cursorReset: false},
  ],
  [
    'a room may go back while s goes on',
    P,
    saidAt(20),
    replacement({s: 20, 'r:room-a': 7}),
    {
      outcome: 'replaced',
      after: {s: 20, 'r:room-a': 7},
      cursorReset: false,
      wentBack: ['r:room-a'],
      removed: ['r:room-b'],
    },
  ],
  [
    'where the vector and resumed_at disagree the vector wins',
    P,
    saidAt(2),
    replacement({...P, s: 30}),
    {outcome: 'replaced', after: {...P, s: 30}, cursorReset: true},
  ],
  ['neither said, nothing moves', P, {}, {kind: 'none'}, {outcome: 'unmoved', after: P}],
]
test.each(plans)('%s', (_behaviour, held, said, update, {outcome, after, cursorReset, wentBack = [], removed = []}) => {
  const plan = planGap(at(held), false, said, update)
  expect(plan).toMatchObject({outcome, before: at(held), after: at(after), wentBack, removed})
  expect('cursorReset' in plan).toBe(cursorReset !== undefined)
  expect(plan.cursorReset).toBe(cursorReset)
})

test('a plan leads where applying the update leads, and names exactly what is lower or gone', () => {
  fc.assert(
    fc.property(anyPosition, anyUpdate, fc.boolean(), (held, update, seen) => {
      const {before, after, wentBack, removed} = planGap(held, seen, {}, update)
      expect(before).toBe(held)
      expect(after).toEqual(applyUpdate(held, seen, update))
      expect(wentBack).toEqual(
        [...held.keys()].filter((key) => (after.get(key) ?? Infinity) < (held.get(key) ?? 0)).sort(),
      )
      expect(removed).toEqual([...held.keys()].filter((key) => !after.has(key)).sort())
    }),
  )
})

test('the table of a gap shows every coordinate once, s first, with what a merge would have kept', () => {
  expect(gapRows(at({'r:b': 9, s: 18, 'r:a': 43}), at({s: 2, 'r:a': 50, 'r:c': 1}))).toEqual([
    {key: 's', before: 18, after: 2, mergeWouldKeep: 18},
    {key: 'r:a', before: 43, after: 50, mergeWouldKeep: 50},
    {key: 'r:b', before: 9, mergeWouldKeep: 9},
    {key: 'r:c', after: 1, mergeWouldKeep: 1},
  ])
  expect(gapRows(new Map(), new Map())).toEqual([])
})

test('the table is sorted whatever the keys', () => {
  fc.assert(
    fc.property(anyPosition, anyPosition, (before, after) => {
      const keys = gapRows(before, after).map(({key}) => key)
      const rest = keys.filter((key) => key !== OWN)
      expect(rest).toEqual([...rest].sort())
      if (keys.includes(OWN)) expect(keys[0]).toBe(OWN)
    }),
  )
})
