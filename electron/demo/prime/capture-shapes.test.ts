import {expect, test} from 'vitest'
import type {JsonObject} from '../../../shared/base/json.ts'
import {primeScenarios} from './scenarios.ts'
import {capturedMessages} from './testing/captures.ts'
import {differences, nameOf, shapesOf} from './testing/shapes.ts'
import {watchScenario} from './testing/watch-scenario.ts'

/** Known from the notes' descriptions only: no capture has one. */
const UNCAPTURED = [
  'auto_retry_end',
  'auto_retry_start',
  'compaction_end',
  'compaction_start',
  'extension_ui_request',
  'session_action_update',
  'session_replaced',
  'session_resynced',
  'session_snapshot_failed',
  'session_status',
]

/** Named by the note, and in no capture: a message that is a summary, and why an answer broke off. */
const UNCAPTURED_PARTS = ['<compactionSummary>: no capture has it', '<assistant>.errorMessage: never']

/** Made wrong on purpose. */
const FAULTY = ['bad-lines']

function made(): readonly JsonObject[] {
  return primeScenarios
    .filter(({name}) => !FAULTY.includes(name) && name !== 'huge-line')
    .flatMap((scenario) => [
      ...watchScenario({scenario, untilMs: 60_000, capabilities: ['extension_ui']}),
      ...watchScenario({scenario, untilMs: 60_000, chunked: false}),
    ])
    .flatMap(({message}) => (message === undefined ? [] : [message]))
}

const real = capturedMessages()
const demo = made()

test('captures were read, and hold most of what the demo sends', () => {
  expect(real.length).toBeGreaterThan(500)
  const names = new Set(real.map(nameOf))
  const unknown = new Set(demo.map(nameOf).filter((name) => !names.has(name)))
  expect([...unknown].sort()).toEqual(UNCAPTURED)
})

test('what the demo sends has the members, and the types of members, that the real daemon’s messages have', () => {
  const comparable = demo.filter((message) => !UNCAPTURED.includes(nameOf(message)))
  expect(differences(shapesOf(real), shapesOf(comparable)).toSorted()).toEqual(UNCAPTURED_PARTS.toSorted())
})

test('a wrong member, a missing one and a wrong type are found', () => {
  const [hello] = real
  if (hello === undefined) throw new Error('no capture')
  const {schemaRevision: _left, ...rest} = hello
  const wrong = {...rest, appVersion: 8, greeting: 'hi'}
  expect(differences(shapesOf(real), shapesOf([wrong])).toSorted()).toEqual([
    'daemon_hello.appVersion: never number',
    'daemon_hello.greeting: never',
    'daemon_hello.schemaRevision: always',
  ])
})
