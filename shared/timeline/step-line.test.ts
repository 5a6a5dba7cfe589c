import fc from 'fast-check'
import {expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import {drawSteps, type StepLine, stepsInOrder, type ValueScale, valueAt, valuesIn, yOfValue} from './step-line.ts'
import {px, type TimeScale} from './time-scale.ts'

const TIME: TimeScale = {from: epochMs(0), to: epochMs(1_000), left: px(0), right: px(1_000)}
const ALL = {from: 0, to: 1_000}
const VALUES: ValueScale = {least: 0, most: 20, top: 10, bottom: 50}

function line(
  start: number | undefined,
  ...steps: ReadonlyArray<readonly [at: number, value: number | undefined]>
): StepLine {
  return {start, steps: steps.map(([at, value]) => ({at, value}))}
}

test('a value is flat until its step, and straight up at it', () => {
  expect(drawSteps(line(0, [400, 10]), TIME, VALUES, ALL)).toEqual([
    [
      [0, 50],
      [400, 50],
      [400, 30],
      [1_000, 30],
    ],
  ])
})

test('a step back is drawn as a step down', () => {
  const [piece] = drawSteps(line(18, [500, 2]), TIME, VALUES, ALL)
  const [before, after] = [piece?.[1]?.[1] ?? 0, piece?.[2]?.[1] ?? 0]
  expect(after).toBeGreaterThan(before) // y grows downward
})

test('a removed coordinate ends its line, and one that comes back begins another', () => {
  const pieces = drawSteps(line(9, [300, undefined], [600, 4]), TIME, VALUES, ALL)
  expect(pieces.map((piece) => [piece[0]?.[0], piece.at(-1)?.[0]])).toEqual([
    [0, 300],
    [600, 1_000],
  ])
})

test('a coordinate not held yet begins at its first step', () => {
  expect(drawSteps(line(undefined, [250, 5]), TIME, VALUES, ALL)[0]?.[0]).toEqual([250, 40])
})

test('only the asked interval is drawn, from the value held there', () => {
  const pieces = drawSteps(line(0, [100, 10], [900, 20]), TIME, VALUES, {from: 200, to: 800})
  expect(pieces).toEqual([
    [
      [200, 30],
      [800, 30],
    ],
  ])
})

test('a step counts from its own instant on', () => {
  const steps = line(1, [100, 2], [200, undefined])
  expect([0, 99, 100, 199, 200].map((at) => valueAt(steps, at))).toEqual([1, 1, 2, 2, undefined])
})

test('the values in view include the one held where the view begins', () => {
  expect(valuesIn(line(1, [100, 18], [300, 2], [900, 40]), {from: 200, to: 500})).toEqual([2, 18])
  expect(valuesIn(line(undefined), ALL)).toBeUndefined()
})

test('a line that never moves lies in the middle', () => {
  expect(yOfValue({least: 7, most: 7, top: 10, bottom: 50}, 7)).toBe(30)
})

const manySteps = fc
  .array(fc.tuple(fc.integer({min: 0, max: 1_000}), fc.option(fc.integer({min: 0, max: 20}), {nil: undefined})), {
    maxLength: 300,
  })
  .map((steps) => line(5, ...steps.sort(([a], [b]) => a - b)))

test('however many steps: the points are bounded by the columns, go forward in time and stay in the lane', () => {
  const narrow: TimeScale = {...TIME, right: px(20)}
  fc.assert(
    fc.property(manySteps, (steps) => {
      const pieces = drawSteps(steps, narrow, VALUES, ALL)
      expect(pieces.flat().length).toBeLessThanOrEqual(21 * 5 + 2)
      for (const piece of pieces) {
        for (const [i, [x, y]] of piece.entries()) {
          expect(x).toBeGreaterThanOrEqual(piece[i - 1]?.[0] ?? 0)
          expect(y >= 10 && y <= 50 && x <= 20).toBe(true)
        }
      }
    }),
  )
})

test('a step back inside one column of pixels is still seen', () => {
  const narrow: TimeScale = {...TIME, right: px(10)}
  const ys = drawSteps(line(18, [510, 2], [520, 18]), narrow, VALUES, ALL)
    .flat()
    .map(([, y]) => y)
  expect(Math.max(...ys)).toBe(yOfValue(VALUES, 2))
})

test('where the clock was set back, what is in force is the latest move and not the latest instant', () => {
  const steps = stepsInOrder([
    {at: 600, value: 5, frame: 1},
    {at: 1_000, value: 6, frame: 2},
    {at: 400, value: 7, frame: 3},
    {at: 450, value: 8, frame: 4},
  ])
  expect(steps.map(({at, value}) => [at, value])).toEqual([
    [400, 5],
    [400, 6],
    [400, 7],
    [450, 8],
  ])
  expect(valueAt({start: 4, steps}, 500)).toBe(8)
  expect(valueAt({start: 4, steps}, 2_000)).toBe(8)
})

test('steps come by time and none is lost; the last move of all is the last step, however the clock went', () => {
  const instants = fc.array(fc.integer({min: 0, max: 50}), {minLength: 1, maxLength: 20})
  fc.assert(
    fc.property(instants, (ats) => {
      const moves = ats.map((at, frame) => ({at, value: frame, frame}))
      const steps = stepsInOrder(moves)
      expect(steps.map(({frame}) => frame)).toEqual(moves.map(({frame}) => frame))
      for (const [i, {at}] of steps.entries()) expect(at).toBe(Math.min(...ats.slice(i)))
    }),
  )
})

test('steps of no known frame, such as the last of a bin, stand where their instant is', () => {
  const steps = stepsInOrder([
    {at: 100, value: 1, frame: undefined},
    {at: 300, value: 3, frame: undefined},
    {at: 200, value: 2, frame: 9},
  ])
  expect(steps.map(({value}) => value)).toEqual([1, 2, 3])
})
