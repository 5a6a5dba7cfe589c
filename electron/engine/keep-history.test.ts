import {expect, test} from 'vitest'
import type {PruneOrder} from '../../shared/history/retention.ts'
import {keepHistory} from './keep-history.ts'
import {type StoreError, StoreFailure} from './store/store.ts'
import {createVirtualClock} from './testing/virtual-clock.ts'

const HOUR_MS = 3_600_000

function keeping(limits = {maxAgeDays: 1}, failure?: StoreError) {
  const clock = createVirtualClock()
  const orders: PruneOrder[] = []
  const troubles: StoreError[] = []
  const stop = new AbortController()
  const prune = async (order: PruneOrder) => {
    orders.push(order)
    if (failure !== undefined) throw new StoreFailure(failure)
    return {frames: 0, bytes: 0}
  }
  const onTrouble = (error: StoreError): void => void troubles.push(error)
  const ended = keepHistory({store: {prune}, clock, limits, onTrouble}, stop.signal)
  return {clock, orders, troubles, stop, ended}
}

test('history is looked at when the engine starts and every hour, until it stops', async () => {
  const {clock, orders, stop, ended} = keeping()
  await clock.advance(2 * HOUR_MS)
  expect(orders).toHaveLength(3)
  expect(orders.map(({now, before}) => now - (before ?? 0))).toEqual([1, 1, 1].map((days) => days * 24 * HOUR_MS))
  stop.abort()
  await ended
  await clock.advance(2 * HOUR_MS)
  expect(orders).toHaveLength(3)
})

test('nothing is deleted by a wall clock that has just jumped', async () => {
  const {clock, orders, stop} = keeping()
  await clock.advance(1)
  clock.sleep(300 * 24 * HOUR_MS)
  await clock.advance(HOUR_MS)
  expect(orders).toHaveLength(1)
  await clock.advance(HOUR_MS)
  expect(orders).toHaveLength(2)
  stop.abort()
})

test('a store that refuses is told of, and asked again', async () => {
  const full = {kind: 'full', detail: 'no space'} as const
  const {clock, orders, troubles, stop} = keeping(undefined, full)
  await clock.advance(HOUR_MS)
  expect(orders).toHaveLength(2)
  expect(troubles).toEqual([full, full])
  stop.abort()
})

test('a store that was closed meanwhile is no trouble', async () => {
  const {clock, troubles, stop} = keeping(undefined, {kind: 'closed', detail: 'the store is closed'})
  await clock.advance(1)
  expect(troubles).toEqual([])
  stop.abort()
})

test('without limits nothing is ever deleted, and nothing waits', async () => {
  const clock = createVirtualClock()
  const prune = async () => {
    throw new Error('nobody asked for it')
  }
  await keepHistory({store: {prune}, clock, limits: {}}, new AbortController().signal)
  expect(clock.untilNext()).toBeUndefined()
})
