import {type CallbackRule, type EventSpec, type Gate, type Numbers, PLAIN_LABEL, type Step} from './scenario.ts'

type Extra = Partial<Omit<EventSpec, 'event' | 'room' | 'from' | 'text'>>

/** Shorthand for scenarios: somebody says something in a room. */
export function say(afterMs: number, room: string, from: string, text: string, extra: Extra = {}): Step {
  return {afterMs, do: {kind: 'publish', event: {event: 'message', room, from, text, ...extra}}}
}

/** The same step behind another gate. */
export function once(when: Gate, step: Step): Step {
  return {...step, when}
}

/** A task handed to the agent: its own event, part of no conversation. */
export function delegate(afterMs: number, room: string, from: string, text: string, label = 'task'): Step {
  return {afterMs, do: {kind: 'publish', event: {event: 'task_delegate', room, from, text, label}}}
}

/** Many alike, as fast as the socket takes them. */
export function burst(when: Gate, afterMs: number, count: number): Step {
  const event: EventSpec = {event: 'message', room: 'room-a', from: 'ci', text: 'build finished, all checks green'}
  return {afterMs, when, do: {kind: 'burst', count, event}}
}

/** A frame whose JSON breaks off; sent once and kept nowhere. */
export const BROKEN_FRAME =
  'event: message\ndata: {"type":"message","room_id":"room-b","payload":{"sender":"@ben:switch.local","body":"cut o\n\n'

export const NOTHING: Numbers = {s: 0, rooms: {}}

/** Newer servers begin each boot at the next multiple of this (Switch note, section 5). */
export const BOOT = 2 ** 32

/** Three messages, and the client has had a moment to handle them. */
export const OPENING: readonly Step[] = [
  say(200, 'room-a', 'dana', 'is 2.4 still going out today?'),
  say(500, 'room-b', 'ben', 'the docs build is green again'),
  say(500, 'room-a', 'dana', 'asked for the changelog', {addressed: true}),
]

/** What follows once the client is back. */
export const AFTERWARDS: readonly Step[] = [
  once('reopened', say(500, 'room-a', 'ben', 'are you back?', {addressed: true})),
  say(500, 'room-b', 'dana', 'thanks'),
]

/** For scenarios of many messages: callbacks of a plain one that nobody has to see. */
export const QUICK_CALLBACKS: readonly CallbackRule[] = [{label: PLAIN_LABEL, delayMs: 1}]
