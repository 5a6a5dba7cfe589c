import {expect, test} from 'vitest'
import {explainNumbering, sayNumbering, shortNumbering} from './explain-numbering.ts'

const between = {held: {generation: 10, sequence: 7}, offered: {generation: 1, sequence: 0}}
const taken = {decision: 'taken', ...between} as const
const kept = {decision: 'kept', ...between} as const

test('what was taken goes from one cursor back to the other, and names what stays unseen', () => {
  expect(sayNumbering(taken)).toBe('the new numbering was taken: the cursor went from {10, 7} back to {1, 0}')
  expect(explainNumbering(taken, 'At 14:03')).toBe(
    'At 14:03 the new numbering was taken here, on your word: from {10,\u00a07} to {1,\u00a00}. What the lost store held after {10,\u00a07} stays unseen.',
  )
  expect(shortNumbering(taken)).toBe('{10, 7} → {1, 0}')
})

test('what was kept moves nothing, and says which message was refused', () => {
  expect(sayNumbering(kept)).toBe('the old numbering was kept: the cursor stays at {10, 7}, and {1, 0} is stale')
  expect(explainNumbering(kept, 'At 14:03')).toBe(
    'At 14:03 you kept the old numbering here, at {10,\u00a07}: this message, {1,\u00a00}, was called stale, and the server was asked again.',
  )
  expect(shortNumbering(kept)).toBe('kept {10, 7}')
})
