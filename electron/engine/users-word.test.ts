import {expect, test} from 'vitest'
import {createUsersWord} from './users-word.ts'

const forEver = new AbortController().signal

test('whoever waits for the word hears it once', async () => {
  const word = createUsersWord()
  const heard = word.next(forEver)
  expect(word.raise()).toBe(true)
  await heard
  expect(word.raise()).toBe(false)
})

test('whoever was stopped while waiting hears nothing, so that the word starts the source again', () => {
  const word = createUsersWord()
  const stop = new AbortController()
  void word.next(stop.signal)
  stop.abort()
  expect(word.raise()).toBe(false)
})

test('whoever waits now is not forgotten when somebody else leaves who waited before', () => {
  const word = createUsersWord()
  const stop = new AbortController()
  void word.next(stop.signal)
  void word.next(forEver)
  stop.abort()
  expect(word.raise()).toBe(true)
})
