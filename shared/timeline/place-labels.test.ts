import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Box, type LabelWish, overlap, placeLabels} from './place-labels.ts'

const BOUNDS: Box = {left: 0, top: 0, right: 400, bottom: 100}
const SIZE = {charPx: 7, linePx: 14}

function wish(text: string, x: number, more: Partial<LabelWish> = {}): LabelWish {
  return {
    text,
    priority: 1,
    insists: false,
    places: [
      {x, end: 'left', y: 50},
      {x: x - 10, end: 'right', y: 50},
    ],
    ...more,
  }
}

const texts = (wishes: readonly LabelWish[], obstacles: readonly Box[] = []) =>
  placeLabels(wishes, BOUNDS, SIZE, obstacles).map(({text}) => text)

test('the more important label has the first choice', () => {
  const placed = placeLabels([wish('rejected', 100, {priority: 5}), wish('18 → 2', 100, {priority: 0})], BOUNDS, SIZE)
  expect(placed.map(({text, box}) => [text, box.left])).toEqual([
    ['18 → 2', 100],
    ['rejected', 34],
  ])
})

test('a label that would run out of the view goes to the other side of its mark', () => {
  expect(placeLabels([wish('9 → removed', 390)], BOUNDS, SIZE)[0]?.box.right).toBe(380)
})

test('a text that fits nowhere is shortened, and left out where that does not help', () => {
  const one = [{x: 0, end: 'left', y: 50}] as const
  const long = 'x'.repeat(60)
  expect(texts([wish(long, 0, {places: one, shorter: 'short'})])).toEqual(['short'])
  expect(texts([wish(long, 0, {places: one})])).toEqual([])
})

test('a label says all only where that takes no place from another', () => {
  const long = (x: number) =>
    wish('backoff 2 s. The callback rejected a frame', x, {shorter: 'backoff 2 s', places: [{x, end: 'left', y: 50}]})
  expect(texts([long(0), long(100)])).toEqual(['backoff 2 s', 'backoff 2 s. The callback rejected a frame'])
})

test('a label that has room for all only on the other side of its mark stays short', () => {
  const long = {text: 'backoff 2 s. The callback rejected a frame', shorter: 'backoff 2 s'}
  expect(texts([wish(long.text, 320, long)])).toEqual(['backoff 2 s'])
  expect(texts([wish(long.text, 390, long)])).toEqual(['backoff 2 s. The callback rejected a frame'])
})

test('only a label that insists covers a mark, and only where there is no other place', () => {
  const wall = [{left: 0, right: 400, top: 45, bottom: 55}]
  const below = [
    {x: 100, end: 'left', y: 50},
    {x: 100, end: 'left', y: 80},
  ] as const
  expect(texts([wish('gap', 100)], wall)).toEqual([])
  expect(texts([wish('18 → 2', 100, {insists: true})], wall)).toEqual(['18 → 2'])
  expect(placeLabels([wish('18 → 2', 100, {insists: true, places: below})], BOUNDS, SIZE, wall)[0]?.box.top).toBe(73)
})

test('no label overlaps another or leaves the view', () => {
  const wishes = fc.array(
    fc.record({
      text: fc.string({minLength: 1, maxLength: 20}),
      x: fc.integer({min: -50, max: 450}),
      priority: fc.nat(5),
      insists: fc.boolean(),
    }),
    {maxLength: 60},
  )
  fc.assert(
    fc.property(wishes, (asked) => {
      const boxes = placeLabels(
        asked.map(({text, x, ...more}) => wish(text, x, more)),
        BOUNDS,
        SIZE,
      ).map(({box}) => box)
      for (const [i, box] of boxes.entries()) {
        expect(box.left >= 0 && box.right <= 400 && box.top >= 0 && box.bottom <= 100).toBe(true)
        for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBe(false)
      }
    }),
  )
})

test('a label stays within what it is about, by its shorter text or on its other side, else it is left out', () => {
  const within = {left: 90, right: 150}
  expect(texts([wish('backoff 2.0 s. The callback rejected', 100, {shorter: 'backoff', within})])).toEqual(['backoff'])
  expect(texts([wish('backoff 2.0 s', 100, {within})])).toEqual([])
  const placed = placeLabels([wish('stale', 140, {within})], BOUNDS, SIZE)
  expect(placed.map(({box}) => box.right)).toEqual([130])
})
