import {assertNever} from '../../shared/base/assert-never.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {BeatAsk} from './beat-ask.ts'
import {type Bridge, createBridge} from './bridge.ts'
import {type BridgeTiming, type Output, REAL_TIMING, type StreamId} from './bridge-state.ts'
import {createDoor, type Door} from './door.ts'
import {createEvent} from './event-frame.ts'
import {frameText} from './framing.ts'
import type {OpenAsk} from './open-ask.ts'
import {createPlay} from './play.ts'
import type {Reply} from './replies.ts'
import {createRetainedEvents, type RetainedEvents} from './retained-events.ts'
import type {Action, EventSpec, Retention, Scenario} from './scenario.ts'

/** Switch note, section 5. */
const REAL_RETENTION: Retention = {count: 2_000, ageMs: 900_000, batch: 200, batchPauseMs: 0}

export interface StageSetup {
  readonly scenario: Scenario
  readonly agentId: string
  /** How many times faster than written the scenario plays. The protocol's own times are in `timing`. */
  readonly speed?: number
  readonly timing?: BridgeTiming
  /** Unlike that of any other run. */
  readonly run: string
  readonly firstGeneration: number
  /** What is added to an input's time to make it ms since the Unix epoch. */
  readonly epochOffset: number
  readonly isForeign?: (connectionId: string) => boolean
}

/** A server that plays a scenario: the bridge, and who acts on it and when. Without clock or socket, like the bridge. */
export interface Stage {
  readonly open: (now: number, stream: StreamId, ask: OpenAsk) => Result<readonly Output[], Reply>
  /** `undefined`: never answered. */
  readonly beat: (now: number, ask: BeatAsk) => Reply | undefined
  readonly closed: (stream: StreamId) => void
  readonly written: (now: number, stream: StreamId) => readonly Output[]
  readonly tick: (now: number) => readonly Output[]
  readonly nextDue: (now: number) => number
}

export function createStage(setup: StageSetup): Stage {
  const {scenario, speed = 1, timing = REAL_TIMING} = setup
  const retention = paced({...REAL_RETENTION, ...scenario.retain}, speed)
  const events = createRetainedEvents(scenario.start, retention)
  const bridge = createBridge({...setup, revision: scenario.revision, events, retention, timing})
  const door = createDoor(speed)
  const play = createPlay(scenario, speed)
  const publish = createPublisher(setup, events)

  /** Every step that is due by now; one may make the next one due. */
  const advance = (now: number): readonly Output[] => {
    const outputs: Output[] = []
    for (;;) {
      const action = play.next(now, bridge.status(now))
      if (action === undefined) return outputs
      outputs.push(...act({bridge, events, door, publish, speed}, now, action))
      play.done(bridge.status(now))
    }
  }

  return {
    open: (now, stream, ask) => {
      const reply = door.refuses('opens', now)
      if (reply !== undefined) return err(reply)
      const opened = bridge.open(now, stream, ask)
      return opened.ok && door.closesAtOnce() ? ok([...opened.value, ...bridge.hangUp('end')]) : opened
    },
    beat: (now, ask) => door.refuses('beats', now) ?? bridge.beat(now, ask),
    closed: bridge.closed,
    written: bridge.written,
    tick: (now) => [...bridge.tick(now), ...advance(now)],
    nextDue: (now) => Math.min(bridge.nextDue(now), play.nextDue(now, bridge.status(now))),
  }
}

interface Props {
  readonly bridge: Bridge
  readonly events: RetainedEvents
  readonly door: Door
  readonly publish: Publish
  readonly speed: number
}

function act({bridge, events, door, publish, speed}: Props, now: number, action: Action): readonly Output[] {
  switch (action.kind) {
    case 'publish':
      publish(now, action.event, 1)
      return bridge.deliver(now)
    case 'burst':
      publish(now, action.event, action.count)
      return bridge.deliver(now)
    case 'gap':
      return bridge.gap(now, action)
    case 'raw':
      return bridge.raw(now, action.text)
    case 'oversized':
      return bridge.raw(now, oversizedFrame(action.bytes))
    case 'evict':
      return bridge.evict(now, action.code)
    case 'close':
      return bridge.hangUp('end')
    case 'reset':
      return [...(action.half ? bridge.raw(now, HALF_A_FRAME) : []), ...bridge.hangUp('reset')]
    case 'closeOnOpen':
      door.closeAtOnce()
      return bridge.hangUp('end')
    case 'restart':
      events.replace(action.to)
      return bridge.restart()
    case 'silence':
      bridge.mute(now + action.forMs / speed)
      return []
    case 'refuse':
      door.refuse(now, action)
      return []
    default:
      return assertNever(action)
  }
}

/** Message ids of one run of numbers lie in a million of their own, so that two runs are never mistaken for one. */
const IDS_A_RUN = 1_000_000

type Publish = (now: number, spec: EventSpec, count: number) => void

function createPublisher({scenario, run, epochOffset}: StageSetup, events: RetainedEvents): Publish {
  let n = 0
  return (now, spec, count) => {
    for (let left = count; left > 0; left--) {
      n += 1
      const occasion = {now, epochMs: Math.round(now + epochOffset), run, n: events.replacements() * IDS_A_RUN + n}
      events.append(createEvent(spec, events.head(), scenario.revision, occasion))
    }
  }
}

function paced(retention: Retention, speed: number): Retention {
  return {...retention, batchPauseMs: retention.batchPauseMs / speed}
}

const HALF_A_FRAME = 'event: message\ndata: {"type":"mess'

function oversizedFrame(bytes: number): string {
  return frameText('message', {type: 'message', room_id: 'room-a', payload: {body: 'x'.repeat(bytes)}})
}
