import {expect, test} from 'vitest'
import {nothingHeld} from '../callbacks/held.ts'
import {settlementOf} from '../callbacks/settlement.ts'
import type {Frame} from '../frames/frame.ts'
import {ownProgress, progress, replacement} from '../testing/positions.ts'
import type {HandlerRule} from './handler.ts'
import {matches, subjectOf} from './match-rule.ts'

const message: Frame = {
  kind: 'event',
  event: 'message',
  type: 'message',
  data: {type: 'message', room_id: 'room-a', payload: {addressed: true}},
  update: progress({s: 3, 'r:room-a': 7}),
}
/** An older server: it numbers no rooms, and names them. */
const task: Frame = {
  kind: 'event',
  event: 'task_update',
  type: 'task_update',
  data: {room_id: '__proto__', payload: {}},
  update: ownProgress(4),
}
const gap: Frame = {
  kind: 'gap',
  event: 'gap',
  data: {},
  said: {rooms: ['room-b']},
  update: replacement({s: 1}),
}
const unknown: Frame = {kind: 'unknown', event: 'presence', data: {}, update: progress({s: 9})}
const control: Frame = {kind: 'control', event: 'connection_state', data: {}}

function chosen(rule: HandlerRule, frame: Frame): boolean {
  const subject = subjectOf(frame, settlementOf(nothingHeld(), frame))
  return subject !== undefined && matches(rule, subject)
}

const cases: ReadonlyArray<[behaviour: string, rule: HandlerRule, frame: Frame, chosen: boolean]> = [
  ['an empty rule chooses an event', {}, message, true],
  ['an empty rule chooses a gap', {}, gap, true],
  ['an empty rule chooses nothing that is discarded', {}, unknown, false],
  ['what is discarded is chosen where it is asked for', {outcomes: ['discarded']}, unknown, true],
  ['control frames are never chosen', {outcomes: ['handled', 'discarded']}, control, false],
  ['a room is known by its coordinate', {rooms: ['room-a']}, message, true],
  ['one of several rooms is enough', {rooms: ['x', 'room-a']}, message, true],
  ['another room is not chosen', {rooms: ['room-b']}, message, false],
  ['a room that is only named is known too, whatever it is called', {rooms: ['__proto__']}, task, true],
  ['a gap that names a room is of that room', {rooms: ['room-b']}, gap, true],
  ['an event is known by its name', {events: ['task_update']}, task, true],
  ['a gap is called gap', {events: ['gap']}, gap, true],
  ['another event is not chosen', {events: ['message']}, task, false],
  ['addressed is as sent', {addressed: true}, message, true],
  ['addressed is not what was not sent so', {addressed: false}, message, false],
  ['what was not sent is neither', {addressed: false}, task, false],
  ['an outcome of a gap is what it will do', {outcomes: ['replaced']}, gap, true],
  ['a gap that replaces is not merely handled', {outcomes: ['handled']}, gap, false],
  ['every part must fit', {rooms: ['room-a'], events: ['command']}, message, false],
]
test.each(cases)('%s', (_behaviour, rule, frame, expected) => expect(chosen(rule, frame)).toBe(expected))
