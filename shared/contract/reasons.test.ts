import {describe, expect, test} from 'vitest'
import {changeBatch, connectionTest, frameDetail} from './contract.ts'
import {ending, frameProblem, refusal} from './reasons.ts'
import {connectionRow} from './rows.ts'

describe.each([
  ['an ending', ending],
  ['a refusal', refusal],
  ['a problem of a frame', frameProblem],
])('%s', (_name, schema) => {
  test.each([{kind: 'newerThanThisScreen'}, {kind: '__proto__'}, {kind: 'constructor'}, {}, [], null])(
    'of a kind that has no words here does not come in: %j',
    (value) => {
      expect(schema.safeParse(value).success).toBe(false)
    },
  )
})

test('a kind without its parts does not come in', () => {
  expect(ending.safeParse({kind: 'refused'}).success).toBe(false)
  expect(ending.safeParse({kind: 'refused', refusal: {kind: 'unheardOf', detail: ''}}).success).toBe(false)
  expect(refusal.safeParse({kind: 'credentials', status: 500, detail: ''}).success).toBe(false)
})

test('what comes in is what was sent', () => {
  const because = {kind: 'beatRefused', refusal: {kind: 'protocolMismatch', detail: 'no', remedy: 'update'}} as const
  const row = {source: 'a', at: 0, state: 'stopped', heartbeat: 'none', because} as const
  expect(connectionRow.parse(row)).toEqual(row)
  const batch = changeBatch.safeParse({connections: [{...row, because: {kind: 'unheardOf'}}]})
  expect(batch.success).toBe(false)
  expect(connectionTest.safeParse({kind: 'refused', refusal: {}}).success).toBe(false)
  expect(frameDetail.shape.problem.safeParse({kind: 'tooLong', capBytes: 1}).success).toBe(true)
})
