import {expect, test} from 'vitest'
import {beatBody, beatUrl, bridgeUrl, openHeaders, openUrl} from './bridge-url.ts'
import type {OpenRequest} from './transport.ts'

const target = {url: 'https://bridge.example/switch/', agentId: 'release-bot', token: 'secret'}
const request: OpenRequest = {connectionId: '6f1c', from: 18}

test.each([
  'https://bridge.example/switch',
  'https://bridge.example/switch/',
  ' https://bridge.example/switch//// ',
  'https://dana:word@bridge.example/switch?x=1#y',
])('the base %s takes a path without a doubled slash', (base) => {
  expect(bridgeUrl(base, ['health'])).toMatchObject({ok: true, value: {href: 'https://bridge.example/switch/health'}})
})

test.each(['', 'bridge.example', 'ftp://bridge.example', 'javascript:alert(1)', 'http://'])(
  '%o is no base URL',
  (base) => {
    expect(bridgeUrl(base, ['health']).ok).toBe(false)
  },
)

test('an agent id cannot leave its place in the path', () => {
  const url = beatUrl({...target, agentId: '../a/b?c#d é'})
  expect(url).toMatchObject({
    value: {href: 'https://bridge.example/switch/agents/..%2Fa%2Fb%3Fc%23d%20%C3%A9/connection/beat'},
  })
})

test.each(['.', '..', '', '\ud800', 'a\udc00b'])(
  'the agent id %o is refused: it would lead elsewhere, or nowhere',
  (agentId) => {
    expect(beatUrl({...target, agentId})).toMatchObject({ok: false})
  },
)

test('an open says what a passive observer must, and nothing else', () => {
  const url = openUrl(target, request)
  expect(url.ok && url.value.href).toBe(
    'https://bridge.example/switch/agents/release-bot/events?connection_id=6f1c&scope=all&filter=all&start_from=18',
  )
})

test('an open names the incarnation it still holds, once one is known', () => {
  const url = openUrl(target, {...request, from: 'head', expectedGeneration: 7})
  expect(url.ok && url.value.search).toBe(
    '?connection_id=6f1c&scope=all&filter=all&start_from=head&expected_generation=7',
  )
})

test.each([
  [18, '18'],
  [0, '0'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
] as const)('a position of %d goes out as Last-Event-ID too', (from, header) => {
  expect(openHeaders({...request, from})).toMatchObject({accept: 'text/event-stream', 'last-event-id': header})
})

test('no position sends no Last-Event-ID', () => {
  expect(openHeaders({...request, from: 'head'})).not.toHaveProperty('last-event-id')
})

test('a beat says its generation only where it is known', () => {
  expect(beatBody({connectionId: '6f1c', cursor: 3})).toBe('{"connection_id":"6f1c","cursor":3}')
  expect(beatBody({connectionId: '6f1c', cursor: 3, generation: 7})).toBe(
    '{"connection_id":"6f1c","cursor":3,"generation":7}',
  )
})
