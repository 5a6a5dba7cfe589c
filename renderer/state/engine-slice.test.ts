import {expect, test} from 'vitest'
import {createAppStore} from './store.ts'

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
