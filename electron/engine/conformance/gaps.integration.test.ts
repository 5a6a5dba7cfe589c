import {expect, test} from 'vitest'
import {parsePosition} from '../../../shared/position/position.ts'
import {serveCaptures} from '../testing/capture.ts'
import {createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {type Watched, watchDemo} from '../testing/watch-demo.ts'

/* Switch note, section 5, and T9 and T10 of section 11, over real sockets. */

const at = (own: number) => parsePosition({s: own}) ?? new Map()

/** Each step of each move, with what moved it. */
function moves({store}: Watched): readonly unknown[] {
  return store.changes.flatMap((change) =>
    change.kind === 'cursorMoved' && change.move.cause !== 'imported'
      ? change.move.steps.map(({key, after}) => [change.move.cause, key, after])
      : [],
  )
}

const through = (from: number, to: number): unknown[] =>
  Array.from({length: to - from + 1}, (_, n) => ['handled', 's', from + n])

test.each(['none', 'scenario'] as const)(
  'T9: the captured gap during catch-up goes from 1 to 5, then on to 10 (callbacks: %s)',
  async (callbacks) => {
    const watched = await watchDemo({
      callbacks,
      start: at(1),
      before: (tap) => tap.standIn(serveCaptures('gap_overflow_open.1')),
    })
    await watched.until(() => watched.store.own() === 10, 'the last event')
    expect(moves(watched)).toEqual([['gapReplaced', 's', 5], ...through(6, 10)])
    expect(watched.tap.opens[0]?.query.get('start_from')).toBe('1')
  },
)

test('T9: a buffer that overflows under a client that is catching up: what is lost is declared, and what follows is handled whole', async () => {
  const watched = await watchDemo({scenario: 'gap-during-catchup', callbacks: 'scenario', speed: 20})
  const {store, until, source} = watched
  await until(() => store.own() === 58, 'the last message')
  const {gaps} = await store.read.gaps(source, undefined, 10)
  expect(gaps.map(({outcome}) => outcome)).toEqual(['replaced'])
  const [gap] = gaps
  const resumed = gap?.said.resumedAt ?? 0
  expect(gap?.said.from).toBeLessThan(resumed)
  const after = moves(watched).slice(
    moves(watched).findIndex((move) => Array.isArray(move) && move[0] === 'gapReplaced'),
  )
  const own = after.flatMap((move) => (Array.isArray(move) && move[1] === 's' ? [move[2]] : []))
  expect(own).toEqual(Array.from({length: 58 - resumed + 1}, (_, n) => resumed + n))
})

test.each(['none', 'scenario'] as const)(
  'T10: the captured restart goes from 18 back to 3, then on to 5, and beats go back with it (callbacks: %s)',
  async (callbacks) => {
    const watched = await watchDemo({
      callbacks,
      start: at(18),
      before: (tap) => tap.standIn(serveCaptures('gap_restart.2')),
    })
    const {tap, until, store, source} = watched
    await until(() => store.own() === 5, 'the last event')
    expect(moves(watched)).toEqual([['gapReplaced', 's', 3], ...through(4, 5)])
    const {gaps} = await store.read.gaps(source, undefined, 1)
    expect(gaps).toMatchObject([{outcome: 'ownReplaced', cursorReset: true, wentBack: ['s']}])
    const beats = tap.beats.length
    await until(() => tap.beats.length >= beats + 2, 'two more beats')
    expect(tap.beats.slice(beats + 1).map(({body}) => body['cursor'])).toEqual([5])
  },
)

test('T10: after the restart the next open asks from where the restart left off', async () => {
  const watched = await watchDemo({
    start: at(18),
    before: (tap) => tap.standIn(serveCaptures('gap_restart.2', 'gap_restart.3')),
  })
  await watched.until(() => watched.store.own() === 5, 'the last event')
  watched.tap.breakStreams()
  await watched.until(() => watched.tap.opens.length === 2, 'the next open')
  expect(watched.tap.opens.map(({query}) => query.get('start_from'))).toEqual(['18', '5'])
})

test('while the callback of a gap is pending, the old position stands, and no beat carries the server past its reset', async () => {
  const callbacks = createControlledCallbacks()
  const watched = await watchDemo({
    callbacks,
    start: at(18),
    before: (tap) => tap.standIn(serveCaptures('gap_restart.2')),
  })
  const {tap, until, store, position, view} = watched
  await until(() => callbacks.open()[0]?.frame.kind === 'gap', 'the callback of the gap')
  const beats = tap.beats.length
  await until(() => tap.beats.length >= beats + 3, 'three beats')
  expect(position()).toEqual({s: 18})
  expect((await view()).position).toEqual([['s', 18]])
  expect(new Set(tap.beats.map(({body}) => body['cursor']))).toEqual(new Set([0, 3]))
  callbacks.open()[0]?.reject(new Error('the rooms could not be read'))
  // The server may never say this gap again: it comes from the journal, and only where it leads does the next stream begin.
  await until(() => callbacks.open()[0]?.attempt === 2, 'the second attempt on the gap')
  expect(tap.opens).toHaveLength(1)
  expect(store.own()).toBe(18)
  callbacks.open()[0]?.resolve()
  await until(() => tap.opens.length === 2, 'the reopen')
  expect(tap.opens[1]?.query.get('start_from')).toBe('3')
})
