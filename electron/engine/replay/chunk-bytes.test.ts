import fc from 'fast-check'
import {expect, test} from 'vitest'
import {chunkBytes, createChunker} from './chunk-bytes.ts'

const lengths = (pieces: readonly Uint8Array[]): number[] => pieces.map(({length}) => length)

test('the sizes repeat, and the last piece is what is left', () => {
  expect(lengths(chunkBytes(new Uint8Array(30), [1, 2, 7, 3, 11]))).toEqual([1, 2, 7, 3, 11, 1, 2, 3])
  expect(chunkBytes(new Uint8Array(0), [4])).toEqual([])
})

test('the pieces are the same however the body came', () => {
  const sizes = fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 4})
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 60}), sizes, sizes, (body, cut, came) => {
      const chunker = createChunker(cut)
      const pieces = [...chunkBytes(body, came).flatMap((part) => chunker.feed(part)), ...chunker.end()]
      expect(pieces.map((one) => [...one])).toEqual(chunkBytes(body, cut).map((one) => [...one]))
    }),
  )
})
