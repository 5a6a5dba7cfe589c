import {expect, test} from 'vitest'
import {hitTest} from './hit-test.ts'
import type {Mark} from './mark.ts'
import {attemptRow} from './testing/story.ts'

const frame = (id: number, x: number, y = 50): Mark => ({
  kind: 'frame',
  shape: 'dot',
  key: 's',
  x,
  y,
  at: 0,
  frames: [id],
})
const band: Mark = {
  ...{kind: 'gapBand', x0: 200, x1: 240, top: 20, bottom: 180, at: 0, frames: [9], gap: undefined},
  edges: {received: true, applied: true},
}
const span: Mark = {kind: 'span', x0: 100, x1: 150, y: 170, attempt: attemptRow(3, 1, 0), runs: 1, at: 0, frames: [3]}

test('the nearest point is meant, within reach', () => {
  const marks = [frame(1, 100), frame(2, 110)]
  expect(hitTest(marks, 106, 50)).toMatchObject({frames: [2]})
  expect(hitTest(marks, 100, 62)).toBeUndefined()
})

test('of two on the same spot the one on top is meant', () => {
  expect(hitTest([frame(1, 100), frame(2, 100)], 100, 50)).toMatchObject({frames: [2]})
})

test('an echo gives way to the frame it repeats', () => {
  const echo: Mark = {kind: 'echo', key: 's', x: 101, y: 50, at: 0, frames: [7]}
  expect(hitTest([frame(1, 100), echo], 101, 50)).toMatchObject({kind: 'frame'})
})

test('a run of a callback is meant along its whole length', () => {
  expect([hitTest([span], 99, 172), hitTest([span], 149, 166), hitTest([span], 160, 170)]).toEqual([
    span,
    span,
    undefined,
  ])
})

test('a band is meant where nothing in it is', () => {
  const marks = [band, frame(1, 220)]
  expect(hitTest(marks, 220, 52)).toMatchObject({kind: 'frame'})
  expect(hitTest(marks, 220, 100)).toBe(band)
  expect(hitTest(marks, 300, 100)).toBeUndefined()
})

test('lines, names and labels are never meant', () => {
  const label: Mark = {kind: 'label', x: 10, y: 50, text: 'gap', tone: 'gap', strong: true, width: 21}
  expect(hitTest([label, {kind: 'now', x: 10}, {kind: 'grid', x: 10, label: ''}], 10, 50)).toBeUndefined()
})
