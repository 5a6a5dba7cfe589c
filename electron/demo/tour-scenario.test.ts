import {expect, test} from 'vitest'
import {createStage} from './stage.ts'
import {type Seen, simulate} from './testing/simulated-client.ts'
import {tour} from './tour-scenario.ts'

/** A client with the longest backoffs and the slowest callbacks. */
const slowest = {scenario: tour, jitter: 1, callbackMs: 400}
const quickest = {scenario: tour, jitter: 0, callbackMs: 50}

function at(seen: readonly Seen[], what: Seen['what'], n = 0): Seen {
  const found = seen.filter((one) => one.what === what)[n]
  if (found === undefined) throw new Error(`never ${what} ${n + 1} times: ${seen.map((one) => one.what).join(' ')}`)
  return found
}

test.each([
  ['the slowest client', slowest],
  ['the quickest client', quickest],
])('%s sees everything of the first lap within 45 s', (_who, habits) => {
  const seen = simulate({...habits, untilMs: 45_000})
  expect(seen[0]).toMatchObject({what: 'opened', at: 0})
  expect(at(seen, 'handled').at).toBeLessThan(1_000)
  expect(at(seen, 'rejected').position).toEqual({s: 13, 'r:room-a': 40, 'r:room-b': 7})
  const replaced = at(seen, 'replaced')
  expect(replaced.data).toMatchObject({
    from_sequence: 18,
    resumed_at: 2,
    resumed_position: {s: 2, 'r:room-a': 7},
    rooms: ['room-a'],
  })
  const before = seen[seen.indexOf(replaced) - 1]
  const after = seen[seen.indexOf(replaced) + 1]
  expect(before).toMatchObject({what: 'handled', position: {s: 18, 'r:room-a': 43, 'r:room-b': 9}})
  expect(replaced.position).toEqual({s: 2, 'r:room-a': 7})
  expect(after).toMatchObject({what: 'handled', position: {s: 3, 'r:room-a': 7}})
  expect(at(seen, 'discarded').position).toEqual({s: 4, 'r:room-a': 7})
  expect(at(seen, 'malformed').position).toEqual({s: 5, 'r:room-a': 8})
  expect(at(seen, 'evicted').data).toMatchObject({code: 'closed'})
  const reconnected = at(seen, 'opened', 3)
  expect(reconnected.at).toBeGreaterThan(at(seen, 'evicted').at)
  expect(seen.slice(seen.indexOf(reconnected)).some(({what}) => what === 'handled')).toBe(true)
})

test('the frame that was rejected is delivered again and then handled', () => {
  const seen = simulate({...slowest, untilMs: 45_000})
  const rejected = at(seen, 'rejected')
  const next = seen.slice(seen.indexOf(rejected) + 1).find(({what}) => what === 'handled')
  expect(next?.data).toEqual(rejected.data)
})

test('every lap rises to the same height, falls to the same place and has the same endings', () => {
  const seen = simulate({...slowest, untilMs: 600_000})
  const falls = seen.filter(({what}) => what === 'replaced')
  expect(falls.length).toBeGreaterThan(5)
  for (const fall of falls) {
    expect(seen[seen.indexOf(fall) - 1]?.position).toEqual({s: 18, 'r:room-a': 43, 'r:room-b': 9})
    expect(fall.position).toEqual({s: 2, 'r:room-a': 7})
  }
  // The gap itself is never lost to a reconnect, so nobody meets it a second time at an open.
  expect(falls.map(({data}) => data['from_sequence'])).toEqual(falls.map(() => 18))
  const count = (what: Seen['what']) => seen.filter((one) => one.what === what).length
  for (const what of ['rejected', 'malformed', 'evicted', 'discarded'] as const)
    expect(Math.abs(count(what) - falls.length)).toBeLessThanOrEqual(1)
})

test('a client from an earlier run of the server is told where this run stands', () => {
  const seen = simulate({...slowest, untilMs: 10_000, position: {s: 16, 'r:room-a': 42, 'r:room-b': 8}})
  expect(seen[1]).toMatchObject({
    what: 'replaced',
    data: {from_sequence: 16, resumed_at: 8, all_rooms: true, rooms: []},
    position: {s: 8, 'r:room-a': 37, 'r:room-b': 5},
  })
  expect(seen[2]).toMatchObject({what: 'handled', position: {s: 9, 'r:room-a': 38, 'r:room-b': 5}})
})

test('nothing happens while nobody is attached', () => {
  const stage = createStage({scenario: tour, agentId: 'a', run: 'r', firstGeneration: 1, epochOffset: 0})
  expect(stage.nextDue(0)).toBe(Number.POSITIVE_INFINITY)
  expect(stage.tick(3_600_000)).toEqual([])
  const opened = stage.open(3_600_000, 1, {connectionId: 'c', scope: 'all', filter: 'all', from: 0})
  expect(opened.ok && opened.value.filter(({kind}) => kind === 'batch')).toEqual([])
  expect(stage.nextDue(3_600_000)).toBeLessThan(3_601_000)
})
