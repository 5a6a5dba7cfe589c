import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Handler} from '../../../shared/handlers/handler.ts'
import {draftOf, emptyDraft, type HandlerDraft, readDraft, secretsOf} from './handler-draft.ts'

const command: Handler = {
  id: 'h',
  name: 'tell',
  rule: {rooms: ['a', 'b'], events: ['message'], addressed: false, outcomes: ['handled', 'discarded']},
  deadlineMs: 1_500,
  attempts: 5,
  backoffMs: 250,
  action: {
    kind: 'command',
    argv: ['/bin/tell', ' two words ', '', '-x'],
    cwd: '/work',
    env: [['A', 'b=c']],
    hasSecret: true,
  },
}
const webhook: Handler = {...command, rule: {}, action: {kind: 'webhook', url: 'https://a.b/c'}}
const notification: Handler = {...command, action: {kind: 'notification'}}

test.each([command, webhook, notification])('a handler is the same after it was opened for changing: %j', (handler) => {
  expect(readDraft(draftOf(handler), true)).toEqual({kind: 'ready', handler})
})

const unfit: ReadonlyArray<[part: Partial<HandlerDraft>, problem: RegExp]> = [
  [{name: ' '}, /name/],
  [{name: 'n'.repeat(101)}, /at most 100/],
  [{argv: ''}, /program/],
  [{deadline: ''}, /deadline/],
  [{deadline: '0'}, /from 0\.1 to 3600/],
  [{attempts: '1.5'}, /Attempts/],
  [{backoff: 'soon'}, /from 0 to 30/],
  [{env: 'no equals sign'}, /NAME=value/],
  [{kind: 'webhook', url: 'ftp://a'}, /http/],
  [{kind: 'webhook', url: 'https://a.b', secret: ''}, /key/],
]
test.each(unfit)('%j is told as what does not fit yet', (part, problem) => {
  const typed = {...emptyDraft('h'), name: 'n', argv: 'true', ...part}
  expect(readDraft(typed, false)).toMatchObject({kind: 'unfit', problem: expect.stringMatching(problem)})
})

test('a webhook with a key that was just typed is ready', () => {
  const typed = {...emptyDraft('h'), name: 'n', kind: 'webhook', url: 'http://127.0.0.1:1/x', secret: 'k'} as const
  expect(readDraft(typed, false)).toMatchObject({kind: 'ready'})
})

test('whatever its arguments, variables and names hold, a handler is the same after it was opened for changing', () => {
  const text = fc
    .oneof(fc.string({minLength: 1}), fc.constantFrom('', ' ', 'a\nb', '"', '"a"', '\r', 'x\\', ' a'))
    .filter((one) => !one.includes('\0'))
  const name = text.filter((one) => one !== '')
  fc.assert(
    fc.property(
      name,
      fc.array(text),
      fc.array(text),
      fc.array(name, {minLength: 1}),
      (program, more, values, rooms) => {
        const env = values.map((value, n) => [`V${n}`, value] as const)
        const action = {kind: 'command', argv: [program, ...more], env, hasSecret: false} as const
        const handler: Handler = {...command, rule: {rooms}, action}
        expect(readDraft(draftOf(handler), false)).toEqual({kind: 'ready', handler})
      },
    ),
  )
})

test('a kept secret stays, is replaced, or is deleted', () => {
  const draft = draftOf(command)
  expect(secretsOf(draft)).toEqual([])
  expect(secretsOf({...draft, secret: 'new'})).toEqual([['h', 'new']])
  const forgetting = {...draft, forgetsSecret: true}
  expect(secretsOf(forgetting)).toEqual([['h', '']])
  expect(readDraft(forgetting, true)).toMatchObject({handler: {action: {hasSecret: false}}})
})
