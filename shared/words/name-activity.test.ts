import {expect, test} from 'vitest'
import {activityRow} from '../contract/rows.ts'
import {nameActivityKind, nameActivityState} from './name-activity.ts'

test('every kind and every state has words of its own', () => {
  const {kind, state} = activityRow.shape
  expect(new Set(kind.options.map(nameActivityKind)).size).toBe(kind.options.length)
  const states = state.options.map(nameActivityState)
  expect(new Set(states.map(({word}) => word)).size).toBe(states.length)
  expect(new Set(states.map(({meaning}) => meaning)).size).toBe(states.length)
})

test('an end that was not seen is not called an end', () => {
  expect(nameActivityState('notSeen').meaning).toContain('may have ended, or still go on')
})
