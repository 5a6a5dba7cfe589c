import {expect, test} from 'vitest'
import {burst, NOTHING, say} from '../../demo/script.ts'
import {createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {watchDemo} from '../testing/watch-demo.ts'

/* Switch note, section 11: T1 and T2, over real sockets. */

const two = {
  name: 'two messages',
  about: 'in two rooms',
  revision: 'r3',
  start: NOTHING,
  steps: [say(0, 'room-a', 'dana', 'first'), say(0, 'room-b', 'ben', 'second')],
} as const

test('T1: a socket dropped while a callback is pending: the position moves once, and the next open waits for it and uses it', async () => {
  const callbacks = createControlledCallbacks()
  const {tap, store, position, until, view, state} = await watchDemo({scenario: two, callbacks})
  await until(async () => (await view()).waiting === 2, 'both messages')
  expect(callbacks.open()).toHaveLength(1)
  tap.breakStreams()
  await until(() => state() === 'waiting', 'the end of the socket on record')
  expect((await view()).connection).toMatchObject({heartbeat: 'none', because: {kind: 'dropped'}})
  expect(position()).toEqual({})
  expect(tap.opens).toHaveLength(1)
  callbacks.open()[0]?.resolve()
  await until(() => callbacks.runs.length === 2, 'the second callback')
  callbacks.release()
  await until(() => tap.opens.length === 2, 'the next open')
  await until(() => position()['s'] === 2, 'both messages')
  expect(position()).toEqual({s: 2, 'r:room-a': 1, 'r:room-b': 1})
  const moves = store.changes.filter((change) => change.kind === 'cursorMoved')
  expect(moves).toHaveLength(2)
  expect(callbacks.runs.map(({attempt}) => attempt)).toEqual([1, 1])
  // What had been read before the socket broke was handled before the reopen, so that nothing came twice.
  expect(tap.opens[1]?.query.get('start_from')).toBe('2')
  expect(tap.opens[1]?.headers['last-event-id']).toBe('2')
})

test('T1: with nothing read behind it, the next open resumes after the very frame whose callback was pending', async () => {
  const callbacks = createControlledCallbacks()
  const one = {...two, steps: [say(0, 'room-a', 'dana', 'only one')]}
  const {tap, position, until} = await watchDemo({scenario: one, callbacks})
  await until(() => callbacks.open().length === 1, 'the callback')
  tap.breakStreams()
  await until(() => tap.opens[0]?.over === true, 'the end of the socket')
  callbacks.release()
  await until(() => tap.opens[1]?.status === 200, 'the next open')
  expect(position()).toEqual({s: 1, 'r:room-a': 1})
  expect(tap.opens[1]?.query.get('start_from')).toBe('1')
  expect(callbacks.runs).toHaveLength(1)
})

test('T2: a callback that never resolves: beats go on with the old position, nothing further is handled, and it shows as stalled', async () => {
  const callbacks = createControlledCallbacks()
  const many = {...two, steps: [say(0, 'room-a', 'dana', 'handled'), burst('attached', 0, 50)]}
  const {tap, store, state, view, until, position} = await watchDemo({scenario: many, callbacks, speed: 20})
  await until(() => callbacks.open().length === 1, 'the first callback')
  callbacks.open()[0]?.resolve()
  await until(() => callbacks.runs.length === 2, 'the second callback')
  const before = position()
  await until(() => tap.beats.at(-1)?.body['cursor'] === 1, 'a beat with the position')
  const beats = tap.beats.length
  await until(() => tap.beats.length >= beats + 12, 'a dozen beats')
  expect(callbacks.runs).toHaveLength(2)
  expect(position()).toEqual(before)
  expect(new Set(tap.beats.slice(beats).map(({body}) => body['cursor']))).toEqual(new Set([1]))
  expect(tap.opens).toHaveLength(1)
  expect(state()).toBe('live')
  const seen = await view()
  expect(seen.openAttempt).toMatchObject({n: 1, state: 'pending'})
  expect(seen.notices.map(({kind}) => kind)).toEqual(['stalled'])
  callbacks.release()
  await until(() => store.own() === 51, 'all that waited')
  expect((await view()).notices).toEqual([])
})
