import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {FrameId} from '../history/frame-id.ts'
import {backoffMs, LASTED_MS, type SourceInput, type SourceState, step} from './source-machine.ts'

const frame = 7 as FrameId
const closed = {kind: 'closed'} as const
const rejected = {kind: 'rejected', frame} as const
const asked = {kind: 'asked'} as const

const stopped: SourceState = {kind: 'stopped', because: asked}
const connecting: SourceState = {kind: 'connecting', attempt: 2}
const live: SourceState = {kind: 'live', attempt: 2}
const waiting: SourceState = {kind: 'waiting', attempt: 3, delayMs: 2000, because: closed}
const held: SourceState = {kind: 'held', because: rejected, frame}
const all = [stopped, connecting, live, waiting, held]

const ended = (livedMs = 0, jitter = 0): SourceInput => ({kind: 'ended', because: closed, livedMs, jitter})

const transitions: ReadonlyArray<readonly [from: SourceState, input: SourceInput, to: SourceState]> = [
  [stopped, {kind: 'start'}, {kind: 'connecting', attempt: 0}],
  [held, {kind: 'start'}, {kind: 'connecting', attempt: 0}],
  [connecting, {kind: 'opened'}, {kind: 'live', attempt: 2}],
  [waiting, {kind: 'retryDue'}, {kind: 'connecting', attempt: 3}],
  [connecting, ended(), {kind: 'waiting', attempt: 3, delayMs: 2000, because: closed}],
  [live, ended(), {kind: 'waiting', attempt: 3, delayMs: 2000, because: closed}],
  [live, ended(LASTED_MS - 1), {kind: 'waiting', attempt: 3, delayMs: 2000, because: closed}],
  [live, ended(LASTED_MS), {kind: 'waiting', attempt: 1, delayMs: 500, because: closed}],
]
test.each(transitions)('%j and %j lead to %j', (from, input, to) => expect(step(from, input)).toEqual(to))

test('an input that belongs to another state changes nothing', () => {
  const belongs = new Map<SourceInput['kind'], readonly SourceState['kind'][]>([
    ['start', ['stopped', 'held']],
    ['opened', ['connecting']],
    ['retryDue', ['waiting']],
    ['ended', ['connecting', 'live']],
  ])
  for (const state of all)
    for (const input of [{kind: 'start'}, {kind: 'opened'}, {kind: 'retryDue'}, ended()] as const)
      if (!belongs.get(input.kind)?.includes(state.kind)) expect(step(state, input)).toBe(state)
})

test('a stop leads to stopped from anywhere, and says why', () => {
  for (const state of all) expect(step(state, {kind: 'stop', because: asked})).toEqual(stopped)
  const because = {kind: 'evicted', code: 'taken_over', reason: '', terminal: true} as const
  expect(step(live, {kind: 'stop', because})).toEqual({kind: 'stopped', because})
})

test('out of held leads only the word of the user', () => {
  for (const input of [{kind: 'opened'}, {kind: 'retryDue'}, ended(99_999)] as const)
    expect(step(held, input)).toBe(held)
  expect(step(connecting, {kind: 'held', because: rejected, frame})).toEqual(held)
})

describe('backoff', () => {
  test('half of it is fixed, half of it random; it doubles from 1 s to 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 60, 5000].map((attempt) => backoffMs(attempt, 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000,
    ])
    expect([0, 4, 5].map((attempt) => backoffMs(attempt, 0.5))).toEqual([750, 12_000, 22_500])
  })

  test('a longer count never waits less, at the same chance', () => {
    const chance = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true})
    fc.assert(
      fc.property(fc.nat(100), chance, (attempt, jitter) => {
        const delay = backoffMs(attempt, jitter)
        expect(delay).toBeGreaterThanOrEqual(500)
        expect(delay).toBeLessThanOrEqual(30_000)
        expect(backoffMs(attempt + 1, jitter)).toBeGreaterThanOrEqual(delay)
      }),
    )
  })
})

/** Opens in the first minute against a server that ends every stream after `livedMs`. */
function opensInAMinute(livedMs: number, jitter: number): number {
  let state: SourceState = step(stopped, {kind: 'start'})
  let opens = 0
  for (let now = 0; now < 60_000; ) {
    opens += 1
    state = step(step(state, {kind: 'opened'}), ended(livedMs, jitter))
    if (state.kind !== 'waiting') throw new Error(`not waiting but ${state.kind}`)
    now += livedMs + (state.delayMs ?? Number.NaN)
    state = step(state, {kind: 'retryDue'})
  }
  return opens
}

test('a server that closes every stream at once is opened at most 8 times a minute, however the dice fall', () => {
  expect(opensInAMinute(0, 0)).toBe(8)
  fc.assert(
    fc.property(fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true}), (jitter) => {
      expect(opensInAMinute(0, jitter)).toBeLessThanOrEqual(8)
    }),
  )
})
