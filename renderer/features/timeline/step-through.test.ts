import {expect, test} from 'vitest'
import {nextFrame, nextGap, nextOpenCallback} from './step-through.ts'
import {attemptRow, frameRow, gapRow} from './testing/story.ts'
import {readKey} from './timeline-keys.ts'

const frames = [frameRow(1, 10), frameRow(2, 20), frameRow(4, 40)]

test('arrows go from frame to frame, and from nowhere to the newest', () => {
  expect(nextFrame(frames, 2, 1)).toEqual({frame: 4, at: 40})
  expect(nextFrame(frames, 2, -1)).toEqual({frame: 1, at: 10})
  expect(nextFrame(frames, undefined, -1)).toEqual({frame: 4, at: 40})
  expect(nextFrame(frames, 4, 1)).toBeUndefined()
})

test('the gap after the selected frame is next; after the last, the first', () => {
  const gaps = [gapRow(2, 20, 21), gapRow(7, 70, 71)]
  expect([nextGap(gaps, 2)?.frame, nextGap(gaps, 9)?.frame, nextGap([], 2)]).toEqual([7, 2, undefined])
})

test('a callback is open while it runs, or while what it rejected was not made good', () => {
  const rows = [
    frameRow(1, 10, {outcome: 'rejected'}),
    frameRow(2, 20, {redelivers: 1}),
    frameRow(3, 30, {outcome: 'rejected'}),
    frameRow(5, 50, {outcome: 'pending'}),
  ]
  const attempts = [1, 2, 3].map((frame) => attemptRow(frame, 1, frame * 10, {state: 'rejected'}))
  const all = [...attempts, attemptRow(5, 1, 50, {state: 'pending'})]
  expect([
    nextOpenCallback(all, rows, undefined),
    nextOpenCallback(all, rows, 3),
    nextOpenCallback(all, rows, 5),
  ]).toEqual([
    {frame: 3, at: 30},
    {frame: 5, at: 50},
    {frame: 3, at: 30},
  ])
})

test('letters and arrows are the timeline’s only where it has the focus, and keys with a modifier never', () => {
  const pressed = (key: string, more = {}) => ({key, ctrlKey: false, metaKey: false, altKey: false, ...more})
  expect(readKey(pressed('+'), false)).toMatchObject({kind: 'zoom'})
  expect(readKey(pressed('g'), false)).toBeUndefined()
  expect(readKey(pressed('g'), true)).toEqual({kind: 'gap'})
  expect(readKey(pressed('ArrowLeft'), false)).toBeUndefined()
  expect(readKey(pressed('ArrowLeft'), true)).toEqual({kind: 'frame', direction: -1})
  expect(readKey(pressed('d', {ctrlKey: true}), true)).toBeUndefined()
})
