import {expect, test} from 'vitest'
import {parseChunks, parsePrimeStart, parseReplayCallback, parseStart} from './replay-options.ts'

test.each([
  ['{"s":18,"r:room-a":43}', {s: 18, 'r:room-a': 43}],
  ['{}', {}],
  [' {"s": 0} ', {s: 0}],
])('the start %s is a position', (text, position) => {
  const parsed = parseStart(text)
  expect(parsed.ok && Object.fromEntries(parsed.value)).toEqual(position)
})

test.each(['', 'x', '18', '[]', 'null', '{"s":-1}', '{"s":"1"}', '{"s":1.5}', '{"s":9007199254740992}'])(
  'the start %j is refused',
  (text) => expect(parseStart(text).ok).toBe(false),
)

test('chunks are sizes above 0', () => {
  expect(parseChunks('1,2,7,3,11')).toEqual({ok: true, value: [1, 2, 7, 3, 11]})
  expect(parseChunks('4096')).toEqual({ok: true, value: [4096]})
  for (const bad of ['', ',', '1,', '0', '1,0', '-1', '1.5', 'x', '1 2', '1e3', '99999999999999999999'])
    expect(parseChunks(bad).ok).toBe(false)
})

test('a callback is ok, reject or reject-once', () => {
  expect(['ok', 'reject', 'reject-once', 'Reject', ''].map((text) => parseReplayCallback(text).ok)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('a start of a Prime stream is a cursor for each session, all of them valid', () => {
  const parsed = parsePrimeStart('{"s1":{"generation":"g","sequence":59},"__proto__":{"generation":5,"sequence":0}}')
  expect(parsed.ok && [...parsed.value].map(([id, {held}]) => [id, held])).toEqual([
    ['s1', {generation: 'g', sequence: 59}],
    ['__proto__', {generation: 5, sequence: 0}],
  ])
  expect(parsePrimeStart('{}').ok).toBe(true)
  for (const bad of [
    '',
    'x',
    '[]',
    'null',
    '{"s":18}',
    '{"s1":{"generation":"g"}}',
    '{"s1":{"generation":"","sequence":1}}',
  ])
    expect(parsePrimeStart(bad).ok).toBe(false)
})
