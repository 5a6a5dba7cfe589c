import {expect, test} from 'vitest'
import {type AfterRefusal, afterBeatRefused, afterOpenRefused, type Refusal} from './refusal.ts'

const detail = ''
const refusals: ReadonlyArray<readonly [refusal: Refusal, open: AfterRefusal, beat: 'stop' | 'reopen' | 'slower']> = [
  [{kind: 'credentials', status: 401, detail}, 'stop', 'stop'],
  [{kind: 'credentials', status: 403, detail}, 'stop', 'stop'],
  [{kind: 'takenOver', detail}, 'stop', 'stop'],
  [{kind: 'invalidParameter', detail}, 'stop', 'stop'],
  [{kind: 'badRequest', detail}, 'stop', 'slower'],
  [{kind: 'protocolMismatch', detail}, 'stop', 'reopen'],
  [{kind: 'transportRemoved', detail}, 'stop', 'slower'],
  [{kind: 'foreignConnectionId', detail}, 'newConnectionId', 'reopen'],
  [{kind: 'connectionCap', detail}, 'retry', 'reopen'],
  [{kind: 'conflict', detail}, 'retry', 'reopen'],
  [{kind: 'notFound', detail}, 'retry', 'reopen'],
  [{kind: 'unavailable', status: 503, detail}, 'retry', 'slower'],
  [{kind: 'unavailable', status: 429, detail}, 'retry', 'slower'],
  [{kind: 'network', code: 'ECONNREFUSED', detail}, 'retry', 'slower'],
  [{kind: 'unexpected', status: 302, detail}, 'retry', 'slower'],
]
test.each(refusals)('%j', (refusal, open, beat) => {
  expect(afterOpenRefused(refusal)).toBe(open)
  expect(afterBeatRefused(refusal)).toBe(beat)
})
