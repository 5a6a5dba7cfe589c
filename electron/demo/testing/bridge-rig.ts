import {type Bridge, createBridge} from '../bridge.ts'
import {type BridgeSetup, type Output, REAL_TIMING} from '../bridge-state.ts'
import type {OpenAsk} from '../open-ask.ts'
import {createRetainedEvents, type RetainedEvents} from '../retained-events.ts'
import type {Numbers, Retention, Revision} from '../scenario.ts'
import {framesOf} from './simulated-client.ts'

const RETENTION: Retention = {count: 5, ageMs: 900_000, batch: 200, batchPauseMs: 0}

/** A bridge, and somebody who publishes numbered events in room-a. */
export interface Rig {
  readonly bridge: Bridge
  readonly events: RetainedEvents
  readonly publish: (count: number) => void
}

export function rig(
  revision: Revision,
  start: Numbers = {s: 0, rooms: {}},
  more: Partial<BridgeSetup & Retention> = {},
): Rig {
  const retention = {...RETENTION, ...more}
  const events = createRetainedEvents(start, retention)
  const bridge = createBridge({
    revision,
    agentId: 'agent-1',
    events,
    retention,
    timing: REAL_TIMING,
    firstGeneration: 100,
    ...more,
  })
  const publish = (count: number) => {
    for (let n = 0; n < count; n++) {
      const s = events.head().s + 1
      events.append({
        s,
        at: 0,
        text: `id: ${s}\nevent: message\ndata: {"s":${s}}\n\n`,
        room: 'room-a',
        addressed: false,
        roomNumber: s,
      })
    }
  }
  return {bridge, events, publish}
}

export function ask(from: number | 'head' = 0, more: Partial<OpenAsk> = {}): OpenAsk {
  return {connectionId: 'c', scope: 'all', filter: 'all', from, ...more}
}

export function open(bridge: Bridge, now: number, stream: number, one: OpenAsk = ask()): readonly Output[] {
  const opened = bridge.open(now, stream, one)
  if (!opened.ok) throw new Error(opened.error.body)
  return opened.value
}

/** The frames among outputs, as `[event, data]`. */
export function frames(outputs: readonly Output[]): readonly unknown[] {
  const text = outputs.map((output) => ('text' in output ? output.text : '')).join('')
  return framesOf(text).map(({event, data}) => [event, data])
}
