import {expect, test} from 'vitest'
import {parseQuery, withKey} from './parse-query.ts'

const midnight = 1_000_000

test('keys narrow and the rest is text', () => {
  expect(parseQuery('room:a outcome:rejected,malformed after:16:00 before:16:00:30 ping pong', midnight)).toEqual({
    filter: {
      lane: 'r:a',
      outcomes: ['rejected', 'malformed'],
      from: midnight + 57_600_000,
      to: midnight + 57_630_000,
      text: 'ping pong',
    },
    notUnderstood: [],
  })
})

test('a room id may have colons', () => {
  expect(parseQuery('room:!x:server', midnight).filter.lane).toBe('r:!x:server')
  expect(parseQuery('lane:s', midnight).filter.lane).toBe('s')
})

test('a key with a value that means nothing is told, never guessed', () => {
  expect(parseQuery('outcome:lost after:25:00 room:', midnight)).toEqual({
    filter: {},
    notUnderstood: ['outcome:lost', 'after:25:00', 'room:'],
  })
})

test('what only looks like a key is text', () => {
  expect(parseQuery('http://x :y', midnight).filter).toEqual({text: 'http://x :y'})
  expect(parseQuery('  ', midnight).filter).toEqual({})
})

test('a filter changes its own key and leaves the rest as typed', () => {
  expect(withKey('room:a ping outcome:rejected', 'lane', 's')).toBe('ping outcome:rejected lane:s')
  expect(withKey('room:a ping', 'lane', undefined)).toBe('ping')
  expect(withKey('outcome:handled', 'outcome', 'rejected')).toBe('outcome:rejected')
})
