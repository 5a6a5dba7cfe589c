import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createStreamingMessage} from './streaming-text.ts'

const start = {type: 'message_start', message: {role: 'assistant'}}
const update = (assistantMessageEvent: object, message: object = {}) => ({
  type: 'message_update',
  message,
  assistantMessageEvent,
})
const delta = (contentIndex: number, text: string, kind = 'text') =>
  update({type: `${kind}_delta`, contentIndex, delta: text})

function after(...events: readonly object[]) {
  const message = createStreamingMessage()
  for (const event of events) message.take({...event})
  return message.told()
}

test('text is the sum of its deltas, whatever the message beside them says', () => {
  const lacking = {content: [{type: 'text', text: 'High'}]}
  const sum = after(
    start,
    delta(1, 'High '),
    update({type: 'text_delta', contentIndex: 1, delta: 'water'}, lacking),
    delta(0, 'hm', 'thinking'),
  )
  expect(sum).toEqual({text: 'High water', thinking: 'hm'})
})

test('the end of a block corrects what was summed, and the end of the message is the end of the stream', () => {
  const ended = update({type: 'text_end', contentIndex: 0, content: 'High water'})
  expect(after(start, delta(0, 'Hig'), ended)).toEqual({text: 'High water', thinking: ''})
  expect(after(start, delta(0, 'Hig'), {type: 'message_end'})).toBeUndefined()
})

test('who comes in the middle of a message begins with what the snapshot says of it', () => {
  const message = createStreamingMessage()
  message.seed({role: 'assistant', content: [{type: 'thinking', thinking: 'hm'}, {type: 'text', text: 'High '}, 7]})
  message.take({...delta(1, 'water')})
  expect(message.told()).toEqual({text: 'High water', thinking: 'hm'})
  message.seed(undefined)
  expect(message.told()).toBeUndefined()
})

test('a user’s message is not streamed', () => {
  expect(after({type: 'message_start', message: {role: 'user'}})).toBeUndefined()
})

test('however it is cut, what is told is the end of the whole, and never more than is shown', () => {
  fc.assert(
    fc.property(fc.array(fc.string({maxLength: 900}), {maxLength: 20}), (pieces) => {
      const told = after(start, ...pieces.map((piece) => delta(0, piece)))
      expect(told?.text).toBe(pieces.join('').slice(-4_000))
    }),
  )
})

test('a message of very many blocks is told from its last ones', () => {
  const many = Array.from({length: 10_000}, (_, index) => delta(index, '.'))
  expect(after(start, ...many)?.text.split('\n')).toHaveLength(200)
})
