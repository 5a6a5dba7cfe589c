import {expect, test} from 'vitest'
import {paintTimeline} from './paint-timeline.ts'
import {readPalette} from './palette.ts'
import {planTimeline} from './plan-timeline.ts'
import {frameRow, rangeOf, tellStory} from './testing/story.ts'
import {mergeTimeline, NO_LIVE_ROWS} from './timeline-data.ts'

const START = 1_764_504_000_000

/** A context that takes every call and counts those that put pixels on a screen. */
function countingContext() {
  const drawn = new Map<string, number>()
  const context = new Proxy({} as Record<string, unknown>, {
    get: (held, name: string) => held[name] ?? (() => drawn.set(name, (drawn.get(name) ?? 0) + 1)),
    set: (held, name: string, value: unknown) => {
      held[name] = value
      return true
    },
  })
  const painted = () =>
    ['fill', 'stroke', 'fillRect', 'strokeRect', 'fillText'].reduce((sum, name) => sum + (drawn.get(name) ?? 0), 0)
  return {context: context as unknown as CanvasRenderingContext2D, painted} // only what painters call is needed
}

function paint(frames: number): number {
  const story = tellStory(START)
  const more = Array.from({length: frames}, (_, i) => frameRow(1_000 + i, START + (i * 60_000) / frames, {lane: 's'}))
  const range = rangeOf({...story, frames: [...story.frames, ...more]}, START, START + 60_000)
  const data = mergeTimeline({range, askedAt: START, columns: 700, newestFrame: 0}, NO_LIVE_ROWS)
  const marks = planTimeline({
    ...{data, window: {from: START, to: START + 60_000}, now: START + 60_000, width: 840, height: 390, offsetMs: 0},
    ...{hasOwn: true, generations: [], selectedFrame: 19, moment: START + 5_000, type: {charPx: 7.25, linePx: 15}},
  })
  const {context, painted} = countingContext()
  paintTimeline({context, width: 840, height: 390, palette: readPalette(() => '')}, marks)
  return painted()
}

test('200,000 frames in view take no more strokes than 2,000', () => {
  const many = paint(200_000)
  expect(many).toBe(paint(2_000))
  expect(many).toBeLessThan(200)
}, 60_000)
