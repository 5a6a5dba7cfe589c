import {expect, test} from 'vitest'
import {createVirtualClock, settle} from '../testing/virtual-clock.ts'
import {type Notification, type Notify, notifySomewhere} from './notify.ts'
import {createPageNotifier, type PageNotification} from './notify-pages.ts'

const told: Notification = {title: 'releases: builds', body: 'message', source: 'a'}
const never = new AbortController().signal

/** Says nothing until it is given up. */
const silent: Notify = (_notification, until) =>
  new Promise((_resolve, reject) => until.addEventListener('abort', () => reject(new Error('silent')), {once: true}))

test('what the desktop shows no page is asked to show', async () => {
  let asked = 0
  const pages = async () => String(asked++)
  expect(await notifySomewhere(async () => 'by the desktop', pages, createVirtualClock())(told, never)).toBe(
    'by the desktop',
  )
  expect(asked).toBe(0)
})

test.each<[string, Notify | undefined]>([
  ['is not there', undefined],
  ['refuses', () => Promise.reject(new Error('no'))],
  ['says nothing', silent],
])('where the desktop %s, the pages show it', async (_what, desktop) => {
  const clock = createVirtualClock()
  const shown = notifySomewhere(desktop, async () => 'by a page', clock)(told, never)
  await clock.advance(5_000)
  expect(await shown).toBe('by a page')
})

test('what is given up is asked of nobody else', async () => {
  const late = new AbortController()
  let asked = 0
  const shown = notifySomewhere(silent, async () => String(asked++), createVirtualClock())(told, late.signal)
  late.abort('deadline')
  await expect(shown).rejects.toThrow('silent')
  expect(asked).toBe(0)
})

test('that it was sent to pages says nothing: one of them says that it shows it', async () => {
  const sent: PageNotification[] = []
  const {notify, shown} = createPageNotifier(createVirtualClock(), (notification) => sent.push(notification))
  let ended = ''
  void notify(told, never).then((where) => (ended = where))
  await settle()
  expect([sent.length, ended, shown('another one')]).toEqual([1, '', false])
  expect(shown(sent[0]?.id ?? '')).toBe(true)
  await settle()
  expect([ended, shown(sent[0]?.id ?? '')]).toEqual(['shown in a page', false])
})

test('where no page is open it has failed at once, and where none shows it when its time is over', async () => {
  const nobody = createPageNotifier(createVirtualClock(), () => 0)
  await expect(nobody.notify(told, never)).rejects.toThrow('nobody to show it to')
  const hidden = createPageNotifier(createVirtualClock(), () => 1)
  await expect(hidden.notify(told, AbortSignal.abort('deadline'))).rejects.toThrow('no page said')
})
