import fc from 'fast-check'
import {expect, test} from 'vitest'
import {anyCursor, cursor, numberedCursor, opaqueCursor} from '../testing/cursors.ts'
import {type Cursor, compareCursors} from './cursor.ts'
import {admit, adopt, emptyLane, inherit, join, type Lane, laneAt, takeBaseline} from './lane.ts'
import {isRetired, retiredGenerations} from './retired.ts'

interface Step {
  readonly cursor: Cursor
  readonly by: 'event' | 'snapshot'
  readonly newConnection: boolean
}
const step = (cursors: fc.Arbitrary<Cursor>): fc.Arbitrary<Step> =>
  fc.record({cursor: cursors, by: fc.constantFrom('event', 'snapshot'), newConnection: fc.boolean()})
const steps = fc.array(step(anyCursor), {maxLength: 30})

function take(lane: Lane, {cursor: incoming, by, newConnection}: Step) {
  return by === 'event' ? admit(lane, incoming, newConnection) : adopt(lane, incoming, newConnection)
}

const UNMOVED = ['duplicate', 'stale', 'numberingReset', 'unchanged']

/** Every lane the steps pass through, beginning with the empty one. */
function course(taken: readonly Step[]): Lane[] {
  const lanes = [emptyLane()]
  for (const one of taken) lanes.push(take(lanes.at(-1) ?? emptyLane(), one).lane)
  return lanes
}

test('nothing lowers what is held: where it moves, it moves to what came, which is after it or in no order with it', () => {
  fc.assert(
    fc.property(steps, step(anyCursor), (past, next) => {
      const lane = course(past).at(-1) ?? emptyLane()
      const {verdict, lane: after} = take(lane, next)
      const stays = UNMOVED.includes(verdict.decision)
      if (stays) expect(after).toBe(lane)
      else expect(after.held).toEqual(next.cursor)
      if (!stays && lane.held !== undefined)
        expect(compareCursors(lane.held, next.cursor)).toMatch(/before|incomparable/)
    }),
    {numRuns: 2000},
  )
})

test('what is retired stays retired, and nothing of it moves the lane', () => {
  fc.assert(
    fc.property(steps, step(anyCursor), (past, next) => {
      const lanes = course(past)
      const last = lanes.at(-1) ?? emptyLane()
      for (const lane of lanes)
        for (const generation of retiredGenerations(lane.retired)) {
          expect(isRetired(last.retired, generation)).toBe(true)
          expect(take(last, {...next, cursor: {...next.cursor, generation}}).verdict.decision).toBe('stale')
        }
    }),
  )
})

test('a lane is a value: what is made of it does not change it', () => {
  fc.assert(
    fc.property(steps, step(anyCursor), step(anyCursor), (past, left, right) => {
      const lane = course(past).at(-1) ?? emptyLane()
      const before = [lane.held, retiredGenerations(lane.retired)]
      const first = take(lane, left)
      const told = [first.lane.held, retiredGenerations(first.lane.retired)]
      take(take(lane, right).lane, left)
      expect([lane.held, retiredGenerations(lane.retired)]).toEqual(before)
      expect([first.lane.held, retiredGenerations(first.lane.retired)]).toEqual(told)
      expect(take(lane, left).lane).toEqual(first.lane)
    }),
  )
})

test('what is held is never retired', () => {
  fc.assert(
    fc.property(steps, steps, anyCursor, (a, b, taken) => {
      const [own, from] = [course(a).at(-1) ?? emptyLane(), course(b).at(-1) ?? emptyLane()]
      for (const lane of [...course(a), inherit(own, from), join(own, from), takeBaseline(own, taken)])
        if (lane.held !== undefined) expect(isRetired(lane.retired, lane.held.generation)).toBe(false)
    }),
  )
})

test('opaque generations have no order: renamed, a stream is judged alike', () => {
  const names = ['a', 'b', 'c', '1', '__proto__']
  fc.assert(
    fc.property(
      fc.array(step(opaqueCursor), {maxLength: 30}),
      fc.shuffledSubarray(names, {minLength: 5}),
      (taken, as) => {
        const renamed = taken.map((one) => ({
          ...one,
          cursor: cursor({...one.cursor, generation: as[names.indexOf(String(one.cursor.generation))]}),
        }))
        const verdicts = (through: readonly Step[]): string[] => {
          let lane = emptyLane()
          return through.map((one) => {
            const judged = take(lane, one)
            lane = judged.lane
            return JSON.stringify(judged.verdict)
          })
        }
        expect(verdicts(renamed)).toEqual(verdicts(taken))
      },
    ),
  )
})

