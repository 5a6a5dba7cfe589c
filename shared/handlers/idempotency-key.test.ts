import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {CoordinateKey, Sequence} from '../position/position.ts'
import {idempotencyKey, type KeyParts} from './idempotency-key.ts'

const PARTS = {
  source: 's-1',
  epoch: '12',
  place: {lane: 'r:a/b' as CoordinateKey, sequence: 7 as Sequence},
  digest: 'abcd',
} satisfies KeyParts

test('it is made of source, epoch, coordinate and sequence, and of what the frame said', () => {
  expect(idempotencyKey(PARTS)).toBe('s-1/12/r%3Aa%2Fb/7/abcd')
  expect(idempotencyKey({...PARTS, place: {}})).toBe('s-1/12///abcd')
})

const text = fc.string({unit: 'binary', maxLength: 8})
const parts = fc.record({
  source: text,
  epoch: text,
  digest: text,
  place: fc.record({lane: text as fc.Arbitrary<CoordinateKey>, sequence: fc.nat() as fc.Arbitrary<Sequence>}),
})

test('a header can carry it, and whatever differs in one part differs in the whole', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      expect(idempotencyKey(one)).toMatch(/^[\x21-\x7e]*$/)
      const same = JSON.stringify(one) === JSON.stringify(other)
      expect(idempotencyKey(one) === idempotencyKey(other)).toBe(same)
    }),
  )
})
