import {expect, test} from 'vitest'
import {createBatchInbox} from './apply-batch.ts'
import {lagNow, rateNow} from './selectors.ts'
import {createAppStore} from './store.ts'
import {batch} from './testing/rows.ts'

test('ages stand still while the engine is not reached', () => {
  const store = createAppStore()
  store.getState().setLink({kind: 'ready'})
  store.setState({clockOffset: 100})
  store.getState().tick(1_000)
  store.getState().setLink({kind: 'lost', detail: '', retryAt: 2_000})
  store.getState().tick(1_500)
  expect(store.getState()).toMatchObject({now: 1_100, localNow: 1_500})
})

test('a rate that was told before a loss is not shown as if it were still known', () => {
  const store = createAppStore()
  store.setState({rate: 412, lagMs: 3})
  store.getState().setLink({kind: 'lost', detail: '', retryAt: 0})
  expect(store.getState()).toMatchObject({rate: undefined, lagMs: undefined})
})

test('the speed of the last batch is not shown as today’s once nothing has come for a while', () => {
  const {store, inbox, animationFrame} = screenAt(10_000)
  store.getState().setLink({kind: 'ready'})
  expect([rateNow(store.getState()), lagNow(store.getState())]).toEqual([undefined, undefined])
  inbox.receive(batch({now: 10_000, rate: 5_000, lagMs: 40}))
  animationFrame()
  store.getState().tick(11_900)
  expect([rateNow(store.getState()), lagNow(store.getState())]).toEqual([5_000, 40])
  store.getState().tick(12_100)
  expect([rateNow(store.getState()), lagNow(store.getState())]).toEqual([0, 'quiet'])
})

function screenAt(localNow: number) {
  const store = createAppStore()
  const due: Array<() => void> = []
  const inbox = createBatchInbox(
    store,
    (flush) => due.push(flush),
    () => localNow,
    () => undefined,
  )
  return {store, inbox, animationFrame: () => due.splice(0).map((flush) => flush())}
}
