import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyPosition, anyUpdate, at, ownProgress, ownReplacement, progress, replacement} from '../testing/positions.ts'
import {
  applyUpdate,
  backwardSteps,
  type CoordinateKey,
  type Position,
  type PositionUpdate,
  parsePosition,
  parseSequence,
  positionToJson,
  stepsFor,
  takeSteps,
} from './position.ts'

const P = {s: 18, 'r:room-a': 43, 'r:room-b': 9}

const moves: ReadonlyArray<readonly [behaviour: string, held: object, update: PositionUpdate, expected: object]> = [
  ['nothing said moves nothing', P, {kind: 'none'}, P],
  ['progress takes the larger value of each coordinate', P, progress({s: 17, 'r:room-a': 45}), {...P, 'r:room-a': 45}],
  ['progress keeps what it leaves out', P, progress({s: 19}), {...P, s: 19}],
  ['progress adds a coordinate not held before, also at 0', P, progress({'r:room-c': 0}), {...P, 'r:room-c': 0}],
  ['empty progress moves nothing', P, progress({}), P],
  ['a bare number is progress of the own coordinate', P, ownProgress(19), {...P, s: 19}],
  ['a bare number that is lower moves nothing', P, ownProgress(17), P],
  ['a bare number begins a position', {}, ownProgress(0), {s: 0}],
  [
    'a replacement may go back',
    P,
    replacement({s: 2, 'r:room-a': 7, 'r:room-b': 9}),
    {s: 2, 'r:room-a': 7, 'r:room-b': 9},
  ],
  ['a replacement removes what it leaves out', P, replacement({s: 20}), {s: 20}],
  ['an empty replacement clears all', P, replacement({}), {}],
  ['a replacement may leave the own coordinate out', P, replacement({'r:room-a': 7}), {'r:room-a': 7}],
  ['an older replacement replaces the own coordinate only', P, ownReplacement(2), {...P, s: 2}],
  ['an older replacement may go forward', P, ownReplacement(4_294_967_295), {...P, s: 4_294_967_295}],
  [
    'an older replacement gives the own coordinate where none was held',
    {'r:a': 1},
    ownReplacement(2),
    {'r:a': 1, s: 2},
  ],
]
test.each(moves)('%s', (_behaviour, held, update, expected) =>
  expect(applyUpdate(at(held), false, update)).toEqual(at(expected)),
)

test('once a vector was seen a bare number moves nothing, and everything else moves as before', () => {
  expect(applyUpdate(at(P), true, ownProgress(9000))).toEqual(at(P))
  for (const update of [progress({s: 19}), replacement({s: 2}), ownReplacement(2)])
    expect(applyUpdate(at(P), true, update)).toEqual(applyUpdate(at(P), false, update))
})

test('what moves nothing gives back the same position', () => {
  const held = at(P)
  for (const update of [progress({s: 18}), ownProgress(3), replacement(P), ownReplacement(18)])
    expect(applyUpdate(held, false, update)).toBe(held)
})

describe('laws of progress', () => {
  const merged = (held: Position, ...reports: readonly Position[]): Position =>
    reports.reduce((position, reported) => applyUpdate(position, false, {kind: 'progress', reported}), held)

  test('reports reach the same position in any order, however often they repeat', () => {
    fc.assert(
      fc.property(anyPosition, anyPosition, anyPosition, (a, b, c) => {
        expect(merged(a, b)).toEqual(merged(b, a))
        expect(merged(merged(a, b), c)).toEqual(merged(a, merged(b, c)))
        expect(merged(a, a)).toEqual(a)
        expect(merged(a, b, c, b, c, c)).toEqual(merged(a, c, b))
      }),
    )
  })

  test('no coordinate goes down or away, and none is above what was held or reported', () => {
    fc.assert(
      fc.property(anyPosition, anyPosition, (held, reported) => {
        const after = merged(held, reported)
        for (const [key, value] of [...held, ...reported]) expect(after.get(key)).toBeGreaterThanOrEqual(value)
        for (const [key, value] of after) expect(value).toBe(Math.max(held.get(key) ?? 0, reported.get(key) ?? 0))
      }),
    )
  })
})

test('a replacement ignores the past', () => {
  fc.assert(
    fc.property(anyPosition, anyPosition, anyPosition, fc.boolean(), (held, other, resumed, seen) => {
      const update: PositionUpdate = {kind: 'replacement', resumed}
      expect(applyUpdate(held, seen, update)).toEqual(resumed)
      expect(applyUpdate(other, seen, update)).toEqual(resumed)
    }),
  )
})

