import {expect, test} from 'vitest'
import type {SourceView} from '../../shared/contract/rows.ts'
import {attentionOf} from './attention.ts'
import {boardRows, gapCount, needingAttention, unsettledCallbacks, waitingFrames} from './selectors.ts'
import {createAppStore} from './store.ts'
import {attempt, connection, view} from './testing/rows.ts'

const counts = (over: Partial<SourceView['counts']>) => ({...view().counts, ...over})

const held = view({
  id: 'held',
  name: 'held',
  connection: connection({state: 'held', because: {kind: 'rejected', frame: 9 as never}, frame: 9}),
})
const refused = view({
  id: 'refused',
  name: 'refused',
  connection: connection({
    state: 'stopped',
    heartbeat: 'none',
    because: {kind: 'refused', refusal: {kind: 'credentials', status: 401, detail: ''}},
  }),
})
const waiting = view({
  id: 'waiting',
  name: 'waiting',
  connection: connection({state: 'waiting', heartbeat: 'none', because: {kind: 'closed'}}),
})
const stale = view({id: 'stale', name: 'stale', connection: connection({heartbeat: 'stale'})})
const gapped = view({id: 'gapped', name: 'gapped', counts: counts({gaps: 2})})
const calm = view({id: 'calm', name: 'calm'})
const paused = view({
  id: 'paused',
  name: 'paused',
  paused: true,
  connection: connection({state: 'stopped', heartbeat: 'none', because: {kind: 'asked'}}),
})

function stateOf(views: readonly SourceView[], scope?: string) {
  const store = createAppStore()
  store.getState().listSources(views)
  store.getState().setScope(scope)
  return store.getState()
}

test('the board is sorted by what needs attention, then by name', () => {
  const {sources} = stateOf([paused, calm, gapped, stale, waiting, refused, held])
  expect(boardRows(sources).map(({view: {id}}) => id)).toEqual([
    'held',
    'refused',
    'waiting',
    'stale',
    'gapped',
    'calm',
    'paused',
  ])
})

test('a pause by the user needs no attention, a stop by itself does', () => {
  expect(attentionOf(paused)).toEqual({rank: 0, tone: 'off'})
  expect(attentionOf(refused).tone).toBe('stopped')
  expect(needingAttention(stateOf([paused, refused, calm]))).toBe(1)
})

test('counts are those of the source in scope, or of all', () => {
  const open = view({id: 'open', counts: counts({gaps: 1}), openAttempt: attempt(), waiting: 3})
  expect(gapCount(stateOf([gapped, open]))).toBe(3)
  expect(gapCount(stateOf([gapped, open], 'open'))).toBe(1)
  expect(unsettledCallbacks(stateOf([gapped, open, held]))).toBe(2)
  expect(waitingFrames(stateOf([gapped, open], 'gapped'))).toBe(3)
})
