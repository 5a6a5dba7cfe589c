import {expect, test} from 'vitest'
import {cutText, joined, jsonIn, placeInText} from './cut-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('the text is the same wherever it was cut, and each cut is told', () => {
  const text = 'event: message\ndata: {"body":"größer ✓"}'
  const whole = bytes(text)
  for (let cut = 1; cut < whole.length; cut++) {
    const pieces = cutText(whole, [cut], 1_000)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(pieces.map((piece) => piece.cutAfter)).toEqual([true, false])
  }
})

test('what has no look gets one, and a byte order mark is not swallowed', () => {
  expect(cutText(bytes('\ufeffid: 7\u0000\r\nx'), [], 100)[0]?.text).toBe('\ufeffid: 7␀␍\nx')
})

test('cuts behind the limit are not shown, nor is what lies there', () => {
  expect(cutText(bytes('abcdef'), [2, 5], 4)).toEqual([
    {text: 'ab', cutAfter: true},
    {text: 'cd', cutAfter: false},
  ])
})

test('data lines are joined as the standard says, and a line of JSON is itself', () => {
  expect(jsonIn(bytes('event: x\r\ndata: {"a":\r\ndata:1}'))).toBe('{"a":\n1}')
  expect(jsonIn(bytes('{"text":"data: x"}\r'))).toBe('{"text":"data: x"}\r')
})

test('bytes that were fetched in pieces are one text, wherever they were cut', () => {
  const whole = bytes('größer ✓')
  for (let cut = 0; cut <= whole.length; cut++) {
    const pieces = [whole.subarray(0, cut), whole.subarray(cut)].map((piece) => btoa(String.fromCharCode(...piece)))
    expect(new TextDecoder().decode(joined(pieces))).toBe('größer ✓')
  }
})

test('a place in the JSON of a frame is found in its text', () => {
  const of = (text: string, position: number) => text.slice(placeInText(bytes(text), position))
  expect(of('id: 7\r\ndata: {"a": x}\r\n\r\n', 6)).toBe('x}\r\n\r\n')
  expect(of('data:{"größe":\nevent: y\ndata: ?1}', 10)).toBe('?1}')
  expect(of('\ufeff{"a" 1}', 5)).toBe('1}')
  expect(of('data: {"a', 3)).toBe('') // it ends too early
  expect(placeInText(bytes('data: {"a'), 4)).toBeUndefined()
  expect(placeInText(bytes('{"a'), 4)).toBeUndefined()
})

test('in whatever lines its data comes, each character of it is found', () => {
  const data = '{"body":"größer",\n"n":1}'
  const text = data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('id: 3\n')
  for (const [at, character] of [...data].entries())
    if (character !== '\n') expect(text[placeInText(bytes(text), at) ?? -1]).toBe(character)
})
