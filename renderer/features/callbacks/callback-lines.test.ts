import {expect, test} from 'vitest'
import {createAppStore} from '../../state/store.ts'
import {attempt, frame} from '../../state/testing/rows.ts'
import {callbackLines} from './callback-lines.ts'

test('a frame that was handled meanwhile leaves the ledger, a rejected one stays', () => {
  const state = createAppStore().getState()
  state.recent.put(frame({id: 1, outcome: 'handled'}))
  state.recent.put(frame({id: 3, outcome: 'rejected'}))
  const lines = callbackLines(
    [{frame: frame({id: 1, outcome: 'pending'})}, {frame: frame({id: 2, outcome: 'skipped'})}],
    state,
  )
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

test('a rejected frame says what it came to in the end, as far as it was told or was seen', () => {
  const state = createAppStore().getState()
  const rejected = frame({id: 1, outcome: 'rejected'})
  expect(callbackLines([{frame: rejected}], state)[0]?.later).toBeUndefined()
  const later = {frame: 2, outcome: 'rejected', attempt: 2} as const
  expect(callbackLines([{frame: rejected, later}], state)[0]?.later).toEqual(later)
  state.recent.put(frame({id: 2, outcome: 'handled', attempt: 3, redelivers: 1})) // the journal brought it once more
  expect(callbackLines([{frame: rejected, later}], state)[0]?.later).toEqual({frame: 2, outcome: 'handled', attempt: 3})
  state.recent.put(frame({id: 3, outcome: 'handled', attempt: 3, redelivers: 2}))
  expect(callbackLines([{frame: rejected, later}], state)[0]?.later).toEqual({frame: 3, outcome: 'handled', attempt: 3})
})
