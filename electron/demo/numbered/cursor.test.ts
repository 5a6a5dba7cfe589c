import {expect, test} from 'vitest'
import {compareCursors, readCursor} from './cursor.ts'
import {cursorVectors} from './testing/vectors.ts'

const {order, parse} = cursorVectors()
const numbered = order.filter(({a, b}) => [a, b].every((cursor) => typeof cursor.generation === 'number'))

test.each(numbered)('$n: $a and $b', ({a, b, expect: expected}) => {
  const sign = Math.sign(compareCursors(a, b))
  expect(sign).toBe({before: -1, equal: 0, after: 1}[expected])
  expect(Math.sign(compareCursors(b, a))).toBe(0 - sign)
})

test.each(parse)('$n: $json', ({json, valid}) => {
  const value = JSON.parse(json)
  // Generations that are text are real elsewhere, and none of this server's.
  const opaque = typeof value?.generation === 'string'
  expect(readCursor(value) !== undefined).toBe(valid && !opaque)
})
