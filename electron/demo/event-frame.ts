import {assertNever} from '../../shared/base/assert-never.ts'
import {frameText} from './framing.ts'
import type {RetainedEvent} from './retained-events.ts'
import {type EventSpec, type Numbers, PLAIN_LABEL, type Revision} from './scenario.ts'

/** When and as the how manieth of which run an event is made: its identity. */
export interface Occasion {
  /** Server clock, in ms. */
  readonly now: number
  /** The same instant since the Unix epoch, as the payload says it. */
  readonly epochMs: number
  /** Unlike that of any other run, so that no two events share a message id. */
  readonly run: string
  readonly n: number
}

/** Numbers an event, and frames it as this revision of the server would. */
export function createEvent(spec: EventSpec, head: Numbers, revision: Revision, occasion: Occasion): RetainedEvent {
  const s = head.s + 1
  const roomNumber = isConversation(spec) ? heldNumber(head, spec.room) + 1 + (spec.passedBy ?? 0) : undefined
  const data = {
    ...(spec.untyped === true ? {} : {type: spec.event}),
    room_id: spec.room,
    bridge_id: 'bridge-1',
    channel_type: 'channel_public',
    payload: payload(spec, occasion),
    sequence: s,
    ...(revision === 'r3'
      ? {position: {s, ...(roomNumber === undefined ? {} : {[`r:${spec.room}`]: roomNumber})}}
      : {}),
  }
  const whole = frameText(spec.event, data, s)
  return {
    s,
    at: occasion.now,
    text: spec.garbled === true ? `${whole.slice(0, Math.floor(whole.length * 0.6))}\n\n` : whole,
    room: spec.room,
    addressed: spec.addressed ?? false,
    ...(roomNumber === undefined ? {} : {roomNumber}),
  }
}

/** A room may be called `__proto__` or `constructor`, and every object has those. */
function heldNumber({rooms}: Numbers, room: string): number {
  return Object.hasOwn(rooms, room) ? (rooms[room] ?? 0) : 0
}

/** A task is between two agents: only the agent's own counter knows it. So is what no client knows. */
function isConversation(spec: EventSpec): boolean {
  return spec.event === 'message' || spec.event === 'command' || spec.event === 'room_join'
}

function payload(spec: EventSpec, {epochMs, run, n}: Occasion): unknown {
  const {event, from, text} = spec
  const user = `@${from}:switch.local`
  const id = `${spec.label ?? PLAIN_LABEL}.${run}-${n}`
  switch (event) {
    case 'message':
      return {
        addressed: spec.addressed ?? false,
        sender: user,
        sender_name: from,
        message_id: `$${id}`,
        body: spec.bytes === undefined ? text : text.padEnd(spec.bytes, ' tick'),
        timestamp: epochMs,
        thread_id: null,
        attachments: [],
      }
    case 'command': {
      const [command = '', ...args] = text.split(' ')
      return {command, args: args.join(' '), user_id: user, user_name: from, thread_id: null}
    }
    case 'room_join':
      return {member: user, member_name: from, timestamp: epochMs, listening: false}
    case 'task_delegate':
      return {...task(id, from), summary: text, description: text}
    case 'task_update':
      return {...task(id, from), update: text}
    case 'presence_hint':
      return {member: user, hint: text}
    default:
      return assertNever(event)
  }
}

function task(id: string, from: string): object {
  return {task_id: id, requester_agent_id: from, performer_agent_id: 'release-bot'}
}
