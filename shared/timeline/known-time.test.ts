import fc from 'fast-check'
import {expect, test} from 'vitest'
import {unwatched, type Watch, watched} from './known-time.ts'

const WINDOW = {from: 0, to: 1_000_000}

function watch(at: number, state: Watch['state'], more: Partial<Watch> = {}): Watch {
  return {at, state, notStarted: false, closedWithApp: false, ...more}
}

test('a stream that lives, waits and comes back was watched all the time', () => {
  const watches = [
    watch(-5, 'live'),
    watch(300, 'waiting', {delayMs: 2_000}),
    watch(2_300, 'connecting'),
    watch(2_400, 'live'),
  ]
  expect(unwatched(watches, [], WINDOW)).toEqual([])
})

test('before its first fact nothing is known of a source', () => {
  expect(unwatched([watch(400, 'connecting')], [], WINDOW)).toEqual([{from: 0, to: 400}])
})

test('without any fact nothing is claimed either way', () => {
  expect(unwatched([], [], WINDOW)).toEqual([])
})

test('where a live stream begins to connect without having ended, nobody watched since the last thing recorded', () => {
  const watches = [watch(-5, 'live'), watch(900, 'connecting')]
  expect(unwatched(watches, [100, 650, 950], WINDOW)).toEqual([{from: 650, to: 900}])
})

test('an engine that died was there until the last thing it recorded, and nobody from then to the next state', () => {
  const left = watch(200, 'stopped', {notStarted: true})
  for (const before of [watch(-5, 'live'), watch(-5, 'held'), watch(-5, 'waiting', {delayMs: 9_999})])
    for (const next of [watch(900, 'connecting'), watch(900, 'held'), watch(900, 'stopped', {notStarted: true})])
      expect(unwatched([before, left, next], [100, 200, 950], WINDOW)).toEqual([{from: 200, to: 900}])
})

test('an engine that has not come to a source yet was not there before, as far as a stop of before tells', () => {
  const watches = [watch(-5, 'stopped'), watch(900, 'stopped', {notStarted: true})]
  expect(unwatched(watches, [200], WINDOW)).toEqual([{from: 200, to: 900}])
})

test('a retry that comes much too late was slept over from when it was due', () => {
  const watches = [watch(0, 'waiting', {delayMs: 1_000}), watch(500_000, 'connecting')]
  expect(unwatched(watches, [], WINDOW)).toEqual([{from: 6_000, to: 500_000}])
})

test('stopped is watched: the user’s word is known', () => {
  expect(unwatched([watch(-5, 'live'), watch(100, 'stopped'), watch(800, 'connecting')], [], WINDOW)).toEqual([])
})

test('from an orderly close of the app to its next start nobody watched, whatever state comes next', () => {
  const closed = watch(100, 'stopped', {closedWithApp: true})
  for (const next of [watch(800, 'connecting'), watch(800, 'stopped', {notStarted: true}), watch(800, 'stopped')])
    expect(unwatched([watch(-5, 'live'), closed, next], [60], WINDOW)).toEqual([{from: 100, to: 800}])
})

test('after an orderly close that nothing follows, nobody watches up to now', () => {
  const closed = watch(100, 'stopped', {closedWithApp: true})
  expect(unwatched([watch(-5, 'live'), closed], [60], WINDOW)).toEqual([{from: 100, to: WINDOW.to}])
})

test('what was watched and what was not make up the window', () => {
  const facts = fc.array(
    fc.record({
      at: fc.integer({min: -100, max: 1_100}),
      state: fc.constantFrom<Watch['state']>('live', 'connecting', 'waiting', 'stopped', 'held'),
      notStarted: fc.boolean(),
      closedWithApp: fc.boolean(),
      delayMs: fc.integer({min: 0, max: 500}),
    }),
    {maxLength: 12},
  )
  fc.assert(
    fc.property(facts, fc.array(fc.integer({min: 0, max: 1_000})), (watches, evidence) => {
      const window = {from: 0, to: 1_000}
      const ordered = [...watches].sort((a, b) => a.at - b.at)
      const dead = unwatched(ordered, evidence, window)
      const length = [...dead, ...watched(window, dead)].reduce((sum, {from, to}) => sum + to - from, 0)
      expect(length).toBe(1_000)
    }),
  )
})
