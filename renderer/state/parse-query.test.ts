import {expect, test} from 'vitest'
import {parseQuery, withKey} from './parse-query.ts'

/** Tells the parts it was asked with: what a clock time means is not this code's. */
const clock = (hours: number, minutes: number, seconds: number) => hours * 10_000 + minutes * 100 + seconds

test('keys narrow and the rest is text', () => {
  expect(parseQuery('room:a outcome:rejected,malformed after:16:00 before:16:00:30 ping pong', clock)).toEqual({
    filter: {
      lane: 'r:a',
      outcomes: ['rejected', 'malformed'],
      from: 160_000,
      to: 160_030,
      text: 'ping pong',
    },
    notUnderstood: [],
  })
})

test('a room id may have colons', () => {
  expect(parseQuery('room:!x:server', clock).filter.lane).toBe('r:!x:server')
  expect(parseQuery('lane:s', clock).filter.lane).toBe('s')
})

test('a key with a value that means nothing is told, never guessed', () => {
  expect(parseQuery('outcome:lost after:25:00 room:', clock)).toEqual({
    filter: {},
    notUnderstood: ['outcome:lost', 'after:25:00', 'room:'],
  })
})

test('what only looks like a key is text', () => {
  expect(parseQuery('http://x :y', clock).filter).toEqual({text: 'http://x :y'})
  expect(parseQuery('  ', clock).filter).toEqual({})
})

test('a filter changes its own key and leaves the rest as typed', () => {
  expect(withKey('room:a ping outcome:rejected', 'lane', 's')).toBe('ping outcome:rejected lane:s')
  expect(withKey('room:a ping', 'lane', undefined)).toBe('ping')
  expect(withKey('outcome:handled', 'outcome', 'rejected')).toBe('outcome:rejected')
})
