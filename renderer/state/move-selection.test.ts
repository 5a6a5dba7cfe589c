import {expect, test} from 'vitest'
import {moveSelection, nextLoss, nextRow, selectNextCallback, selectNextLoss} from './move-selection.ts'
import {createAppStore} from './store.ts'
import {attempt, connection, frame, gap, view} from './testing/rows.ts'

const rows = [frame({id: 1}), frame({id: 4}), frame({id: 9})]

test('the first step chooses the newest row', () => {
  expect(nextRow(rows, undefined, 'older')?.id).toBe(9)
})

test('steps go one row on, also from a frame that the list does not hold', () => {
  expect(nextRow(rows, 9, 'older')?.id).toBe(4)
  expect(nextRow(rows, 5, 'newer')?.id).toBe(9)
  expect(nextRow(rows, 1, 'older')).toBeUndefined()
})

test('reading by keys freezes the list', () => {
  const store = createAppStore()
  store.getState().showPage({frames: [...rows].reverse()})
  moveSelection(store, 'older')
  expect(store.getState()).toMatchObject({selectedFrame: 9, selectedSource: 'a', moment: 1_000, listFrozen: true})
})

test('the next gap is the next older one, around to the newest, within the scope', () => {
  const gaps = [gap({frame: 2}), gap({frame: 5, source: 'b'}), gap({frame: 7})]
  expect(nextLoss(gaps, undefined, undefined)?.frame).toBe(7)
  expect(nextLoss(gaps, undefined, 7)?.frame).toBe(5)
  expect(nextLoss(gaps, 'a', 7)?.frame).toBe(2)
  expect(nextLoss(gaps, 'a', 2)?.frame).toBe(7)
})

test('gaps and holes are gone through in one order', () => {
  const store = createAppStore()
  const hole = {frame: 4, source: 'a', receivedAt: 1, by: 'event', lane: 'g:a', upTo: 9, missing: 2} as const
  store.getState().showGaps([gap({frame: 2}), gap({frame: 7})], undefined)
  store.getState().showHoles([hole], undefined)
  const seen = [1, 2, 3, 4].map(() => {
    selectNextLoss(store)
    return store.getState().selectedFrame
  })
  expect(seen).toEqual([7, 4, 2, 7])
})

test('the next callback goes round the sources with an open or a held one', () => {
  const store = createAppStore()
  store
    .getState()
    .listSources([
      view({id: 'a', openAttempt: attempt({frame: 3})}),
      view({id: 'b'}),
      view({id: 'c', connection: connection({source: 'c', state: 'held', frame: 8})}),
    ])
  const seen = [1, 2, 3].map(() => {
    selectNextCallback(store)
    return store.getState().selectedFrame
  })
  expect(seen).toEqual([3, 8, 3])
})
