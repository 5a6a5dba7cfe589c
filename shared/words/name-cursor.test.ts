import {expect, test} from 'vitest'
import {parseCursor} from '../cursor/cursor.ts'
import {nameLane, shortCursor, shortGeneration, shortLane, wholeCursor} from './name-cursor.ts'

const opaque = parseCursor({generation: '0762effa9b4d', sequence: 58})
const numbered = parseCursor({generation: 1234567890123, sequence: 0})

test('a long name is cut and says so; the whole one is kept beside it', () => {
  expect(opaque && [shortCursor(opaque), wholeCursor(opaque)]).toEqual([
    'gen 0762… · 58',
    'generation 0762effa9b4d, sequence 58',
  ])
})

test('a number is never cut: it would be another number', () => {
  expect(numbered && shortCursor(numbered)).toBe('gen 1234567890123 · 0')
})

test('a cut never makes a name longer', () => {
  const named = (name: string) => parseCursor({generation: name, sequence: 1})?.generation
  for (const name of ['a', '1234', '12345', '123456']) {
    const generation = named(name)
    expect(generation && shortGeneration(generation).length).toBeLessThanOrEqual(name.length)
  }
})

test('a room keeps its coordinate, a generation loses the mark of its family', () => {
  expect(['s', 'r:room-a', 'sequence', 'g:0762effa9b4d'].map(shortLane)).toEqual([
    ...['s', 'r:room-a', 'sequence', '0762…'],
  ])
  expect(nameLane('g:0762effa9b4d')).toBe('0762effa9b4d')
})
