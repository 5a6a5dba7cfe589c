import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {NumberedShape} from '../source/numbered.ts'
import {classifyNumbered, numberedSummary, refusalIn} from './numbered-message.ts'

const usual: NumberedShape = {over: 'socket', cursorAt: 'meta.cursor', typeAt: 'type'}

function read(value: unknown, shape: Partial<NumberedShape> = {}) {
  const message = classifyNumbered(JSON.stringify(value), {...usual, ...shape})
  return message.kind === 'malformed' ? message.problem : message
}

test('the cursor stands where the path says, at any depth, and nowhere else', () => {
  const cursor = {generation: 5, sequence: 12}
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'meta', '__proto__', 'constructor', 'x y'), {minLength: 1}), (path) => {
      const text = path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, JSON.stringify(cursor))
      const at = (cursorAt: string) => classifyNumbered(text, {...usual, cursorAt, typeAt: ''})
      expect(at(path.join('.'))).toMatchObject({kind: 'numbered', cursor})
      expect(at(`${path.join('.')}.deeper`).kind).toBe('control')
      expect(at('elsewhere').kind).toBe('control')
    }),
  )
})

test.each([
  ['a cursor', {meta: {cursor: {generation: 5, sequence: 0}}, type: 'e'}, {kind: 'numbered', event: 'e', known: true}],
  [
    'no readable type',
    {meta: {cursor: {generation: 5, sequence: 0}}, type: 7},
    {kind: 'numbered', event: '', known: false},
  ],
  ['no cursor', {meta: {}, type: 'ping'}, {kind: 'control', event: 'ping'}],
  ['no place for one', {type: 'ping'}, {kind: 'control', event: 'ping'}],
  ['null', {meta: {cursor: null}}, {kind: 'badCursor', at: 'meta.cursor'}],
  ['half of one', {meta: {cursor: {generation: 5}}}, {kind: 'badCursor'}],
  ['a sequence as text', {meta: {cursor: {generation: 5, sequence: '12'}}}, {kind: 'badCursor'}],
  ['a number', {meta: {cursor: 12}}, {kind: 'badCursor'}],
])('%s', (_, value, expected) => {
  expect(read(value)).toMatchObject(expected)
})

test('where the message itself has generation and sequence, one of them alone is no cursor, and none is an absent one', () => {
  const own = {cursorAt: ''}
  expect(read({generation: 5, sequence: 1}, own)).toMatchObject({
    kind: 'numbered',
    cursor: {generation: 5, sequence: 1},
  })
  expect(read({sequence: 1}, own)).toEqual({kind: 'badCursor', at: ''})
  expect(read({type: 'ping'}, own)).toMatchObject({kind: 'control'})
})

test('where the id of an event has the cursor, nothing in its data counts, and an absent or empty id is none', () => {
  const shape = {...usual, over: 'sse', cursorAt: {id: 'G:S'}} as const
  const text = JSON.stringify({type: 'rise', meta: {cursor: {generation: 9, sequence: 9}}})
  const cursor = {generation: 5, sequence: 12}
  expect(classifyNumbered(text, shape, '5:12')).toMatchObject({kind: 'numbered', cursor, event: 'rise'})
  expect(classifyNumbered(text, shape)).toMatchObject({kind: 'control'})
  expect(classifyNumbered(text, shape, '')).toMatchObject({kind: 'control'})
  expect(classifyNumbered(text, shape, '5-12')).toEqual({
    kind: 'malformed',
    problem: {kind: 'badCursorId', form: 'G:S', id: '5-12'},
  })
  expect(classifyNumbered(text, usual, '5:12')).toMatchObject({cursor: {generation: 9, sequence: 9}})
})

test('messages of a stream without types are all known', () => {
  expect(read({meta: {cursor: {generation: 1, sequence: 1}}}, {typeAt: ''})).toMatchObject({known: true, event: ''})
})

test('no text breaks it, and what is no object is a finding', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const {kind} = classifyNumbered(text, usual)
      expect(['numbered', 'control', 'malformed']).toContain(kind)
    }),
  )
  expect(read([1])).toEqual({kind: 'notAnObject'})
  expect(classifyNumbered('{"meta"', usual)).toMatchObject({kind: 'malformed', problem: {kind: 'notJson'}})
  expect(classifyNumbered(`${'['.repeat(100_000)}`, usual).kind).toBe('malformed')
})

test('a refusal is known by its code, at the top or as an error', () => {
  expect(refusalIn({type: 'error', code: 'future_cursor', message: 'ahead'})).toEqual({
    code: 'future_cursor',
    message: 'ahead',
  })
  expect(refusalIn({error: {code: 'bad_cursor'}})).toEqual({code: 'bad_cursor', message: 'bad_cursor'})
  expect(refusalIn({code: 'busy'})).toBeUndefined()
  expect(refusalIn({code: 'bad_cursor', message: 'M'.repeat(1_000_000)})?.message).toHaveLength(200)
})

test('a list shows what was said, and else the type', () => {
  expect(numberedSummary({event: 'event', data: {event: {kind: 'note', text: 'high\nwater'}}})).toBe('high water')
  expect(numberedSummary({event: 'tick', data: {at: 1}})).toBe('tick')
})
