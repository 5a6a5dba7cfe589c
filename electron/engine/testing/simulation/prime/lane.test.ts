import {expect, test} from 'vitest'
import {inheriting, judgeLine, type Standing} from './lane.ts'
import type {Place} from './read-line.ts'

/* By hand from the protocol note, so that the witness of sessions is right before it judges anything. */

const NOWHERE: Standing = {held: undefined, retired: new Set()}

function at(generation: string, sequence: number): Place {
  return {generation, sequence}
}

function standing(held: Place, ...retired: readonly string[]): Standing {
  return {held, retired: new Set(retired)}
}

function event(place: Place, isKnown = true) {
  return {kind: 'event', at: place, isKnown} as const
}

function snapshot(place: Place) {
  return {kind: 'snapshot', at: place} as const
}

test.each([
  ['the first event, whatever its number', NOWHERE, event(at('a', 7)), ['handled', at('a', 7), undefined]],
  ['the next one', standing(at('a', 7)), event(at('a', 8)), ['handled', at('a', 8), undefined]],
  ['one of an unknown type', standing(at('a', 7)), event(at('a', 8), false), ['discarded', at('a', 8), undefined]],
  ['the same again', standing(at('a', 7)), event(at('a', 7)), ['duplicate', at('a', 7), undefined]],
  ['one behind a hole', standing(at('a', 7)), event(at('a', 10)), ['handled', at('a', 10), 2]],
  ['one of a generation that is over', standing(at('b', 1), 'a'), event(at('a', 9)), ['stale', at('b', 1), undefined]],
  ['the first of another generation', standing(at('a', 7)), event(at('b', 1)), ['handled', at('b', 1), undefined]],
  ['a later one of another generation', standing(at('a', 7)), event(at('b', 3)), ['handled', at('b', 3), 2]],
  ['a snapshot of what was seen', standing(at('a', 7)), snapshot(at('a', 7)), ['handled', at('a', 7), undefined]],
  ['a snapshot of less', standing(at('a', 7)), snapshot(at('a', 5)), ['handled', at('a', 7), undefined]],
  ['a snapshot of more', standing(at('a', 7)), snapshot(at('a', 9)), ['handled', at('a', 9), 2]],
  ['a snapshot of another generation', standing(at('a', 7)), snapshot(at('b', 2)), ['handled', at('b', 2), 2]],
  ['a snapshot of one that is over', standing(at('b', 1), 'a'), snapshot(at('a', 9)), ['stale', at('b', 1), undefined]],
])('%s', (_, before, line, expected) => {
  const verdict = judgeLine(before, line)
  expect([verdict.outcome, verdict.after.held, verdict.hole?.missing]).toEqual(expected)
})

test('what is left is over', () => {
  expect(judgeLine(standing(at('a', 7)), event(at('b', 1))).after.retired).toEqual(new Set(['a']))
})

test('who inherits is lowered by nothing, and leaves its own generation for another one', () => {
  expect(inheriting(NOWHERE, at('a', 4))).toEqual(standing(at('a', 4)))
  expect(inheriting(standing(at('a', 9)), at('a', 4))).toEqual(standing(at('a', 9)))
  expect(inheriting(standing(at('a', 9), 'b'), at('b', 4))).toEqual(standing(at('b', 4), 'a'))
})
