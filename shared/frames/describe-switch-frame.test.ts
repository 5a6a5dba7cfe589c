import {expect, test} from 'vitest'
import {stepsFor} from '../position/position.ts'
import {at} from '../testing/positions.ts'
import {classifySwitchFrame} from './classify-switch-frame.ts'
import {problemSummary} from './describe-problem.ts'
import {summaryOf} from './describe-switch-frame.ts'
import type {SwitchFrame} from './frame.ts'
import {placeOf} from './place-of-frame.ts'

function frame(data: object, event = 'message', id?: string): SwitchFrame {
  const raw = {event, data: JSON.stringify(data), bytes: new Uint8Array(), cuts: [], ...(id === undefined ? {} : {id})}
  const classified = classifySwitchFrame(raw)
  if (!classified.ok) throw new Error(`not understood: ${classified.error.kind}`)
  return classified.value
}

const place = (one: SwitchFrame, held: object) =>
  placeOf(one, one.kind === 'control' ? [] : stepsFor(at(held), false, one.update))

test('a frame is drawn on the room it moved, else on s', () => {
  expect(place(frame({type: 'x', position: {s: 19, 'r:a': 44}}), {s: 18, 'r:a': 43})).toEqual({
    lane: 'r:a',
    sequence: 44,
  })
  expect(place(frame({type: 'x', position: {s: 19, 'r:a': 43}}), {s: 18, 'r:a': 43})).toEqual({lane: 's', sequence: 19})
  expect(place(frame({type: 'x'}, 'message', '19'), {s: 18})).toEqual({lane: 's', sequence: 19})
})

test('a frame that moved nothing is drawn where it reported', () => {
  expect(place(frame({type: 'x', position: {s: 1, 'r:a': 2}}), {s: 18, 'r:a': 43})).toEqual({lane: 'r:a', sequence: 2})
  expect(place(frame({type: 'x'}, 'message', '7'), {s: 18})).toEqual({lane: 's', sequence: 7})
  expect(place(frame({type: 'x'}), {s: 18})).toEqual({})
  expect(place(frame({}, 'evicted', '900'), {s: 18})).toEqual({})
})

test('a gap is drawn on s', () => {
  expect(place(frame({resumed_at: 2}, 'gap'), {s: 18})).toEqual({lane: 's', sequence: 2})
  expect(place(frame({resumed_position: {}}, 'gap'), {s: 18})).toEqual({lane: 's'})
})

test('a summary is one line of at most 200 code units, without control characters, however large the frame', () => {
  const bodies = [
    'x'.repeat(1_000_000),
    ' '.repeat(1_000_000),
    '𝄞'.repeat(150),
    `${'y'.repeat(190)}${'𝄞'.repeat(9)}`,
    'a\n\tb\u001b[31mc\u0000\u009bd',
  ]
  for (const body of bodies) {
    const summary = summaryOf(frame({type: 'message', payload: {body, sender_name: 'alice'}}))
    expect(summary.length).toBeLessThanOrEqual(200)
    expect(summary).toMatch(/^@alice: /)
    expect([...summary].every((character) => character === ' ' || /[\P{C}]/u.test(character))).toBe(true)
  }
  expect(summaryOf(frame({type: 'message', payload: {body: 'a\n\tb\u001b[31mc'}}))).toBe('a b [31mc')
})

test('what was cut off is said', () => {
  expect(summaryOf(frame({type: 'message', payload: {body: 'x'.repeat(201)}}))).toBe(`${'x'.repeat(199)}…`)
  expect(summaryOf(frame({type: 'message', payload: {body: 'x'.repeat(200)}}))).toBe('x'.repeat(200))
})

test('a summary says only what was sent', () => {
  expect(summaryOf(frame({type: 'command', payload: {command: 'reset', args: '', user_name: 'alice'}}))).toBe(
    '@alice: /reset',
  )
  expect(summaryOf(frame({type: 'task_cancel', payload: {task_id: 't', reason: 'r'}}))).toBe('r')
  expect(summaryOf(frame({type: 'message', payload: {body: 5, sender_name: ['x']}}))).toBe('message')
  expect(summaryOf(frame({type: 'message', payload: null}))).toBe('message')
  expect(summaryOf(frame({reason: 'restart', resumed_at: 3}, 'gap'))).toBe('restart · resumed at 3')
  expect(summaryOf(frame({}, 'gap'))).toBe('gap')
})

test('every problem has words', () => {
  expect(problemSummary({kind: 'notJson', detail: 'x\u001b[2J'})).toBe('not JSON: x [2J')
  expect(problemSummary({kind: 'badGap', field: 'resumed_at', said: {}})).toContain('resumed_at')
  expect(problemSummary({kind: 'tooLong', capBytes: 50})).toContain('50')
})
