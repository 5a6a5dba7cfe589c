import {expect, test} from 'vitest'
import {createAppStore} from '../../state/store.ts'
import {attempt, frame} from '../../state/testing/rows.ts'
import {callbackLines} from './callback-lines.ts'

test('a frame that was handled meanwhile leaves the ledger, a rejected one stays', () => {
  const state = createAppStore().getState()
  state.recent.put(frame({id: 1, outcome: 'handled'}))
  state.recent.put(frame({id: 3, outcome: 'rejected'}))
  const lines = callbackLines([frame({id: 1, outcome: 'pending'}), frame({id: 2, outcome: 'skipped'})], state)
  expect(lines.map(({frame: {id}}) => id)).toEqual([3, 2])
})

test('the newest attempt of a frame is shown', () => {
  const state = createAppStore().getState()
  state.recent.put(frame({id: 1, outcome: 'pending'}))
  state.attempts.put(attempt({frame: 1, n: 2, state: 'pending'}))
  state.attempts.put(attempt({frame: 1, n: 1, state: 'rejected', error: 'boom'}))
  expect(callbackLines([], state)[0]?.last?.n).toBe(2)
})

test('only the source in scope is shown', () => {
  const state = {...createAppStore().getState(), scope: 'b'}
  state.recent.put(frame({id: 1, source: 'a', outcome: 'pending'}))
  expect(callbackLines([], state)).toEqual([])
})
