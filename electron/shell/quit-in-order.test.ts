import {EventEmitter} from 'node:events'
import {beforeEach, expect, test} from 'vitest'
import {createVirtualClock} from '../engine/testing/virtual-clock.ts'
import {quitInOrder} from './quit-in-order.ts'

let app: EventEmitter & {readonly exit: (code: number) => void; readonly exits: number[]}
let kept: number
const quit = (): boolean => app.emit('will-quit', {preventDefault: () => (kept += 1)})

beforeEach(() => {
  const exits: number[] = []
  app = Object.assign(new EventEmitter(), {exits, exit: (code: number) => void exits.push(code)})
  kept = 0
})

test('the app ends when what runs was closed, and not before', async () => {
  const clock = createVirtualClock()
  const closed = Promise.withResolvers<void>()
  quitInOrder(app, () => closed.promise, clock)
  quit()
  expect(kept).toBe(1)
  await clock.advance(3_000)
  expect(app.exits).toEqual([])
  closed.resolve()
  await clock.advance(0)
  expect(app.exits).toEqual([0])
})

test('nothing is closed in the middle of what runs when the word comes', async () => {
  const clock = createVirtualClock()
  const closes: string[] = []
  quitInOrder(app, async () => void closes.push('closed'), clock)
  quit()
  expect(closes).toEqual([])
  await clock.advance(0)
  expect(closes).toEqual(['closed'])
})

test('what cannot be closed ends the app, and its exit code says so', async () => {
  const clock = createVirtualClock()
  quitInOrder(app, () => Promise.reject(new Error('told by a test: it does not close')), clock)
  quit()
  await clock.advance(0)
  expect(app.exits).toEqual([1])
})

test('what never ends keeps nobody longer than ten seconds', async () => {
  const clock = createVirtualClock()
  quitInOrder(app, () => new Promise(() => {}), clock)
  quit()
  await clock.advance(9_999)
  expect(app.exits).toEqual([])
  await clock.advance(1)
  expect(app.exits).toEqual([0])
})

test('a second word that it shall quit is not withheld', () => {
  quitInOrder(app, () => new Promise(() => {}), createVirtualClock())
  quit()
  quit()
  expect(kept).toBe(1)
})
