import {expect, test} from 'vitest'
import {createRoom} from './room.ts'

test('the reading waits until few enough wait, and no longer than its signal', async () => {
  let waiting = 3
  const room = createRoom({size: () => waiting})
  const stop = new AbortController()
  let went = 0
  const first = room.atMost(1, stop.signal).then(() => (went += 1))
  const never = room.atMost(0, stop.signal).then(() => (went += 1))
  waiting = 2
  room.changed()
  await Promise.resolve()
  expect(went).toBe(0)
  waiting = 1
  room.changed()
  await first
  expect(went).toBe(1)
  stop.abort()
  await never
  await room.atMost(0, stop.signal)
  expect(went).toBe(2)
})
