import {expect, test} from 'vitest'
import {createLineOrder, createWireLog} from './wire-log.ts'

const REPLACED = JSON.stringify({
  type: 'session_replaced',
  state: {sessionId: 'another'},
  meta: {cursor: {generation: 'a', sequence: 3}},
})

function logOf(...connections: readonly (readonly string[])[]) {
  const log = createWireLog()
  for (const lines of connections) {
    const take = log.open()
    for (const line of lines) take(Buffer.from(`${line}\n`))
  }
  return log
}

function follow(log: ReturnType<typeof logOf>, kept: readonly string[]): readonly (string | undefined)[] {
  const order = createLineOrder(log)
  return kept.map(order.next)
}

test('lines are cut anywhere, an empty one is none, and half of one is not there yet', () => {
  const log = createWireLog()
  const take = log.open()
  for (const piece of ['{"a":1}\n\n{"b', '":2}\n{"half"']) take(Buffer.from(piece))
  expect(log.connections()).toEqual([['{"a":1}', '{"b":2}']])
})

test('a line that was left out is missed', () => {
  expect(follow(logOf(['one', 'two', 'three']), ['one', 'three'])).toEqual(['one', undefined])
})

test('a connection is followed among those that say the same, and the next one after it', () => {
  const log = logOf(['hello', 'one'], ['hello', 'two', 'three'], ['hello', 'one'])
  expect(follow(log, ['hello', 'two', 'three', 'hello', 'one'])).toEqual(['hello', 'two', 'three', 'hello', 'one'])
})

test('a connection that is left while another one goes on alike is not taken for that one', () => {
  const hello = '{"supervisorOwnerToken":"x"}'
  const log = logOf(['beats', hello, 'list'], ['beats'], [hello, 'attach'])
  expect(follow(log, ['beats', '', 'attach'])).toEqual(['beats', hello, 'attach'])
})

test('no source goes back to a connection that was opened before the one it read', () => {
  const log = logOf(['hello', 'one'], ['hello', 'two'])
  expect(follow(log, ['hello', 'two', 'hello']).at(-1)).toBeUndefined()
})

test('a connection is taken over behind a replacement', () => {
  const log = logOf(['hello', REPLACED, 'four', 'five'])
  expect(follow(log, ['four', 'five'])).toEqual(['four', 'five'])
  expect(follow(log, ['five'])).toEqual([undefined])
})

test('a line with a token is one of which nothing was kept', () => {
  const secret = '{"supervisorOwnerToken":"x"}'
  expect(follow(logOf([secret, 'one']), ['', 'one'])).toEqual([secret, 'one'])
  expect(follow(logOf([secret]), [secret])).toEqual([undefined])
})
