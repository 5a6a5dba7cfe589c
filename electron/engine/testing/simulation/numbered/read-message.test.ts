import {expect, test} from 'vitest'
import {idOfBlock, readMessage, textOfBlock} from './read-message.ts'

const USUAL = {cursorAt: 'cursor', typeAt: 'type'}
const at = {generation: 5, sequence: 0}

test.each([
  ['a message', {type: 'event', cursor: at}, USUAL, {kind: 'numbered', at, event: 'event', isKnown: true}],
  ['one of no type', {cursor: at}, USUAL, {kind: 'numbered', at, event: '', isKnown: false}],
  ['where none has a type', {cursor: at}, {...USUAL, typeAt: ''}, {kind: 'numbered', at, event: '', isKnown: true}],
  [
    'one with its cursor further inside',
    {meta: {at}, event: {kind: 'note'}},
    {cursorAt: 'meta.at', typeAt: 'event.kind'},
    {kind: 'numbered', at, event: 'note', isKnown: true},
  ],
  [
    'one that is its own cursor',
    {...at, type: 'x'},
    {...USUAL, cursorAt: ''},
    {kind: 'numbered', at, event: 'x', isKnown: true},
  ],
  ['half a cursor of its own', {generation: 5}, {...USUAL, cursorAt: ''}, {kind: 'malformed'}],
  ['a refusal', {type: 'error', code: 'future_cursor'}, USUAL, {kind: 'control', code: 'future_cursor'}],
  ['a cursor that is none', {cursor: {generation: 5, sequence: '1'}}, USUAL, {kind: 'malformed'}],
  ['a fraction', {cursor: {generation: 5, sequence: 0.5}}, USUAL, {kind: 'malformed'}],
  ['no object', [1], USUAL, {kind: 'malformed'}],
])('%s', (_, message, shape, expected) => {
  expect(readMessage(JSON.stringify(message), shape)).toEqual(expected)
})

const BY_ID = {...USUAL, idBetween: '-'}

test.each([
  ['5-0', {kind: 'numbered', at, event: 'event', isKnown: true}],
  ['05-0', {kind: 'malformed'}],
  ['5:0', {kind: 'malformed'}],
  ['5-0-1', {kind: 'malformed'}],
  ['9007199254740992-0', {kind: 'malformed'}],
  [undefined, {kind: 'control', code: undefined}],
])('where the id %s has the cursor, the message has none', (id, expected) => {
  expect(readMessage(JSON.stringify({type: 'event', cursor: {generation: 9, sequence: 9}}), BY_ID, id)).toEqual(
    expected,
  )
})

test('the id of an event is its own last one', () => {
  expect(idOfBlock('id: 5-1\nevent: event\nid: 5-2\ndata: {}')).toBe('5-2')
  expect(idOfBlock('data: {}')).toBeUndefined()
})

test('text that is no JSON is malformed', () => {
  expect(readMessage('{"type":"event","cur', USUAL)).toEqual({kind: 'malformed'})
})

test('a line is its own text; an event’s is its data', () => {
  expect(textOfBlock('{"a":1}', 'socket')).toBe('{"a":1}')
  expect(textOfBlock('id: 7\nevent: event\ndata: {"a":\ndata: 1}', 'sse')).toBe('{"a":\n1}')
})
