import {expect, test} from 'vitest'
import type {SourceView} from '../../shared/contract/rows.ts'
import {attentionOf, losingSources} from './attention.ts'
import {boardRows, followingOf, gapCount, queuedFrames, unsettledCallbacks} from './selectors.ts'
import {createAppStore} from './store.ts'
import {attempt, connection, gap, view} from './testing/rows.ts'

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
  if (scope !== undefined) store.getState().selectSource(scope)
  return store.getState()
}

test('the board is sorted by what needs attention, then by name', () => {
  const {sources} = stateOf([paused, calm, gapped, stale, waiting, refused, held])
  expect(boardRows(sources, new Set(['gapped', 'held'])).map(({view: {id}}) => id)).toEqual([
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
  expect(attentionOf(paused, false)).toEqual({rank: 0, tone: 'off'})
  expect(attentionOf(refused, false).tone).toBe('stopped')
})

test('a session at rest calls nobody: it was replaced, closed or left alone', () => {
  const standingBy = (because: SourceView['connection']['because']) =>
    attentionOf(view({connection: connection({state: 'waiting', heartbeat: 'none', because})}), false)
  expect(standingBy({kind: 'idle'})).toEqual({rank: 0, tone: 'off'})
  expect(standingBy({kind: 'sessionReplaced', by: 'other'})).toEqual({rank: 0, tone: 'off'})
  expect(standingBy({kind: 'workerGone', detail: ''}).rank).toBe(4)
})

test('neither a source of an app that was closed nor a recording asks for its user', () => {
  const stopped = (because: SourceView['connection']['because']) =>
    connection({state: 'stopped', heartbeat: 'none', because})
  const closed = view({connection: stopped({kind: 'closedWithApp'})})
  const recording = view({
    settings: {kind: 'recording', file: 'a.sse'},
    connection: stopped({kind: 'noServer', detail: 'a recording'}),
  })
  const untold = view({connection: stopped({kind: 'noToken'})})
  expect([closed, recording, untold].map((source) => attentionOf(source, false).rank)).toEqual([0, 0, 5])
})

test('a loss is news for a quarter of an hour, or as long as it is not handled; a count since ever is none', () => {
  const now = 10_000_000
  const ago = (minutes: number) => now - minutes * 60_000
  const losing = losingSources(
    [
      gap({frame: 1, source: 'long ago', receivedAt: ago(16)}),
      gap({frame: 2, source: 'rejected once, replaced later', receivedAt: ago(20), outcome: 'rejected'}),
      gap({frame: 3, source: 'lately', receivedAt: ago(14)}),
      gap({frame: 4, source: 'open', receivedAt: ago(90), outcome: 'pending'}),
      gap({frame: 5, source: 'accounted for', receivedAt: ago(1), account: {at: ago(0), note: 'read in the room'}}),
    ],
    now,
  )
  expect([...losing]).toEqual(['lately', 'open'])
  expect(attentionOf(gapped, false).rank).toBe(0)
  expect(attentionOf(gapped, true)).toEqual({rank: 1, tone: 'loss'})
})

test('counts are those of the source in scope, or of all', () => {
  const open = view({id: 'open', counts: counts({gaps: 1}), openAttempt: attempt(), waiting: 3})
  const failed = view({id: 'failed', counts: counts({rejected: 3}), rejectedOpen: 1})
  const madeGood = view({id: 'made good', counts: counts({rejected: 3})})
  expect(gapCount(stateOf([gapped, open]))).toBe(3)
  expect(gapCount(stateOf([gapped, open], 'open'))).toBe(1)
  expect(unsettledCallbacks(stateOf([gapped, open, held, failed, madeGood]))).toBe(3)
  expect(queuedFrames(stateOf([gapped, open], 'gapped'))).toBe(3)
})

test('only a screen of which nothing stands still is live', () => {
  const [ready, lost] = [{kind: 'ready'} as const, {kind: 'lost', detail: '', retryAt: 0} as const]
  expect(followingOf({live: true, listFrozen: false, link: ready})).toBe('all')
  expect(followingOf({live: true, listFrozen: true, link: ready})).toBe('notTheList')
  expect(followingOf({live: false, listFrozen: true, link: ready})).toBe('nothing')
  expect(followingOf({live: true, listFrozen: true, link: lost})).toBe('cutOff')
})
