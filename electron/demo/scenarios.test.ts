import {expect, test} from 'vitest'
import {PLAIN_LABEL} from './scenario.ts'
import {findScenario, scenarios} from './scenarios.ts'
import {type Seen, simulate} from './testing/simulated-client.ts'

function play(name: string, untilMs = 60_000, position: Readonly<Record<string, number>> = {}): readonly Seen[] {
  const scenario = findScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  return simulate({scenario, untilMs, jitter: 0.5, callbackMs: 50, position})
}

const whats = (seen: readonly Seen[]) => seen.map(({what}) => what)
const last = (seen: readonly Seen[]) => seen.at(-1)?.position
const times = (seen: readonly Seen[], what: Seen['what']) => whats(seen).filter((one) => one === what).length
const bodies = (seen: readonly Seen[]) =>
  seen.filter(({what}) => what === 'handled').map(({data}) => JSON.stringify(data['payload']))

test('names are unique, and the product’s own comes first', () => {
  const names = scenarios.map(({name}) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names[0]).toBe('tour')
})

test.each(scenarios.filter(({loopFrom}) => loopFrom !== undefined))(
  '$name takes time in every lap',
  ({steps, loopFrom}) => {
    const lap = steps.slice(loopFrom)
    expect(lap.reduce((sum, {afterMs}) => sum + afterMs, 0)).toBeGreaterThan(1_000)
  },
)

test.each(scenarios)(
  'every callback rule of $name is for an event it publishes, or a gap',
  ({steps, callbacks = []}) => {
    const labels = steps.map(({do: action}) => ('event' in action ? (action.event.label ?? PLAIN_LABEL) : action.kind))
    for (const {label} of callbacks) expect(labels).toContain(label)
  },
)

test('backward-reset: s and a room go back, a room is removed, and the next own event is 3', () => {
  const seen = play('backward-reset')
  const at = whats(seen).indexOf('replaced')
  expect(seen.slice(at - 1, at + 3).map(({position}) => position)).toEqual([
    {s: 18, 'r:room-a': 43, 'r:room-b': 9},
    {s: 2, 'r:room-a': 7},
    {s: 3, 'r:room-a': 7},
    {s: 4, 'r:room-a': 7, 'r:room-b': 1},
  ])
})

test('gap: goes forward, and what the untouched room had stays', () => {
  const seen = play('gap')
  const at = whats(seen).indexOf('replaced')
  expect(seen[at]?.position).toEqual({s: 22, 'r:room-a': 47, 'r:room-b': 9})
  expect(last(seen)).toEqual({s: 24, 'r:room-a': 48, 'r:room-b': 10})
})

test('overflow: twelve messages went by, and the five that were kept follow the gap', () => {
  const seen = play('overflow')
  const at = whats(seen).indexOf('replaced')
  expect(seen[at]).toMatchObject({data: {from_sequence: 3, resumed_at: 10, rooms: ['room-a']}})
  expect(seen.slice(at + 1, at + 6).map(({position}) => position['s'])).toEqual([11, 12, 13, 14, 15])
})

test('gap-during-catchup: the gap comes between two batches', () => {
  const seen = play('gap-during-catchup')
  const at = whats(seen).indexOf('replaced')
  const {s} = seen[at - 1]?.position ?? {}
  expect(s).toBeGreaterThan(0)
  expect(s).toBeLessThan(25)
  expect(seen[at]?.data).toMatchObject({from_sequence: s, resumed_at: 25})
  expect(last(seen)?.['s']).toBe(58)
})

test('restart-r1: 18, then 3, 4, 5', () => {
  const seen = play('restart-r1')
  const at = whats(seen).indexOf('replaced')
  expect(seen[at]?.data).toMatchObject({from_sequence: 3, resumed_at: 3})
  expect(seen[at - 2]?.position).toEqual({s: 18})
  expect(seen.slice(at).map(({position}) => position['s'])).toEqual([3, 4, 5])
})

