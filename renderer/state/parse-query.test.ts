import {expect, test} from 'vitest'
import {listedOutcome} from '../../shared/contract/listed-outcome.ts'
import {searchWord} from '../../shared/words/name-listed.ts'
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
      texts: ['ping pong'],
    },
    notUnderstood: [],
    takenAsText: [],
  })
})

test('a room id may have colons', () => {
  expect(parseQuery('room:!x:server', clock).filter.lane).toBe('r:!x:server')
  expect(parseQuery('lane:s', clock).filter.lane).toBe('s')
})

test('a key with a value that means nothing is told, never guessed', () => {
  expect(parseQuery('outcome:lost after:25:00 room:', clock)).toEqual({
    filter: {},
    takenAsText: [],
    notUnderstood: ['outcome:lost', 'after:25:00', 'room:'],
  })
})

test('what only looks like a key is text', () => {
  expect(parseQuery('http://x :y', clock).filter).toEqual({texts: ['http://x :y']})
  expect(parseQuery('  ', clock).filter).toEqual({})
})

test('a quoted phrase is found as it stands, and is never a key', () => {
  expect(parseQuery('"are you back?" ping "room:a"', clock).filter).toEqual({
    texts: ['ping', 'are you back?', 'room:a'],
  })
  expect(parseQuery('“are you back?”', clock).filter).toEqual({texts: ['are you back?']})
  expect(parseQuery('"still being typed', clock).filter).toEqual({texts: ['still being typed']})
  expect(parseQuery('"" " "', clock).filter).toEqual({})
})

test('a value with spaces is quoted', () => {
  expect(parseQuery('room:"the front desk" ping', clock).filter).toEqual({lane: 'r:the front desk', texts: ['ping']})
  expect(withKey('"a b" ping', 'lane', 'r:the front desk')).toBe('"a b" ping lane:"r:the front desk"')
  expect(withKey('lane:"r:the front desk" ping', 'lane', undefined)).toBe('ping')
})

test('a key that is none is searched as text, and said to be', () => {
  expect(parseQuery('agent:dana ping 16:00 http://x', clock)).toEqual({
    filter: {texts: ['agent:dana ping 16:00 http://x']},
    notUnderstood: [],
    takenAsText: ['agent:dana'],
  })
})

test('every word that a row may have for its outcome can be searched', () => {
  for (const listed of listedOutcome.options)
    expect(parseQuery(`outcome:${searchWord(listed)}`, clock).filter).toEqual({outcomes: [listed]})
  expect(parseQuery('outcome:Nothing-New,replaced', clock).filter).toEqual({outcomes: ['nothingNew', 'replaced']})
})

test('a filter changes its own key and leaves the rest as typed', () => {
  expect(withKey('room:a ping outcome:rejected', 'lane', 's')).toBe('ping outcome:rejected lane:s')
  expect(withKey('room:a ping', 'lane', undefined)).toBe('ping')
  expect(withKey('outcome:handled', 'outcome', 'rejected')).toBe('outcome:rejected')
})
