import {expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import {countsOf} from '../../shared/history/counts.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {loadRun} from './load-run.ts'
import {judgeArrival} from './switch/receive-switch-frame.ts'
import {createSseReader} from './wire/sse-reader.ts'

const record = {
  id: 'one' as SourceId,
  name: 'one',
  settings: {kind: 'switch', url: 'http://127.0.0.1:1', agentId: 'a', watchAs: 'own', startFrom: 'head'},
  connectionId: 'c',
  addedAt: epochMs(0),
  paused: false,
} as const

test('a malformed frame that the user skipped is known by the next process where it comes again', () => {
  const [arrival] = createSseReader().feed(new TextEncoder().encode('id: 7\r\nevent: message\r\ndata: {broken\r\n\r\n'))
  if (arrival?.kind !== 'frame') throw new Error('no frame')
  const {identity} = judgeArrival(arrival)
  const passedOver = [arrival.frame.bytes]
  const stored = {record, position: new Map(), vectorSeen: false, retired: [], unhandled: [], counts: countsOf(() => 0)}
  const run = loadRun({...stored, passedOver}, epochMs(1))
  expect([...run.passOver]).toEqual([identity])
  expect(loadRun(stored, epochMs(1)).passOver.size).toBe(0)
})
