import {expect, test} from 'vitest'
import {epochMs} from '../../../../shared/base/units.ts'
import type {Change} from '../../../../shared/history/change.ts'
import type {SourceId} from '../../../../shared/source/source.ts'
import {createRemovals} from './removals.ts'

/* By hand, so that the witness of removals is right before it judges anything. */

const SESSION = {socket: '/daemon', sessionId: 's'}
const CAME_BACK = 'a source that the user removed came back'

function added(name: string): Change {
  const id = name as SourceId
  const settings = {kind: 'prime', ...SESSION} as const
  return {kind: 'sourceAdded', source: {id, name, connectionId: '', addedAt: epochMs(0), paused: false, settings}}
}

function removed(name: string): Change {
  return {kind: 'sourceRemoved', source: name as SourceId, at: epochMs(1)}
}

function removals() {
  const rules: string[] = []
  const made = createRemovals({broken: (rule) => rules.push(rule), violation: () => undefined})
  made.durable([added('first')])
  return {...made, rules}
}

test('what the user removes is away, until the user wants it watched again', () => {
  const {asks, wants, durable, sessions, has, rules} = removals()
  asks('first')
  durable([removed('first')])
  expect([has('first'), sessions()]).toEqual([true, [SESSION]])
  wants(SESSION)
  durable([added('second')])
  expect([sessions(), rules]).toEqual([[], []])
})

test('nothing else brings it back', () => {
  const {asks, durable, rules} = removals()
  asks('first')
  durable([removed('first')])
  durable([added('second')])
  expect(rules).toEqual([CAME_BACK])
})

test('it is neither loaded nor visible again', () => {
  const {asks, durable, acknowledged, loaded, seen, rules} = removals()
  asks('first')
  durable([removed('first')])
  seen(['first']) // nobody was told yet
  expect(rules).toEqual([])
  acknowledged([removed('first')])
  seen(['first'])
  loaded(['first'])
  expect(rules).toEqual([CAME_BACK, CAME_BACK])
})

test('no source goes that no user removed', () => {
  const {durable, rules} = removals()
  durable([removed('first')])
  expect(rules).toEqual(['a source was removed that no user removed'])
})
