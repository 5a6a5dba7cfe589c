import {expect, test} from 'vitest'
import {messageOf} from './message-of.ts'

test('an error says its message, without its name', () => {
  expect(messageOf(new TypeError('no such thing'))).toBe('no such thing')
})

test('whatever else was thrown is said as text', () => {
  expect([messageOf('gone'), messageOf(undefined), messageOf(7)]).toEqual(['gone', 'undefined', '7'])
})