test('taking the steps of an update is applying it, and the steps are exactly what changed', () => {
  fc.assert(
    fc.property(anyPosition, anyUpdate, fc.boolean(), (held, update, seen) => {
      const before = [...held]
      const steps = stepsFor(held, seen, update)
      const after = applyUpdate(held, seen, update)
      const draft = new Map(held)
      takeSteps(draft, steps)
      expect(draft).toEqual(after)
      const changed = new Set([...held.keys(), ...after.keys()].filter((key) => held.get(key) !== after.get(key)))
      expect(new Set(steps.map(({key}) => key))).toEqual(changed)
      expect(steps).toHaveLength(changed.size)
      for (const step of steps) {
        expect(step.before).toBe(held.get(step.key))
        expect(step.after).toBe(after.get(step.key))
        expect('before' in step).toBe(held.has(step.key))
        expect('after' in step).toBe(after.has(step.key))
      }
      expect([...held]).toEqual(before) // the held one is never written to
    }),
  )
})

test('removed coordinates come last', () => {
  const steps = stepsFor(at(P), false, replacement({'r:room-c': 1, s: 2}))
  expect(steps.map(({key}) => key)).toEqual(['r:room-c', 's', 'r:room-a', 'r:room-b'])
})

test('what went back and what was removed are named, each sorted', () => {
  const steps = stepsFor(at({...P, 'r:B': 5, 'r:é': 5}), false, replacement({s: 20, 'r:room-a': 7, 'r:B': 4}))
  expect(backwardSteps(steps)).toEqual({wentBack: ['r:B', 'r:room-a'], removed: ['r:room-b', 'r:é']})
  expect(backwardSteps(stepsFor(at(P), false, progress({s: 19})))).toEqual({wentBack: [], removed: []})
})

const bad = [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', '', null, undefined, true, [], [1], {}, 1n]

describe('a sequence', () => {
  test.each(bad.map((value) => [value] as const))('is not %o', (value) => expect(parseSequence(value)).toBeUndefined())
  test.each([0, 1, 2 ** 32 + 1, 2 ** 53 - 1])('may be %d', (value) => expect(parseSequence(value)).toBe(value))
  test('is never -0', () => expect(Object.is(parseSequence(-0), 0)).toBe(true))
})

describe('a position is parsed all or nothing', () => {
  test.each(
    [...bad, 'x']
      .filter((value) => typeof value !== 'object' || value === null || Array.isArray(value))
      .map((value) => [value] as const),
  )('%o is none', (value) => expect(parsePosition(value)).toBeUndefined())
  test.each(bad.map((value) => [value] as const))('one coordinate that is %o refuses the whole', (value) => {
    expect(parsePosition({s: 1, 'r:a': value, 'r:b': 2})).toBeUndefined()
  })
  test('empty is a position', () => expect(parsePosition({})).toEqual(new Map()))
  test('what parses is what was written, whatever the names', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const text = JSON.stringify(positionToJson(position))
        expect(parsePosition(JSON.parse(text))).toEqual(position)
      }),
    )
  })
})

test('rooms named like members of every object are ordinary coordinates, and touch no object', () => {
  const position = parsePosition(
    JSON.parse('{"__proto__":6,"r:__proto__":5,"constructor":1,"toString":2,"hasOwnProperty":3}'),
  )
  expect([...(position ?? [])]).toEqual([
    ['__proto__', 6],
    ['r:__proto__', 5],
    ['constructor', 1],
    ['toString', 2],
    ['hasOwnProperty', 3],
  ])
  const json = positionToJson(position ?? new Map())
  expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
  expect(JSON.stringify(json)).toBe('{"__proto__":6,"r:__proto__":5,"constructor":1,"toString":2,"hasOwnProperty":3}')
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('of duplicate keys the last wins', () => expect(parsePosition(JSON.parse('{"s":9,"s":2}'))).toEqual(at({s: 2})))

test('a report of 100,000 rooms is worked out by looking each up once', () => {
  const rooms = Object.fromEntries(Array.from({length: 100_000}, (_, n) => [`r:${n}`, n]))
  let lookups = 0
  const counting = (position: Position): Position => {
    const looked = <T>(answer: T): T => {
      lookups += 1
      return answer
    }
    return Object.assign(new Map(position), {
      get: (key: CoordinateKey) => looked(position.get(key)),
      has: (key: CoordinateKey) => looked(position.has(key)),
    })
  }
  const held = counting(at(rooms))
  expect(stepsFor(held, true, progress({...rooms, 'r:7': 9}))).toHaveLength(1)
  expect(lookups).toBe(100_000)
  lookups = 0
  const resumed = counting(at({s: 1}))
  expect(stepsFor(held, true, {kind: 'replacement', resumed})).toHaveLength(100_001)
  expect(lookups).toBe(100_001)
})
