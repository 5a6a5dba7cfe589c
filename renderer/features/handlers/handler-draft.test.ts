import {expect, test} from 'vitest'
import type {Handler} from '../../../shared/handlers/handler.ts'
import {draftOf, emptyDraft, type HandlerDraft, readDraft} from './handler-draft.ts'

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
  [{argv: ''}, /program/],
  [{deadline: ''}, /deadline/],
  [{deadline: '0'}, /deadline/],
  [{attempts: '1.5'}, /Attempts/],
  [{backoff: 'soon'}, /pause/],
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
