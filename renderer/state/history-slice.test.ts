import {expect, test} from 'vitest'
import type {FrameRow} from '../../shared/contract/rows.ts'
import {forgetRecent, newestHeard, receiveFrames, WINDOW_ROWS} from './history-slice.ts'
import {createAppStore} from './store.ts'
import {frame} from './testing/rows.ts'

function opened(page: readonly FrameRow[] = []) {
  const store = createAppStore()
  store.getState().showPage({frames: page})
  const receive = (frames: readonly FrameRow[], leftOut = 0) =>
    store.setState(receiveFrames(store.getState(), frames, leftOut))
  const listed = () => store.getState().list.rows.map(({id}) => id)
  return {store, receive, listed, state: store.getState}
}

const frames = (from: number, to: number) => Array.from({length: to - from + 1}, (_, n) => frame({id: from + n}))

test('at the top, what arrives is listed', () => {
  const {receive, listed} = opened(frames(1, 2).reverse())
  receive(frames(3, 4))
  expect(listed()).toEqual([1, 2, 3, 4])
})

test('for a reader who is elsewhere nothing moves, and what arrives is counted', () => {
  const {store, receive, listed, state} = opened(frames(1, 2).reverse())
  store.getState().freezeList()
  receive(frames(3, 4))
  expect(listed()).toEqual([1, 2])
  expect(state().listWaiting).toBe(2)
})

test('a waiting frame counts once, however often its outcome changes', () => {
  const {store, receive, state} = opened()
  store.getState().freezeList()
  receive([frame({id: 3, outcome: 'pending'})])
  receive([frame({id: 3, outcome: 'rejected'})])
  expect(state().listWaiting).toBe(1)
})

test('a row on screen shows its new outcome also while the list is frozen', () => {
  const {store, receive, state} = opened([frame({id: 1, outcome: 'pending'})])
  store.getState().freezeList()
  receive([frame({id: 1, outcome: 'handled'})])
  expect(state().list.rows[0]?.outcome).toBe('handled')
  expect(state().listWaiting).toBe(0)
})

test('what waited comes in when the reader is back, without asking the engine', () => {
  const {store, receive, listed, state} = opened(frames(1, 2).reverse())
  store.getState().freezeList()
  receive(frames(3, 4))
  store.getState().thawList()
  expect(listed()).toEqual([1, 2, 3, 4])
  expect(state()).toMatchObject({listWaiting: 0, listFrozen: false, listBroken: false})
})

test('more than the window can hold for a waiting reader means asking again', () => {
  const {store, receive, state} = opened(frames(1, 2).reverse())
  store.getState().freezeList()
  receive(frames(3, 3))
  receive(frames(4, WINDOW_ROWS + 10))
  expect(state().listBroken).toBe(true)
  expect(state().listWaiting).toBe(WINDOW_ROWS + 8)
  expect(state().recent.rows).toHaveLength(WINDOW_ROWS)
})

test('frames the engine left out of a batch are told, and for a waiting reader mean asking again', () => {
  const following = opened()
  following.receive(frames(1, 1), 40)
  expect(following.state()).toMatchObject({listLeftOut: 40, listBroken: false})
  const reading = opened()
  reading.store.getState().freezeList()
  reading.receive(frames(1, 1), 40)
  expect(reading.state()).toMatchObject({listWaiting: 41, listBroken: true})
})

test('only frames that match the filter are listed or counted', () => {
  const {store, receive, listed, state} = opened()
  store.getState().setFilter({source: 'b'})
  receive([frame({id: 1, source: 'a'}), frame({id: 2, source: 'b'})])
  store.getState().freezeList()
  receive([frame({id: 3, source: 'a'}), frame({id: 4, source: 'b'})])
  expect(listed()).toEqual([2])
  expect(state().listWaiting).toBe(1)
  expect(state().recent.rows).toHaveLength(4)
})

test('a frame that comes to match after a change of its outcome is counted', () => {
  const {store, receive, state} = opened()
  store.getState().setFilter({outcomes: ['rejected']})
  receive([frame({id: 1, outcome: 'pending'})])
  store.getState().freezeList()
  receive([frame({id: 1, outcome: 'rejected'})])
  expect(state().listWaiting).toBe(1)
})

