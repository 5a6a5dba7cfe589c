import {expect, test} from 'vitest'
import {createEvent} from './event-frame.ts'
import {frameText} from './framing.ts'

test('a frame is an id, an event and one line of compact ASCII JSON, each ended by a line feed', () => {
  const text = frameText('message', {body: 'naïve ☃ 𝄞 \u2028 "q" \\ \n \u0000 \u007f'}, 11)
  expect(text).toBe(
    'id: 11\nevent: message\n' +
      String.raw`data: {"body":"na\u00efve \u2603 \ud834\udd1e \u2028 \"q\" \\ \n \u0000 ` +
      '\\u007f"}\n\n',
  )
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
})

test('a frame about the connection has no id line', () => {
  expect(frameText('gap', {resumed_at: 2})).toBe('event: gap\ndata: {"resumed_at":2}\n\n')
})

const occasion = {now: 5, epochMs: 1_785_569_372_685, run: 'run1', n: 3}
const numbers = {s: 17, rooms: {'room-a': 42}}
const message = {event: 'message', room: 'room-a', from: 'dana', text: 'looks fine'} as const

test('a message of an older server is numbered and brings no position', () => {
  expect(createEvent({...message, addressed: true}, numbers, 'r1', occasion).text).toBe(
    'id: 18\nevent: message\ndata: {"type":"message","room_id":"room-a","bridge_id":"bridge-1","channel_type":"channel_public",' +
      '"payload":{"addressed":true,"sender":"@dana:switch.local","sender_name":"dana","message_id":"$m.run1-3",' +
      '"body":"looks fine","timestamp":1785569372685,"thread_id":null,"attachments":[]},"sequence":18}\n\n',
  )
})

test('a conversation moves the agent and the room, a task only the agent', () => {
  const task = {...message, event: 'task_delegate'} as const
  expect(createEvent(message, numbers, 'r3', occasion).text).toContain('"position":{"s":18,"r:room-a":43}}\n\n')
  expect(createEvent({...message, passedBy: 4}, numbers, 'r3', occasion).text).toContain('{"s":18,"r:room-a":47}}')
  expect(createEvent({...message, room: 'room-c'}, numbers, 'r3', occasion).text).toContain('{"s":18,"r:room-c":1}}')
  expect(createEvent(task, numbers, 'r3', occasion).text).toContain('"position":{"s":18}}\n\n')
})

test('a garbled event still ends as a frame, and is no JSON', () => {
  const {text} = createEvent({...message, garbled: true}, numbers, 'r3', occasion)
  expect(text.startsWith('id: 18\nevent: message\ndata: {')).toBe(true)
  expect(text.endsWith('\n\n')).toBe(true)
  expect(() => JSON.parse(text.split('data: ')[1] ?? '')).toThrow()
})
