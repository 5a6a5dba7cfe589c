import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {isJsonObject, parseJson} from '../base/json.ts'
import {type Answer, readRefusal} from './read-refusal.ts'
import type {Refusal} from './refusal.ts'

/** Bodies as the real bridge (first revision) sent them. */
const captured = parseJson(readFileSync(new URL('../../fixtures/switch/errors.json', import.meta.url), 'utf8'))

function capturedAnswer(name: string): Answer {
  const entry = isJsonObject(captured) ? captured[name] : undefined
  if (!isJsonObject(entry)) throw new Error(`no capture named ${name}`)
  const body = typeof entry['body'] === 'string' ? entry['body'] : JSON.stringify(entry['body'])
  const contentType = entry['content_type']
  return {status: Number(entry['status']), body, ...(typeof contentType === 'string' ? {contentType} : {})}
}

const kinds: ReadonlyArray<[capture: string, kind: Refusal['kind']]> = [
  ['401 no token', 'credentials'],
  ['401 unknown token', 'credentials'],
  ['401 registration token', 'credentials'],
  ['400 no connection_id', 'badRequest'],
  ['400 bad scope', 'badRequest'],
  ['400 bad filter', 'badRequest'],
  ['400 bad start_from', 'badRequest'],
  ['400 bad last-event-id', 'badRequest'],
  ['422 bad protocol', 'invalidParameter'],
  ['409 protocol too new', 'protocolMismatch'],
  ['409 protocol alone too new', 'protocolMismatch'],
  ['403 not a member', 'credentials'],
  ['403 no such room', 'credentials'],
  ['409 id of another agent', 'foreignConnectionId'],
  ['409 cap', 'connectionCap'],
  ['beat unknown', 'notFound'],
  ['beat missing id', 'invalidParameter'],
  ['beat not json', 'invalidParameter'],
  ['beat after the socket closed', 'conflict'],
  ['subscribe unknown', 'notFound'],
  ['subscribe occupied', 'conflict'],
  ['subscribe not member', 'credentials'],
  ['subscribe no room', 'notFound'],
]

test.each(kinds)('the captured "%s" is read as %s', (capture, kind) => {
  expect(readRefusal(capturedAnswer(capture)).kind).toBe(kind)
})

test('every captured refusal has a row above', () => {
  const refusals = Object.entries(isJsonObject(captured) ? captured : {}).filter(
    ([, entry]) => isJsonObject(entry) && Number(entry['status']) >= 400,
  )
  expect(refusals.map(([name]) => name).sort()).toEqual(kinds.map(([name]) => name).sort())
})

const readings: ReadonlyArray<[behaviour: string, answer: Answer, expected: Refusal]> = [
  [
    'plain text is the detail',
    capturedAnswer('401 unknown token'),
    {kind: 'credentials', status: 401, detail: 'Invalid credentials'},
  ],
  [
    'a string detail is the detail',
    capturedAnswer('401 registration token'),
    {kind: 'credentials', status: 401, detail: 'Not authenticated'},
  ],
  [
    'an array detail names each place',
    capturedAnswer('422 bad protocol'),
    {
      kind: 'invalidParameter',
      detail: 'query.protocol: Input should be a valid integer, unable to parse string as an integer',
    },
  ],
  [
    'a protocol mismatch keeps its remedy',
    capturedAnswer('409 protocol alone too new'),
    {
      kind: 'protocolMismatch',
      detail:
        'this client speaks agent-protocol 2-2 and the server speaks 1-1; the ranges do not overlap, so update switch-core',
      remedy: 'update switch-core',
    },
  ],
  [
    'a coded 409 says that another stream holds the connection',
    {status: 409, body: '{"detail":{"code":"taken_over","message":"another stream attached"}}'},
    {kind: 'takenOver', detail: 'another stream attached'},
  ],
  [
    'a 409 with a code we do not know can be retried',
    {status: 409, body: '{"detail":{"code":"no_stream","message":"connection c is not open"}}'},
    {kind: 'conflict', detail: 'connection c is not open'},
  ],
  [
    'a 410 says that this transport is gone',
    {status: 410, body: '{"detail":{"code":"transport_removed","message":"use the WebSocket"}}'},
    {kind: 'transportRemoved', detail: 'use the WebSocket'},
  ],
  [
    'a code alone is the detail',
    {status: 410, body: '{"detail":{"code":"gone"}}'},
    {kind: 'transportRemoved', detail: 'gone'},
  ],
  ['an empty body has an empty detail', {status: 404, body: ''}, {kind: 'notFound', detail: ''}],
  [
    'JSON null as the detail is shown as such',
    {status: 400, body: '{"detail":null}'},
    {kind: 'badRequest', detail: 'null'},
  ],
  ['an array as the body is shown as it is', {status: 409, body: '[1]'}, {kind: 'conflict', detail: '[1]'}],
  [
    'an object without a detail is read itself',
    {status: 503, body: '{"message":"warming up"}'},
    {kind: 'unavailable', status: 503, detail: 'warming up'},
  ],
  [
    'of a page only its title is kept',
    {
      status: 502,
      contentType: 'text/html',
      body: '<html><head><title>Bad\n gateway</title></head><body>…</body></html>',
    },
    {kind: 'unavailable', status: 502, detail: 'an HTML page: Bad gateway'},
  ],
  [
    'a page without a title is called a page',
    {status: 404, body: '<!doctype html>'},
    {kind: 'notFound', detail: 'an HTML page'},
  ],
  [
    'too many requests can be retried',
    {status: 429, body: 'slow down'},
    {kind: 'unavailable', status: 429, detail: 'slow down'},
  ],
  [
    'a redirect says where it leads',
    {status: 307, location: 'https://login.example/', body: ''},
    {kind: 'unexpected', status: 307, detail: 'redirects to https://login.example/'},
  ],
  ['any other status is named', {status: 418, body: 'a teapot'}, {kind: 'unexpected', status: 418, detail: 'a teapot'}],
  [
    'control characters do not get through',
    {status: 500, body: 'down\u001b[2J\r\nnow\u0000'},
    {kind: 'unavailable', status: 500, detail: 'down [2J now'},
  ],
]

test.each(readings)('%s', (_behaviour, answer, expected) => {
  expect(readRefusal(answer)).toEqual(expected)
})

test('a long text is cut', () => {
  const refusal = readRefusal({status: 500, body: 'x'.repeat(100_000)})
  expect(refusal).toMatchObject({kind: 'unavailable'})
  expect(refusal.detail).toHaveLength(500)
})

/** As much as is read of a body, or nearly: too deep for a walk that calls itself. */
const nested = '['.repeat(8_000) + ']'.repeat(8_000)

test.each([
  ['a name that no text can be made of', '{"detail":[{"loc":[{"toString":1}],"msg":"odd"}]}', '{"toString":1}: odd'],
  ['a place nested without end', `{"detail":[{"loc":[${nested}],"msg":"odd"}]}`, '…: odd'],
  ['a finding nested without end', `{"detail":[${nested}]}`, '…'],
  ['a detail nested without end', `{"detail":{"x":${nested}}}`, '…'],
  ['a bare detail nested without end', `{"detail":{"detail":${nested}}}`, '…'],
])('%s is a refusal like any other', (_what, body, detail) => {
  expect(readRefusal({status: 422, body})).toEqual({kind: 'invalidParameter', detail})
})