test('of numbered generations exactly what is greater is admitted, whatever came before on the connection', () => {
  fc.assert(
    fc.property(fc.array(numberedCursor, {maxLength: 30}), (incoming) => {
      let lane = emptyLane()
      for (const one of incoming) {
        const {held} = lane
        const judged = admit(lane, one, false)
        const greater = held === undefined || compareCursors(held, one) === 'before'
        expect(UNMOVED.includes(judged.verdict.decision)).toBe(!greater)
        lane = judged.lane
      }
      expect(retiredGenerations(lane.retired)).toEqual([])
    }),
  )
})

test('after a taken baseline, what jumps into the generations up to the one that was held is stale, and what is above them is not', () => {
  const lane = takeBaseline(laneAt(cursor({generation: 6, sequence: 4})), cursor({generation: 1, sequence: 0}))
  const decision = (generation: number): string => admit(lane, cursor({generation, sequence: 0}), true).verdict.decision
  expect([3, 4, 5, 6].map(decision)).toEqual(['stale', 'stale', 'stale', 'stale'])
  expect([0, 1, 7].map(decision)).toEqual(['numberingReset', 'duplicate', 'newGeneration'])
  expect(admit(lane, cursor({generation: 7, sequence: 0}), false).verdict).toEqual({
    decision: 'newGeneration',
    missingGenerations: 5,
  })
})

test('a taken numbering grows through the generations that the lost one had, and leaves them once more', () => {
  let lane = takeBaseline(laneAt(cursor({generation: 6, sequence: 4})), cursor({generation: 1, sequence: 0}))
  for (const generation of [2, 3, 4, 5, 6, 7]) {
    const judged = admit(lane, cursor({generation, sequence: 0}), generation % 2 === 0)
    expect(judged.verdict).toEqual({decision: 'newGeneration'})
    lane = judged.lane
    expect(isRetired(lane.retired, cursor({generation, sequence: 0}).generation)).toBe(false)
  }
  expect(admit(lane, cursor({generation: 6, sequence: 9}), false).verdict.decision).toBe('stale')
})

test('a numbering that begins anew where one began that was given up is asked about too, once the present one is past it', () => {
  const taken = takeBaseline(laneAt(cursor({generation: 6, sequence: 4})), cursor({generation: 1, sequence: 0}))
  const past = admit(taken, cursor({generation: 7, sequence: 0}), false).lane
  const again = cursor({generation: 6, sequence: 0})
  expect(admit(past, again, true).verdict.decision).toBe('numberingReset')
  expect(admit(past, again, false).verdict.decision).toBe('stale')
  expect(isRetired(takeBaseline(past, again).retired, again.generation)).toBe(false)
})

test('a stream that goes on under another name brings its cursor and what it left', () => {
  const a = (sequence: number) => cursor({generation: 'a', sequence})
  const [generationB, generationC] = [
    cursor({generation: 'b', sequence: 0}).generation,
    cursor({generation: 'c', sequence: 0}).generation,
  ]
  const from = laneAt(a(9), [generationB])
  const lanes: ReadonlyArray<readonly [own: Lane, held: object, retired: readonly string[]]> = [
    [emptyLane(), a(9), ['b']],
    [laneAt(a(4)), a(9), ['b']],
    [laneAt(a(12)), a(12), ['b']],
    [laneAt(cursor({generation: 'c', sequence: 40})), a(9), ['b', 'c']],
    [laneAt(cursor({generation: 'c', sequence: 1}), [a(0).generation]), a(9), ['b', 'c']],
    [laneAt(cursor({generation: 'b', sequence: 1}), [generationC]), a(9), ['c', 'b']],
  ]
  for (const [own, held, retired] of lanes) {
    const lane = inherit(own, from)
    expect([lane.held, retiredGenerations(lane.retired)]).toEqual([held, retired])
  }
  expect(inherit(from, emptyLane())).toBe(from)
})

test('a stream held under two names lowers nothing when they are found to be one', () => {
  const numbered = (generation: number) => laneAt(cursor({generation, sequence: 1}))
  expect(join(numbered(6), numbered(5)).held).toEqual({generation: 6, sequence: 1})
  expect(join(numbered(5), numbered(6)).held).toEqual({generation: 6, sequence: 1})
  const opaque = (generation: string) => laneAt(cursor({generation, sequence: 1}))
  const joined = join(opaque('a'), opaque('b'))
  expect([joined.held, retiredGenerations(joined.retired)]).toEqual([{generation: 'b', sequence: 1}, ['a']])
  expect(join(joined, opaque('a'))).toEqual(joined)
})

test('a stream may leave very many generations', () => {
  let lane = emptyLane()
  for (let n = 0; n < 200_000; n++) lane = admit(lane, cursor({generation: `g${n}`, sequence: 1}), false).lane
  expect(lane.retired.size).toBe(199_999)
  expect(admit(lane, cursor({generation: 'g7', sequence: 9}), false).verdict.decision).toBe('stale')
})
