import {expect, test} from 'vitest'
import {epochMs} from '../../../../../shared/base/units.ts'
import type {Supervisor} from '../../../../../shared/sessions/supervisor.ts'
import {createMeetings} from './meetings.ts'

/* By hand, so that the witness of who answered is right before it judges anything. */

const hello = (generation: string): string =>
  JSON.stringify({type: 'daemon_hello', supervisorGeneration: generation, supervisorOwnerToken: 'secret'})

const called = (generation: string, after?: number): Supervisor => ({
  generation,
  metAt: epochMs(9),
  ...(after === undefined ? {} : {after: epochMs(after)}),
})

function meetings(first?: string) {
  const rules: string[] = []
  return {...createMeetings(first, (rule) => rules.push(rule)), rules}
}

const SILENCE = 'another supervisor was met in silence'
const AGAIN = 'a supervisor was told of again, or never answered'

test('the first one, the same again and another one are told as they answer', () => {
  const {heard, told, owesNothing, last, rules} = meetings()
  heard([hello('a')])
  told(called('a'), undefined)
  owesNothing()
  heard([hello('a')])
  heard(['{"type":"heartbeats_changed"}'])
  heard([hello('b')])
  told(called('b', 3), undefined)
  owesNothing()
  expect([rules, last()]).toEqual([[], 'b'])
})

test.each([
  ['nothing is told of another one', [hello('b')], undefined, [SILENCE]],
  ['the same is told again', [hello('a')], called('a', 3), [AGAIN]],
  ['one is told that did not answer', [hello('b')], called('c', 3), [AGAIN]],
  ['one took a place that is called free', [hello('b')], called('b'), [AGAIN]],
  ['it may have been the same', [hello('b'), hello('a')], undefined, []],
] as const)('%s', (_, lines, supervisor, expected) => {
  const {heard, told, owesNothing, rules} = meetings('a')
  heard(lines)
  if (supervisor !== undefined) told(supervisor, undefined)
  owesNothing()
  expect(rules).toEqual(expected)
})

test('who takes a session over takes over who serves it, once', () => {
  const {told, last, rules} = meetings('a')
  told(called('b'), 'b')
  expect([rules, last()]).toEqual([[], 'b'])
  told(called('b'), 'b')
  expect(rules).toEqual([AGAIN])
})