test('restart-r2: the numbers go forward to the next boot, and every room may have lost something', () => {
  const seen = play('restart-r2', 60_000, {s: 2 ** 32})
  const at = whats(seen).indexOf('replaced')
  expect(seen[at]?.data).toMatchObject({from_sequence: 2 ** 32 + 3, resumed_at: 2 ** 33, rooms: [], all_rooms: true})
  expect(last(seen)?.['s']).toBe(2 ** 33 + 4)
})

test('backward-reset-r2: only s goes back', () => {
  const seen = play('backward-reset-r2', 60_000, {s: 2 ** 32 + 15})
  expect(seen.find(({what}) => what === 'replaced')?.data).not.toHaveProperty('resumed_position')
  expect(last(seen)?.['s']).toBe(2 ** 32 + 3)
})

test('poison-frame: the same frame is rejected at every open, and the one behind it is never reached', () => {
  const seen = play('poison-frame')
  expect(times(seen, 'rejected')).toBeGreaterThan(3)
  expect(last(seen)?.['s']).toBe(3)
})

test('reject-once: nothing is lost and nothing handled twice', () => {
  const seen = play('reject-once')
  expect(times(seen, 'rejected')).toBe(1)
  expect(new Set(bodies(seen)).size).toBe(bodies(seen).length)
  expect(last(seen)?.['s']).toBe(6)
})

test('malformed-once: one finding, and the position goes on', () => {
  const seen = play('malformed-once')
  expect(times(seen, 'malformed')).toBe(1)
  expect(last(seen)?.['s']).toBe(5)
})

test('malformed-always: a finding at every open, and the position stays', () => {
  const seen = play('malformed-always')
  expect(times(seen, 'malformed')).toBeGreaterThan(3)
  expect(last(seen)?.['s']).toBe(3)
})

test('unknown-frame: discarded, and the position moves', () => {
  const seen = play('unknown-frame')
  expect(seen.find(({what}) => what === 'discarded')?.position['s']).toBe(4)
})

test('huge-frame: 4 MiB is delivered, and 9 MiB comes only once', () => {
  const seen = play('huge-frame')
  expect(Math.max(...bodies(seen).map((body) => body.length))).toBeGreaterThan(4 * 1024 * 1024)
  // This client has no cap: the frame without a position moves nothing.
  expect(Math.max(...seen.map(({data}) => JSON.stringify(data).length))).toBeGreaterThan(9 * 1024 * 1024)
})

test('burst: five thousand messages arrive, each once', () => {
  const seen = play('burst', 300_000)
  expect(last(seen)?.['s']).toBe(5_004)
  expect(new Set(bodies(seen)).size).toBe(5_004)
})

test('lapse: evicted for want of a heartbeat, and resumed with every message exactly once', () => {
  const scenario = findScenario('lapse')
  if (scenario === undefined) throw new Error('no lapse')
  const seen = simulate({scenario, untilMs: 60_000, jitter: 0.5, callbackMs: 50})
  expect(seen.find(({what}) => what === 'evicted')?.data).toMatchObject({code: 'heartbeat_lapsed'})
  expect(new Set(bodies(seen)).size).toBe(7)
  expect(bodies(seen)).toHaveLength(7)
})

test('instant-close: every stream ends at once', () => {
  const seen = play('instant-close')
  expect(times(seen, 'ended')).toBeGreaterThan(3)
  expect(times(seen, 'ended')).toBe(times(seen, 'opened'))
  expect(times(seen, 'handled')).toBe(0)
})

test.each([
  ['unauthorized', 'opened', 0],
  ['takeover', 'evicted', 1],
  ['takeover-r1', 'evicted', 1],
  ['eviction', 'evicted', 1],
  ['eviction-r1', 'evicted', 1],
  ['socket-reset', 'malformed', 0],
] as const)('%s: %s %d times', (name, what, expected) => {
  expect(times(play(name), what)).toBe(expected)
})

test('unavailable: refused at first, then served', () => {
  const seen = play('unavailable')
  expect(times(seen, 'refused')).toBeGreaterThan(1)
  expect(last(seen)?.['s']).toBe(3)
})
