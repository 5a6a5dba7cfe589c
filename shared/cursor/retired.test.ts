import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Generation} from './cursor.ts'
import {
  isRetired,
  noneRetired,
  type Retired,
  retire,
  retireAll,
  retiredBeyond,
  retiredGenerations,
  without,
} from './retired.ts'

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

test('whatever grew from whichever value, each has what it left, in its order', () => {
  const growth = fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'b', 'c', 1, 2, 3)), {maxLength: 20})
  fc.assert(
    fc.property(growth, (steps) => {
      const values: {readonly retired: Retired; readonly left: readonly Generation[]}[] = [
        {retired: noneRetired(), left: []},
      ]
      for (const [from, name] of steps as [number, Generation][]) {
        const {retired, left} = values[from % values.length] ?? {retired: noneRetired(), left: []}
        values.push({retired: retire(retired, name), left: left.includes(name) ? left : [...left, name]})
      }
      for (const {retired, left} of values) {
        expect(retiredGenerations(retired)).toEqual(left)
        expect(retired.highest).toBe(Math.max(-1, ...left.filter((one) => typeof one === 'number')))
        for (const name of ['a', 'b', 'c', 1, 2, 3] as Generation[])
          expect(isRetired(retired, name)).toBe(left.includes(name))
      }
    }),
  )
})

test('what is judged twice from one value is copied for neither', () => {
  const root = retireAll(noneRetired(), ['a', 'b'] as Generation[])
  const [once, twice] = [retire(root, 'c' as Generation), retire(root, 'c' as Generation)]
  expect(twice.places).toBe(once.places)
  expect(retiredGenerations(twice)).toEqual(['a', 'b', 'c'])
  expect(retiredGenerations(root)).toEqual(['a', 'b'])
})
