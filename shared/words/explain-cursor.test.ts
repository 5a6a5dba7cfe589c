import {expect, test} from 'vitest'
import {heldAfter, nothingHeld} from '../callbacks/held.ts'
import {settleSequenced, settleSnapshot} from '../callbacks/settle-cursor.ts'
import {stepTripleOf} from '../contract/to-rows.ts'
import {parseCursor} from '../cursor/cursor.ts'
import {nameDecision} from './explain-cursor.ts'

type Told = readonly [kind: 'event' | 'snapshot', generation: string | number, sequence: number]

/** What each frame of a stream is called, settled one after the other by the rules themselves. */
function decisions(told: readonly Told[]): ReadonlyArray<string | undefined> {
  let held = nothingHeld()
  return told.map(([kind, generation, sequence]) => {
    const cursor = parseCursor({generation, sequence})
    if (cursor === undefined) throw new Error('no cursor')
    const about = {cursor, event: 'x', data: {}, newConnection: false}
    const settlement =
      kind === 'event'
        ? settleSequenced(held, {...about, kind: 'sequenced', known: true})
        : settleSnapshot(held, {...about, kind: 'snapshot', purpose: 'resync'})
    held = heldAfter(held, settlement)
    const {outcome, place, cursor: facts, steps} = settlement
    const hole = facts?.hole && {...facts.hole, frame: 1, source: 'a', receivedAt: 0}
    return nameDecision({kind, outcome, ...place}, steps.map(stepTripleOf), hole)?.word
  })
}

test('the words are those of the decisions the rules made', () => {
  expect(
    decisions([
      ['event', 'aa', 1],
      ['event', 'aa', 2],
      ['event', 'aa', 5],
      ['event', 'aa', 4],
      ['snapshot', 'aa', 9],
      ['snapshot', 'aa', 9],
      ['event', 'bb', 1],
      ['event', 'aa', 10],
      ['snapshot', 'cc', 3],
    ]),
  ).toEqual([
    ...['first', 'next', 'after a hole', 'duplicate', 'adopted', 'nothing new', 'new generation', 'stale'],
    'adopted, in another generation',
  ])
})

test('numbered generations are told by the same words', () => {
  expect(
    decisions([
      ['event', 4, 0],
      ['event', 4, 1],
      ['event', 5, 0],
      ['event', 4, 2],
    ]),
  ).toEqual(['first', 'next', 'new generation', 'stale'])
})

test('where a numbering began anew the decision is the user’s, and numbers are not called names', () => {
  const lane = 'sequence'
  const boundary = (before: number, after: number) =>
    nameDecision({kind: 'event', lane, outcome: 'handled'}, [['generation', before, after]], undefined)
  expect(boundary(4, 5)).toMatchObject({word: 'new generation', meaning: expect.stringContaining('the order goes on')})
  expect(boundary(4, 1)).toMatchObject({word: 'new numbering', meaning: expect.stringContaining('begins anew')})
  expect(nameDecision({kind: 'event', lane, outcome: 'handled', cause: 'numberingTaken'}, [], undefined)?.word).toBe(
    'first of a new numbering',
  )
  expect(nameDecision({kind: 'event', lane, outcome: 'stale', cause: 'numberingKept'}, [], undefined)?.word).toBe(
    'not taken',
  )
})

test('a frame of a vector has no such decision', () => {
  expect(
    nameDecision({kind: 'event', lane: 'r:room', outcome: 'handled'}, [['r:room', 1, 2]], undefined),
  ).toBeUndefined()
})
