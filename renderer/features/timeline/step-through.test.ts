import {expect, test} from 'vitest'
import {nextFrame} from './step-through.ts'
import {frameRow} from './testing/story.ts'
import {readKey} from './timeline-keys.ts'

const frames = [frameRow(1, 10), frameRow(2, 20), frameRow(4, 40)]

test('arrows go from frame to frame, and from nowhere to the newest', () => {
  expect(nextFrame(frames, 2, 1)).toEqual({frame: 4, at: 40})
  expect(nextFrame(frames, 2, -1)).toEqual({frame: 1, at: 10})
  expect(nextFrame(frames, undefined, -1)).toEqual({frame: 4, at: 40})
  expect(nextFrame(frames, 4, 1)).toBeUndefined()
})

test('letters and arrows are the timeline’s only where it has the focus, and keys with a modifier never', () => {
  const pressed = (key: string, more = {}) => ({key, ctrlKey: false, metaKey: false, altKey: false, ...more})
  expect(readKey(pressed('+'), false)).toMatchObject({kind: 'zoom'})
  expect(readKey(pressed('w'), false)).toBeUndefined()
  expect(readKey(pressed('w'), true)).toMatchObject({kind: 'zoom'})
  expect(readKey(pressed('ArrowLeft'), false)).toBeUndefined()
  expect(readKey(pressed('ArrowLeft'), true)).toEqual({kind: 'frame', direction: -1})
  expect(readKey(pressed('d', {ctrlKey: true}), true)).toBeUndefined()
})
