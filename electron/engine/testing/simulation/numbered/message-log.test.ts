import {expect, test} from 'vitest'
import {createMessageLog} from './message-log.ts'

const NUMBERING = {entries: []}
const line = (sequence: number): string => JSON.stringify({cursor: {generation: 1, sequence}})
const CONTROL = JSON.stringify({type: 'hello'})

function logOf(lines: readonly string[], isLook = false) {
  const log = createMessageLog({over: 'socket', cursorAt: 'cursor', typeAt: ''})
  const take = log.open(isLook)
  for (const one of lines) take(one, NUMBERING)
  return log
}

test('messages are kept in the order in which they came, and the first number of them is known', () => {
  const log = logOf([CONTROL, line(3), line(4)])
  expect([CONTROL, line(3), line(4)].map((one) => log.next(one)?.isFirst)).toEqual([false, true, false])
  expect(log.next(line(4))).toBeUndefined()
})

test('one that was left out is missed', () => {
  const log = logOf([line(3), line(4), line(5)])
  expect(log.next(line(3))?.block).toBe(line(3))
  expect(log.next(line(5))).toBeUndefined()
})

test('what came over an earlier connection is not waited for', () => {
  const log = logOf([line(3), line(4)])
  log.open(false)(line(3), NUMBERING)
  expect(log.next(line(4))).toBeUndefined()
  expect(log.next(line(3))?.block).toBe(line(3))
})

test('of a look no more than the first number is kept', () => {
  const log = logOf([CONTROL, line(3), line(4)], true)
  expect(log.next(CONTROL)).toBeUndefined()
  expect(log.next(line(3))?.isFirst).toBe(true)
})
