import {expect, test} from 'vitest'
import {isReadAlike, isSameDoor, isSameStream} from './same-stream.ts'
import type {SourceSettings} from './source.ts'

const bridge = {
  kind: 'switch',
  url: 'https://bridge.example.org/a',
  agentId: 'bot',
  watchAs: 'own',
  startFrom: 'head',
} as const
const session = {kind: 'prime', socket: '/a.sock', sessionId: 's', sessionFile: '/s.jsonl'} as const
const events = {
  kind: 'numbered',
  from: {over: 'sse', url: 'https://feed.example.org/events', query: '', lastEventId: ''},
  cursorAt: 'cursor',
  typeAt: 'type',
  future: 'fail',
} as const
const file = {...events, from: {over: 'file', path: '/feed.jsonl'}} as const

test.each<readonly [SourceSettings, SourceSettings, boolean]>([
  [bridge, {...bridge, url: 'https://moved.example.org', watchAs: 'agent', startFrom: 'retained'}, true],
  [bridge, {...bridge, agentId: 'another'}, false],
  [session, {...session, socket: '/b.sock'}, true],
  [session, {kind: 'prime', socket: '/b.sock', sessionFile: '/s.jsonl'}, true],
  [session, {...session, sessionId: 't'}, false],
  [events, {...events, cursorAt: {id: 'G:S'}, typeAt: '', future: 'wait'}, true],
  [events, {...events, from: {...events.from, query: 'a={cursor}', lastEventId: '{cursor}'}}, true],
  [events, {...events, from: {...events.from, url: 'https://feed.example.org/other'}}, false],
  [events, file, false],
  [file, {...file, from: {over: 'file', path: '/other.jsonl'}}, false],
  [bridge, session, false],
  [{kind: 'demo', scenario: 'tour'}, {kind: 'demo', scenario: 'tour'}, false],
])('%j and %j: the same stream is %s', (before, after, is) => {
  expect(isSameStream(before, after)).toBe(is)
})

test('what waits is read alike where its cursor and its type stand where they stood', () => {
  expect(isReadAlike(events, {...events, future: 'wait', from: {...events.from, query: 'x'}})).toBe(true)
  expect(isReadAlike(events, {...events, cursorAt: {id: 'G:S'}})).toBe(false)
  expect(isReadAlike(events, {...events, typeAt: ''})).toBe(false)
  expect(isReadAlike(bridge, {...bridge, url: 'https://moved.example.org'})).toBe(true)
})

test.each([
  ['https://bridge.example.org/b', true],
  ['HTTPS://Bridge.Example.org', true],
  ['http://bridge.example.org/a', false],
  ['https://bridge.example.org:8443/a', false],
  ['https://bridge.example.org.evil.example', false],
])('%s is the door that the token is for: %s', (url, is) => {
  expect(isSameDoor(bridge, {...bridge, url})).toBe(is)
})
