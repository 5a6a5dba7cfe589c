import {expect, test} from 'vitest'
import type {JsonObject} from '../../../shared/base/json.ts'
import {rig, STILL} from './testing/daemon-rig.ts'
import {breachesOfPassivity} from './testing/passive.ts'
import {attachTo} from './testing/plain-client.ts'

function breaches(...commands: readonly JsonObject[]): readonly string[] {
  const {daemon, ask} = rig()
  daemon.connected(0, 1)
  for (const command of commands) ask(1, command)
  return breachesOfPassivity(daemon.record())
}

test('a watcher that lists, attaches and asks for states is passive', () => {
  const state = {type: 'get_state', activeSessionId: 'x'}
  const resumed = {...attachTo('x'), resumeCursor: {activeSessionId: 'x', generation: 'g', sequence: 3}}
  expect(breaches({type: 'list'}, attachTo('x'), resumed, state, {type: 'detach'})).toEqual([])
})

test.each([
  [{type: 'prompt', message: 'hi'}, ['sent prompt']],
  [{type: 'list', clientId: 'me'}, ['list names a client']],
  [attachTo('x', false), ['attach claims attach_snapshot,event_sequence,slim_attach']],
  [{...attachTo('x'), capabilities: ['extension_ui']}, ['attach claims extension_ui']],
  [{...attachTo('x'), supportsExtensionUi: true}, ['attach does not refuse dialogs']],
  [{...attachTo('x'), env: {HERDR: '1'}}, ['attach without an empty env']],
  [{...attachTo('x'), telemetryDisabled: true}, ['attach with telemetryDisabled']],
])('%j is a breach', (command, expected) => {
  expect(breaches(command)).toEqual(expected)
})

test('so is whatever is sent before the hello, or to another protocol', () => {
  const late = rig({...STILL, hello: {delayMs: 10}})
  const newer = rig({...STILL, hello: {version: 8}})
  for (const {daemon, ask} of [late, newer]) {
    daemon.connected(0, 1)
    ask(1, {type: 'list'})
  }
  expect(breachesOfPassivity(late.daemon.record())).toEqual(['sent before the hello'])
  expect(breachesOfPassivity(newer.daemon.record())).toEqual(['sent to protocol 8'])
})
