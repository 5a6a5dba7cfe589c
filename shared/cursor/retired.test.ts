import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Generation} from './cursor.ts'
import {isRetired, noneRetired, retireAll, retiredBeyond, retiredGenerations, without} from './retired.ts'

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), {maxLength: 6}) as fc.Arbitrary<Generation[]>

test('what one has beyond another is the same, whether it grew from it or not', () => {
  fc.assert(
    fc.property(names, names, names, (begun, more, others) => {
      const root = retireAll(noneRetired(), begun)
      const grown = retireAll(root, more)
      const branch = retireAll(root, others)
      const alone = retireAll(noneRetired(), retiredGenerations(grown))
      for (const [one, other] of [
        [grown, root],
        [root, grown],
        [grown, branch],
        [branch, alone],
        [without(grown, 'a' as Generation), root],
      ] as const)
        expect(retiredBeyond(one, other)).toEqual(retiredGenerations(one).filter((name) => !isRetired(other, name)))
    }),
  )
})
