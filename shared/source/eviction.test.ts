import {expect, test} from 'vitest'
import {readEviction} from './eviction.ts'

const evictions: ReadonlyArray<readonly [data: object, code: string, terminal: boolean]> = [
  [{reason: 'another stream attached to this connection'}, 'taken_over', true],
  [{reason: 'heartbeat lapsed'}, 'heartbeat_lapsed', false],
  [{reason: 'heartbeat lapsed; reopen the stream'}, 'heartbeat_lapsed', false],
  [{reason: 'invalid room subscription'}, 'closed', false],
  [{reason: 'room already claimed'}, 'closed', false],
  [{reason: 'Another stream attached'}, 'closed', false],
  [{}, 'closed', false],
  [{code: 'taken_over', reason: 'x', room_id: null}, 'taken_over', true],
  [{code: 'heartbeat_lapsed', reason: 'another stream attached'}, 'heartbeat_lapsed', false],
  [{code: 'closed', reason: 'x', room_id: 'room-a'}, 'closed', false],
  [{code: 'launch_superseded', reason: ''}, 'launch_superseded', true],
  [{code: 'superseded', reason: ''}, 'superseded', true],
  [{code: 'brand_new', reason: 'x'}, 'brand_new', false],
  [{code: 5, reason: 'another stream attached'}, 'taken_over', true],
  [{code: '', reason: null}, 'closed', false],
]
test.each(evictions)('%j', (data, code, terminal) => {
  const eviction = readEviction({...data})
  expect(eviction).toMatchObject({code, terminal})
  expect(eviction.reason).toBe('reason' in data && typeof data.reason === 'string' ? data.reason : '')
})

test('megabytes of prose are cut to a line, and decide as the whole says', () => {
  const long = 'x'.repeat(5_000_000)
  const told = readEviction({code: `${long}superseded`, reason: `a\u001b[2J\n${long}`})
  expect(told).toMatchObject({terminal: true})
  expect([told.code.length, told.reason.length]).toEqual([500, 500])
  expect(told.reason).toMatch(/^a \[2J x/)
})
