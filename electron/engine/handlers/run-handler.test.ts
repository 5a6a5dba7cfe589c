import {expect, test} from 'vitest'
import type {HandlerCall} from '../../../shared/handlers/handler-input.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import type {Notification, Notify} from './notify.ts'
import {createHandlerRunner} from './run-handler.ts'
import {call, clock, guard, handler, memoryTokens, never} from './testing/handler-rig.ts'

function shownBy(notify: Notify, until: AbortSignal, more: Partial<HandlerCall> = {}): Promise<HandlerEnd> {
  const run = createHandlerRunner({clock, tokens: memoryTokens(), guard: guard(), notify, environment: {}})
  return run(handler({kind: 'notification'}, {name: 'builds'}), call(more), until)
}

test('a notification names its source and its handler, is done where it was shown, and warns where it comes again', async () => {
  const told: Notification[] = []
  const desktop: Notify = async (notification) => {
    told.push(notification)
    return 'shown by the desktop'
  }
  expect(await shownBy(desktop, never)).toEqual({state: 'resolved', output: 'shown by the desktop', outputBytes: 20})
  await shownBy(desktop, never, {attempt: 2})
  expect(told).toEqual([
    {source: 's-1', title: 'release-bot: builds', body: 'message on r:room-a'},
    {
      source: 's-1',
      title: 'release-bot: builds',
      body: 'message on r:room-a (attempt 2: it may have been shown before)',
    },
  ])
})

test('a notification that nobody shows is rejected, with what is known of it', async () => {
  const nobody: Notify = () => Promise.reject(new Error('no page is open'))
  expect(await shownBy(nobody, never)).toEqual({state: 'rejected', error: 'no page is open'})
})

test.each([
  ['deadline', 'timedOut', 'it ran longer than its deadline: no page said so'],
  ['closedWithApp', 'aborted', 'Tidemark closed while it ran: no page said so'],
  ['restart', 'aborted', 'its source began anew while it ran: no page said so'],
])('a notification that is given up (%s) says why, and is not done', async (reason, state, error) => {
  const over = new AbortController()
  const silent: Notify = (_notification, until) =>
    new Promise((_resolve, reject) => {
      until.addEventListener('abort', () => reject(new Error('no page said so')), {once: true})
      over.abort(reason)
    })
  expect(await shownBy(silent, over.signal)).toEqual({state, error})
})

test('what is over before it was shown is not shown', async () => {
  let asked = 0
  const deaf: Notify = () => new Promise(() => void asked++)
  expect(await shownBy(deaf, AbortSignal.abort('deadline'))).toMatchObject({state: 'timedOut'})
  expect(asked).toBe(0)
})
