import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Cursor} from '../cursor/cursor.ts'
import {cursorOfPosition, positionOfCursor} from '../cursor/cursor-position.ts'
import {admit, laneAt} from '../cursor/lane.ts'
import {retiredGenerations} from '../cursor/retired.ts'
import type {SequencedFrame, SnapshotFrame} from '../frames/frame.ts'
import {anyCursor, cursor} from '../testing/cursors.ts'
import {type Held, heldAfter, nothingHeld} from './held.ts'
import {settlementOf} from './settlement.ts'

const A = 'da65790f3c68'
const B = '0762effa9b4d'
const at = (generation: string | number, sequence: number): Cursor => cursor({generation, sequence})
const holding = (held: Cursor): Held => ({...nothingHeld(), position: positionOfCursor(held)})

function event(to: Cursor, more: Partial<SequencedFrame> = {}): SequencedFrame {
  return {kind: 'sequenced', event: 'turn_start', data: {}, cursor: to, known: true, newConnection: false, ...more}
}

function snapshot(to: Cursor, more: Partial<SnapshotFrame> = {}): SnapshotFrame {
  return {kind: 'snapshot', event: 'attach', data: {}, cursor: to, purpose: 'attach', newConnection: true, ...more}
}

describe('an event', () => {
  test('waits for its callback, then moves the one coordinate of its generation', () => {
    expect(settlementOf(holding(at(A, 4)), event(at(A, 5)))).toMatchObject({
      outcome: 'handled',
      cause: 'handled',
      callback: 'onEvent',
      steps: [{key: `g:${A}`, before: 4, after: 5}],
      place: {lane: `g:${A}`, sequence: 5},
      cursor: {seen: {lane: `g:${A}`, sequence: 5, by: 'event'}, retired: []},
    })
  })

  test('that jumps moves too, and shows the hole before it', () => {
    const {cursor: facts, outcome} = settlementOf(holding(at(A, 4)), event(at(A, 9)))
    expect(outcome).toBe('handled')
    expect(facts?.hole).toEqual({by: 'event', lane: `g:${A}`, after: 4, upTo: 9, missing: 4})
  })

  test('of another generation ends the line of the one held, and tells that its tail is not known', () => {
    const settlement = settlementOf(holding(at(A, 59)), event(at(B, 14)))
    expect(settlement.steps).toEqual([
      {key: `g:${B}`, after: 14},
      {key: `g:${A}`, before: 59},
    ])
    expect(settlement.cursor).toMatchObject({
      retired: [A],
      hole: {lane: `g:${B}`, tailOf: `g:${A}`, upTo: 14, missing: 13},
    })
  })

  test('that came before, or of a generation that is over, moves nothing and calls nothing', () => {
    const held = heldAfter(holding(at(A, 59)), settlementOf(holding(at(A, 59)), event(at(B, 1))))
    for (const [again, outcome] of [
      [at(B, 1), 'duplicate'],
      [at(A, 60), 'stale'],
    ] as const) {
      const settlement = settlementOf(held, event(again))
      expect(settlement).toMatchObject({outcome, steps: [], cursor: {retired: []}})
      expect(settlement.callback).toBeUndefined()
      expect(settlement.cursor?.seen?.by).toBe(outcome === 'stale' ? 'stale' : undefined)
      expect(heldAfter(held, settlement)).toBe(held)
    }
  })

  test('of a type that is not known takes its number without a callback, for a cause of its own', () => {
    const settlement = settlementOf(holding(at(A, 4)), event(at(A, 5), {known: false}))
    expect(settlement).toMatchObject({outcome: 'discarded', cause: 'discarded', steps: [{after: 5}]})
    expect(settlement.callback).toBeUndefined()
  })

  test('numbered: a snapshot boundary goes on on one lane', () => {
    expect(settlementOf(holding(at(5, 12)), event(at(6, 0)))).toMatchObject({
      steps: [
        {key: 'generation', before: 5, after: 6},
        {key: 'sequence', before: 12, after: 0},
      ],
      place: {lane: 'sequence', sequence: 0},
      cursor: {seen: {lane: 'n:6'}},
    })
  })

  test('numbered: a lower generation on a new connection settles nothing', () => {
    const settlement = settlementOf(holding(at(6, 4)), event(at(1, 0), {newConnection: true}))
    expect(settlement).toMatchObject({outcome: 'pending', steps: [], cursor: {numberingReset: true}})
    expect(settlement.callback).toBeUndefined()
  })
})

describe('the first event of a numbering that began anew', () => {
  test.each([
    ['known', {outcome: 'handled', callback: 'onEvent'}],
    ['unknown', {outcome: 'discarded'}],
  ])('once taken, moves the cursor for a cause of its own: %s', (kind, comesTo) => {
    const first = event(at(1, 0), {newConnection: true, taken: true, known: kind === 'known'})
    expect(settlementOf(holding(at(6, 4)), first)).toMatchObject({
      ...comesTo,
      cause: 'numberingTaken',
      steps: [
        {key: 'generation', before: 6, after: 1},
        {key: 'sequence', before: 4, after: 0},
      ],
      cursor: {retired: [6], resumed: [], numberingReset: false},
    })
  })
})

describe('a snapshot', () => {
  test('is adopted for its own cause, without a callback, beside what the server said', () => {
    const settlement = settlementOf(holding(at(A, 50)), snapshot(at(A, 59), {said: 'complete'}))
    expect(settlement).toMatchObject({
      outcome: 'handled',
      cause: 'snapshotAdopted',
      steps: [{key: `g:${A}`, before: 50, after: 59}],
      cursor: {seen: {by: 'snapshot'}},
    })
    expect(settlement.callback).toBeUndefined()
    const place = {lane: `g:${A}`, after: 50, upTo: 59, missing: 9}
    expect(settlement.cursor?.hole).toEqual({by: 'snapshot', purpose: 'attach', said: 'complete', ...place})
  })

  test('that is behind, or at, the cursor moves nothing', () => {
    for (const behind of [57, 59]) {
      const settlement = settlementOf(holding(at(A, 59)), snapshot(at(A, behind)))
      expect(settlement).toMatchObject({outcome: 'handled', steps: []})
      expect(settlement.cursor?.hole).toBeUndefined()
    }
  })

  test('the first one calls nothing missed', () => {
    expect(settlementOf(nothingHeld(), snapshot(at(A, 59))).cursor?.hole).toBeUndefined()
  })
})

test('held and retired follow the rules of cursors, over any stream', () => {
  fc.assert(
    fc.property(fc.array(anyCursor, {maxLength: 30}), (stream) => {
      let lane = laneAt(undefined)
      let held = nothingHeld()
      for (const incoming of stream) {
        lane = admit(lane, incoming, false).lane
        held = heldAfter(held, settlementOf(held, event(incoming)))
        expect(cursorOfPosition(held.position)).toEqual(lane.held)
        expect(retiredGenerations(held.retired)).toEqual(retiredGenerations(lane.retired))
      }
    }),
  )
})

test('a cursor is found again in the position that keeps it', () => {
  fc.assert(
    fc.property(anyCursor, (one) => {
      expect(cursorOfPosition(positionOfCursor(one))).toEqual(one)
    }),
  )
  expect(cursorOfPosition(nothingHeld().position)).toBeUndefined()
})
