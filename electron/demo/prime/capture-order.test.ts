import {expect, test} from 'vitest'
import {isJsonObject, type JsonObject} from '../../../shared/base/json.ts'
import {findPrimeScenario} from './scenarios.ts'
import {capturedMessages} from './testing/captures.ts'
import {watchScenario} from './testing/watch-scenario.ts'

/** What a message is, with whose message it tells of and which part; a response with its command. */
function stepOf({type, event, command, reason, purpose}: JsonObject): string {
  if (!isJsonObject(event)) return [type, command ?? reason ?? purpose].filter((part) => part !== undefined).join(' ')
  const {message, assistantMessageEvent: part} = event
  const role = isJsonObject(message) && event['type'] !== 'message_update' ? message['role'] : undefined
  return [event['type'], role, isJsonObject(part) ? part['type'] : undefined]
    .filter((one) => one !== undefined)
    .join(' ')
}

/** How many pieces a text came in is chance. */
function orderOf(messages: readonly JsonObject[]): readonly string[] {
  const steps = messages.map(stepOf)
  return steps.filter((step, n) => step !== steps[n - 1])
}

function made(name: string): readonly string[] {
  const scenario = findPrimeScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  return orderOf(
    watchScenario({scenario, untilMs: 60_000}).flatMap(({message}) => (message === undefined ? [] : [message])),
  )
}

/** From one step to another, both inclusive; the n-th time the first comes. */
function part(steps: readonly string[], from: string, to: string, nth = 0): readonly string[] {
  const begins = steps.flatMap((step, n) => (step === from ? [n] : []))[nth] ?? -1
  return steps.slice(begins, steps.indexOf(to, begins) + 1)
}

const session = orderOf(capturedMessages('02', 'observer'))

test('an attach is told in the order of a real one', () => {
  const attach = part(orderOf(capturedMessages('04', 'observer')), 'response attach', 'session_snapshot_end')
  expect(attach).toHaveLength(4)
  expect(part(made('still'), 'response attach', 'session_snapshot_end')).toEqual(attach)
})

test.each([
  ['turn', 'agent_start', 'agent_end', 0, 14],
  ['tool', 'agent_start', 'agent_end', 1, 29],
  ['bash', 'bash_start', 'bash_end', 0, 3],
] as const)('a %s comes in the order of a real one', (name, from, to, nth, length) => {
  const real = part(session, from, to, nth)
  expect(real).toHaveLength(length)
  expect(part(made(name), from, to)).toEqual(real)
})

test('a shutdown and an update end in the order of real ones', () => {
  const real = orderOf(capturedMessages('08', 'obs2'))
  const shutdown = part(real, 'daemon_closing shutdown', 'session_closed killed')
  expect(shutdown).toHaveLength(2)
  expect(part(made('shutdown'), 'daemon_closing shutdown', 'session_closed killed')).toEqual(shutdown)
  expect(real.slice(0, 2)).toEqual(['heartbeats_changed', 'daemon_hello'])
  const back = made('supervisor-update')
  expect(back.slice(back.indexOf('daemon_closing update')).filter((step) => !step.includes(' '))).toEqual(
    expect.arrayContaining(['heartbeats_changed', 'daemon_hello']),
  )
})
