import {expect, test} from 'vitest'
import {sessionRowOf, sessionRowsOf} from './session-row.ts'

const states: readonly (readonly [fields: object, state: string])[] = [
  [{workerState: 'failed', isSessionActive: true}, 'failed'],
  [{workerState: 'recovering'}, 'recovering'],
  [{workerState: 'hibernating'}, 'unknown'],
  [{workerState: 'ready', isSessionActive: true}, 'running'],
  [{workerState: 'ready', isSessionActive: false, hasRunningRlmChildren: true}, 'running'],
  [{workerState: 'ready', isSessionActive: false, activity: 'working'}, 'idle'],
  [{workerState: 'ready'}, 'unknown'],
]

test.each(states)('%j is %s', (fields, state) => {
  expect(sessionRowOf({sessionId: 's', ...fields})?.state).toBe(state)
})

test('what is not sent is absent, and what is not in its form too', () => {
  expect(sessionRowOf({sessionId: 's', cwd: 7, attachedClients: -1, model: 'x'})).toMatchObject({subagent: false})
  expect(Object.keys(sessionRowOf({sessionId: 's', cwd: 7, attachedClients: -1, model: 'x'}) ?? {})).toEqual([
    'sessionId',
    'state',
    'subagent',
    'activity',
  ])
})

test.each([{}, {sessions: 'many'}, {sessions: [7, null, [], {}, {sessionId: ''}, {sessionId: 9}]}])(
  '%j names no session',
  (data) => {
    expect(sessionRowsOf(data)).toEqual([])
  },
)
