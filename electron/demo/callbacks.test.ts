import {expect, test} from 'vitest'
import type {JsonObject} from '../../shared/base/json.ts'
import {epochMs} from '../../shared/base/units.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import type {SourceId} from '../../shared/source/source.ts'
import type {Delivery} from '../engine/callbacks.ts'
import type {Clock} from '../engine/clock.ts'
import {demoCallbacks} from './callbacks.ts'
import {createEvent} from './event-frame.ts'
import type {EventSpec, Scenario} from './scenario.ts'
import {framesOf} from './testing/simulated-client.ts'

const never = new AbortController().signal

const scenario: Scenario = {
  name: 'test',
  about: '',
  revision: 'r3',
  start: {s: 0, rooms: {}},
  steps: [],
  callbacks: [
    {label: 'slow', delayMs: 2_500},
    {label: 'ping', delayMs: 350, rejectUpTo: 1, error: 'the pager answered 503'},
    {label: 'poison', delayMs: 1, rejectUpTo: Number.POSITIVE_INFINITY},
    {label: 'gap', delayMs: 2_000},
  ],
}

function countingClock(): {readonly clock: Clock; readonly waits: number[]} {
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  return {waits, clock: {now: () => epochMs(0), monotonic: () => 0, wait, random: () => 0.5, uuid: () => 'u'}}
}

/** As the server really frames it. */
function delivery(spec: Partial<EventSpec>, attempt = 1): Delivery {
  const whole: EventSpec = {event: 'message', room: 'room-a', from: 'dana', text: 'hello', ...spec}
  const {text} = createEvent(whole, {s: 0, rooms: {}}, 'r3', {now: 0, epochMs: 0, run: 'r.1', n: 7})
  const data: JsonObject = framesOf(text)[0]?.data ?? {}
  const frame: Frame = {kind: 'event', event: whole.event, type: whole.event, data, update: {kind: 'none'}}
  return {source: 'source' as SourceId, frame, attempt} as Delivery // brands of a test; the demo looks at no more
}

test('a callback without a rule takes between 50 and 400 ms, and resolves', async () => {
  const {clock, waits} = countingClock()
  await demoCallbacks(scenario, clock).onEvent(delivery({}), never)
  expect(waits).toEqual([225])
})

test('a marked one takes as long as its rule says, divided by the speed', async () => {
  const {clock, waits} = countingClock()
  await demoCallbacks(scenario, clock, 10).onEvent(delivery({label: 'slow'}), never)
  await demoCallbacks(scenario, clock).onEvent(delivery({label: 'slow', event: 'task_delegate'}), never)
  expect(waits).toEqual([250, 2_500])
})

test('a marked one rejects the first attempt and resolves the second', async () => {
  const {onEvent} = demoCallbacks(scenario, countingClock().clock)
  await expect(onEvent(delivery({label: 'ping'}, 1), never)).rejects.toThrow('the pager answered 503')
  await expect(onEvent(delivery({label: 'ping'}, 2), never)).resolves.toBeUndefined()
})

test('poison rejects every attempt', async () => {
  const {onEvent} = demoCallbacks(scenario, countingClock().clock)
  for (const attempt of [1, 2, 50]) await expect(onEvent(delivery({label: 'poison'}, attempt), never)).rejects.toThrow()
})

test('a gap has its own rule', async () => {
  const {clock, waits} = countingClock()
  await demoCallbacks(scenario, clock).onGap(delivery({}), never)
  expect(waits).toEqual([2_000])
})

test('a callback that is given up never says handled', async () => {
  const {onEvent} = demoCallbacks(scenario, countingClock().clock)
  await expect(onEvent(delivery({}), AbortSignal.abort())).rejects.toThrow()
})
