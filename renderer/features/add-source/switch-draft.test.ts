import {expect, test} from 'vitest'
import {draftOf, EMPTY_DRAFT, readDraft} from './switch-draft.ts'

const FULL = {...EMPTY_DRAFT, url: 'http://127.0.0.1:8080/', agentId: ' monitor ', token: 'secret\n'}

test('a full form is ready, without trailing slashes and stray spaces', () => {
  expect(readDraft(FULL)).toEqual({
    kind: 'ready',
    source: {
      name: 'monitor',
      settings: {
        kind: 'switch',
        url: 'http://127.0.0.1:8080',
        agentId: 'monitor',
        watchAs: 'own',
        startFrom: 'retained',
      },
      token: 'secret',
    },
  })
})

test('the watched agent’s token goes nowhere before its side effects were accepted', () => {
  expect(readDraft({...FULL, watchAs: 'agent'}).kind).toBe('notReady')
  expect(readDraft({...FULL, watchAs: 'agent', understood: true}).kind).toBe('ready')
})

test('an empty form says everything that is missing', () => {
  expect(readDraft(EMPTY_DRAFT)).toEqual({kind: 'notReady', missing: ['the bridge URL', 'the agent id', 'the token']})
})

test.each([
  'bridge',
  'ftp://bridge',
  'ws://bridge',
  'http://user:word@bridge',
  'http://bridge/base?q=1',
  'http://bridge#f',
])('%s is no bridge URL', (url) => {
  expect(readDraft({...FULL, url})).toEqual({
    kind: 'notReady',
    missing: ['a bridge URL that begins with http:// or https://, without a user name, a query or a fragment'],
  })
})

test('unless the user says otherwise, a source begins with everything the server still holds', () => {
  expect(EMPTY_DRAFT.startFrom).toBe('retained')
  expect(readDraft({...FULL, startFrom: 'head'})).toMatchObject({source: {settings: {startFrom: 'head'}}})
})

test('the form of a source that is there needs its token again only for another server', () => {
  const reading = readDraft(FULL)
  if (reading.kind !== 'ready' || reading.source.settings.kind !== 'switch') throw new Error('not ready')
  const {token: _, ...source} = reading.source
  const {settings} = reading.source
  const draft = draftOf({name: 'monitor', settings})
  expect(readDraft(draft, settings)).toEqual({kind: 'ready', source})
  expect(readDraft({...draft, url: 'http://127.0.0.1:8080/below'}, settings).kind).toBe('ready')
  const moved = {...draft, url: 'http://127.0.0.1:9090'}
  expect(readDraft(moved, settings)).toEqual({kind: 'notReady', missing: ['the token for this URL']})
  expect(readDraft({...moved, token: 'another'}, settings)).toMatchObject({source: {token: 'another'}})
})
