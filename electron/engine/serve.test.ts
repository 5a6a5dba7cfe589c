import {expect, test} from 'vitest'
import type {Handlers} from '../../shared/contract/contract.ts'
import {serve} from './serve.ts'

/** No input below may reach one. */
const handlers = {} as Handlers

test('what is wrong with an input is told by its place', async () => {
  expect(await serve(handlers, 'sources.rename', {source: 4, name: ''})).toMatchObject({
    ok: false,
    error: {
      kind: 'badInput',
      channel: 'sources.rename',
      problem: expect.stringMatching(/^source: .*expected string.*; name: Too small/),
    },
  })
})

test.each([
  ['one that is wrong in very many places', 'frames.page', {filter: {outcomes: Array(5_000).fill('none')}, limit: 1}],
  ['a word that is very long', 'sources.rename', {source: 'x', name: 'x'.repeat(1_000_000)}],
  ['a member of its own that is very long', 'handlers.set', {source: 'x', handlers: [{['x'.repeat(1_000_000)]: 1}]}],
  ['a channel of its own that is very long', 'x'.repeat(1_000_000), {}],
])('the answer is short for %s', async (_what, channel, input) => {
  const answer = await serve(handlers, channel, input)
  expect(answer).toMatchObject({ok: false})
  expect(JSON.stringify(answer).length).toBeLessThan(1_000)
})

test('an input that holds very much is not even looked at', async () => {
  const input = {filter: {outcomes: Array(100_000).fill('none')}, limit: 1}
  expect(await serve(handlers, 'frames.page', input)).toMatchObject({
    error: {kind: 'badInput', problem: 'it holds more than any screen sends'},
  })
})

test.each(['__proto__', 'constructor', 'toString', ''])('%j is no channel', async (channel) => {
  expect(await serve(handlers, channel, {})).toEqual({ok: false, error: {kind: 'unknownChannel', channel}})
})
