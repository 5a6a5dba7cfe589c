import {expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import type {Activity} from '../history/activity.ts'
import type {FrameId} from '../history/frame-id.ts'
import type {SourceId} from '../source/source.ts'
import {createActivityTracker} from './activity-tracker.ts'

/** What each event changed, as `kind label state from-to`; `cut` stands for a cut of the stream. */
function follow(...events: readonly (object | 'cut')[]): readonly string[] {
  const tracker = createActivityTracker()
  return events.flatMap((event, n) => {
    const told = {source: 's' as SourceId, frame: n as FrameId, at: epochMs(n)}
    return (event === 'cut' ? tracker.cut() : tracker.take({...event}, told)).map(words)
  })
}

function words({kind, label, state, startedAt, endedAt, frame}: Activity): string {
  return `${frame}: ${kind} ${label} ${state} ${startedAt ?? '?'}-${endedAt ?? ''}`
}

test('parallel tools are joined by their call, whichever ends first', () => {
  expect(
    follow(
      {type: 'tool_execution_start', toolCallId: 'a', toolName: 'read'},
      {type: 'tool_execution_start', toolCallId: 'b', toolName: 'write'},
      {type: 'tool_execution_end', toolCallId: 'b', toolName: 'write', isError: true},
      {type: 'tool_execution_end', toolCallId: 'a', toolName: 'read', isError: false},
    ),
  ).toEqual(['0: tool read open 0-', '1: tool write open 1-', '1: tool write failed 1-2', '0: tool read ended 0-3'])
})

test('an end whose beginning was not seen stands by itself', () => {
  expect(follow({type: 'compaction_end', reason: 'threshold', aborted: false})).toEqual([
    '0: compaction threshold ended ?-0',
  ])
})

test('a cut leaves open what was open, as not seen to end; so does another beginning of the same', () => {
  expect(follow({type: 'turn_start'}, {type: 'bash_start', command: 'ls'}, 'cut')).toEqual([
    '0: turn turn open 0-',
    '1: bash ls open 1-',
    '0: turn turn notSeen 0-',
    '1: bash ls notSeen 1-',
  ])
  expect(follow({type: 'turn_start'}, {type: 'turn_start'})).toEqual([
    '0: turn turn open 0-',
    '0: turn turn notSeen 0-',
    '1: turn turn open 1-',
  ])
})

test('tries that follow one another are one retry, until one ends them', () => {
  expect(
    follow(
      {type: 'auto_retry_start', attempt: 1, errorMessage: 'overloaded'},
      {type: 'auto_retry_start', attempt: 2, errorMessage: 'overloaded'},
      {type: 'auto_retry_end', success: false, attempt: 2},
    ),
  ).toEqual(['0: retry overloaded open 0-', '0: retry overloaded failed 0-2'])
})

test.each([
  ['aborted', {message: {role: 'assistant', stopReason: 'aborted'}}],
  ['failed', {message: {role: 'assistant', stopReason: 'error'}}],
])('a message that %s is told as that', (how, more) => {
  expect(follow({type: 'message_end', ...more})).toEqual([`0: message assistant ${how} ?-0`])
})

test.each([
  ['bash_end', {command: 'x', cancelled: true, exitCode: 137}],
  ['compaction_end', {reason: 'x', aborted: true, errorMessage: 'stopped'}],
  ['turn_end', {message: {role: 'assistant', stopReason: 'aborted'}}],
])('a %s that somebody ended did not fail', (type, more) => {
  expect(follow({type, ...more})[0]).toContain(' aborted ?-0')
})

test('what is begun for ever is not remembered for ever', () => {
  const starts = Array.from({length: 600}, (_, n) => ({type: 'tool_execution_start', toolCallId: `${n}`}))
  expect(follow(...starts).filter((one) => one.includes('notSeen'))).toHaveLength(100)
})

test('names of every object’s members are no events', () => {
  expect(follow({type: 'constructor'}, {type: '__proto__'}, {type: 7}, {})).toEqual([])
})