test('the window is bounded, and older rows can be asked for again', () => {
  const {receive, listed, state} = opened()
  receive(frames(1, WINDOW_ROWS + 3))
  expect(listed()).toHaveLength(WINDOW_ROWS)
  expect(state().listOlder).toBe(4)
})

test('frames that came while a page was on its way are not lost', () => {
  const {store, receive, listed} = opened()
  receive(frames(1, 5))
  store.getState().showPage({frames: frames(1, 3).reverse()})
  expect(listed()).toEqual([1, 2, 3, 4, 5])
})

test('an older page goes below, and a full window lets its newest rows go', () => {
  const {store, listed, state} = opened(frames(1_001, 1_000 + WINDOW_ROWS).reverse())
  store.getState().showOlderPage({frames: frames(901, 1_000).reverse(), next: 901})
  expect(listed()).toHaveLength(WINDOW_ROWS)
  expect(listed()[0]).toBe(901)
  expect(state()).toMatchObject({listFrozen: true, listBroken: true, listOlder: 901})
})

test('a page from the middle of the history does not claim to be the newest', () => {
  const {store, receive, listed, state} = opened(frames(90, 95).reverse())
  receive(frames(96, 99))
  store.getState().showPageAround({frames: frames(10, 20).reverse(), next: 10})
  expect(listed()).toEqual(frames(10, 20).map(({id}) => id))
  expect(state()).toMatchObject({listFrozen: true, listBroken: true})
})

test('a slow page does not overwrite the newer row that came meanwhile', () => {
  const {store, receive, state} = opened()
  receive([frame({id: 2, outcome: 'handled'})])
  store.getState().showPage({frames: [frame({id: 2, outcome: 'pending'}), frame({id: 1})]})
  expect(state().list.rows.map(({id, outcome}) => [id, outcome])).toEqual([
    [1, 'handled'],
    [2, 'handled'],
  ])
  store.getState().showPageAround({frames: [frame({id: 2, outcome: 'pending'})]})
  expect(state().list.rows[0]?.outcome).toBe('handled')
})

test('a row that came to match while the page was on its way is listed, one that no longer matches is not', () => {
  const {store, receive, listed} = opened()
  store.getState().setFilter({outcomes: ['pending']})
  receive([frame({id: 3, outcome: 'pending'}), frame({id: 5, outcome: 'handled'})])
  store.getState().showPage({frames: [frame({id: 5, outcome: 'pending'}), frame({id: 2, outcome: 'pending'})], next: 2})
  expect(listed()).toEqual([2, 3])
})

test('once live rows are forgotten, what the store says stands', () => {
  const {store, receive, state} = opened()
  receive([frame({id: 2, outcome: 'pending'})])
  store.setState(forgetRecent(state()))
  store.getState().showPage({frames: [frame({id: 2, outcome: 'handled'})]})
  expect(state().list.rows[0]?.outcome).toBe('handled')
  expect(newestHeard(state())).toBe(2)
})

test('where frames were left out of a batch, a row that may have been settled among them is not held on to', () => {
  const {receive, state} = opened()
  receive([frame({id: 1}), frame({id: 2, outcome: 'pending'}), frame({id: 3, outcome: 'pending'})])
  receive([frame({id: 3, outcome: 'pending'}), frame({id: 9})], 40)
  expect(state().recent.rows.map(({id}) => id)).toEqual([1, 3, 9])
  expect(state().recentLost).toBe(3)
})

test('the rows of a reader’s place are brought up to date where they stand, and none is added', () => {
  const {store, listed, state} = opened([frame({id: 4, outcome: 'pending'}), frame({id: 2})])
  store.getState().freezeList()
  store.getState().refreshRows([frame({id: 5}), frame({id: 4, outcome: 'handled'}), frame({id: 3})])
  expect(listed()).toEqual([2, 4])
  expect(state().list.rows.at(-1)?.outcome).toBe('handled')
  expect(state().listBroken).toBe(true)
})
