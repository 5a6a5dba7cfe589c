import {expect, test} from 'vitest'
import type {FrameFilter} from '../../shared/contract/contract.ts'
import {matchesFilter} from './frame-filter.ts'
import {frame} from './testing/rows.ts'

const row = frame({
  source: 'a',
  lane: 'r:x',
  outcome: 'rejected',
  summary: 'Ping',
  event: 'task_delegate',
  receivedAt: 50,
})

const cases: ReadonlyArray<[behaviour: string, filter: FrameFilter, matches: boolean]> = [
  ['an empty filter shows everything', {}, true],
  ['another source is not shown', {source: 'b'}, false],
  ['a lane is matched whole', {lane: 'r:'}, false],
  ['text is found in the summary whatever its case', {texts: ['pING']}, true],
  ['text is found in the name of the event', {texts: ['DELEG']}, true],
  ['the beginning belongs to a range, its end does not', {from: 50, to: 51}, true],
  ['the end of a range does not belong to it', {to: 50}, false],
  ['each of several texts must be found', {texts: ['ping', 'task']}, true],
  ['one of them is not enough', {texts: ['ping', 'pong']}, false],
  ['every part must match', {outcomes: ['rejected'], lane: 'r:x', texts: ['pong']}, false],
]

test.each(cases)('%s', (_behaviour, filter, matches) => expect(matchesFilter(row, filter)).toBe(matches))
