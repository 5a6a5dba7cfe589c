import {expect, test} from 'vitest'
import {parseExact} from './parse-exact.ts'

test('a number is shown as it was sent, beyond what a number can hold', () => {
  expect(parseExact('{"s":9007199254740993,"x":1e3,"y":-0}')).toEqual({
    kind: 'object',
    members: [
      ['s', {kind: 'leaf', type: 'number', text: '9007199254740993'}],
      ['x', {kind: 'leaf', type: 'number', text: '1e3'}],
      ['y', {kind: 'leaf', type: 'number', text: '-0'}],
    ],
  })
})

test('a member named __proto__ is a member like any other', () => {
  expect(parseExact('{"__proto__":1}')).toEqual({
    kind: 'object',
    members: [['__proto__', {kind: 'leaf', type: 'number', text: '1'}]],
  })
})

test('arrays, texts and literals keep their kind', () => {
  expect(parseExact('["1",null,true,[]]')).toEqual({
    kind: 'array',
    items: [
      {kind: 'leaf', type: 'string', text: '1'},
      {kind: 'leaf', type: 'literal', text: 'null'},
      {kind: 'leaf', type: 'literal', text: 'true'},
      {kind: 'array', items: []},
    ],
  })
})

test('what is no JSON is not shown as if it were', () => {
  expect(parseExact('{not json}')).toBeUndefined()
  expect(parseExact('')).toBeUndefined()
})
