import fc from 'fast-check'
import {expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import type {FrameId} from './frame-id.ts'
import {chooseDeleted, type OldFrame, pruneOrder} from './retention.ts'

const DAY_MS = 86_400_000
const NOW = epochMs(1_700_000_000_000)

/** Of this many days ago; negative: of a time still to come. */
function frame(id: number, daysAgo: number, more: Partial<OldFrame> = {}): OldFrame {
  const receivedAt = NOW - daysAgo * DAY_MS
  return {id: id as FrameId, receivedAt, outcome: 'handled', size: 100, inLedger: false, unhandled: false, ...more}
}

function deleted(frames: readonly OldFrame[], limits: Parameters<typeof pruneOrder>[0], excess = 0): readonly number[] {
  return chooseDeleted(frames, pruneOrder(limits, NOW), excess).deleted.map(({id}) => id)
}

test('what is older than the limit goes, and nothing younger', () => {
  const frames = [frame(1, 20), frame(2, 10.001), frame(3, 10), frame(4, 1)]
  expect(deleted(frames, {maxAgeDays: 10})).toEqual([1, 2])
  expect(chooseDeleted(frames, pruneOrder({maxAgeDays: 10}, NOW), 0).next).toBe(3)
})

test('without limits everything stays', () => {
  expect(deleted([frame(1, 20_000)], {})).toEqual([])
})

test('as much goes as is kept too much, the oldest first', () => {
  const frames = [frame(1, 3, {size: 700}), frame(2, 2, {size: 700}), frame(3, 1, {size: 700})]
  expect(deleted(frames, {}, 1_500)).toEqual([1, 2])
  expect(deleted(frames, {}, 0)).toEqual([])
})

test('gaps, skipped frames and frames that wait for their callback stay, and do not stop what follows', () => {
  const kept = [
    frame(1, 30, {inLedger: true}),
    frame(3, 30, {outcome: 'skipped'}),
    frame(4, 30, {outcome: 'pending', unhandled: true}),
  ]
  const frames = [...kept, frame(2, 30), frame(5, 30)].sort((a, b) => a.id - b.id)
  expect(deleted(frames, {maxAgeDays: 10})).toEqual([2, 5])
  expect(chooseDeleted(kept, pruneOrder({maxAgeDays: 10}, NOW), 9_999)).toEqual({deleted: [], next: undefined})
})

test('a clock that was set back makes nothing older than what was journaled before it', () => {
  expect(deleted([frame(1, 20), frame(2, 5), frame(3, 400), frame(4, 4)], {maxAgeDays: 10})).toEqual([1])
})

test('a time still to come goes with what was journaled after it', () => {
  expect(deleted([frame(1, -9_000), frame(2, 20), frame(3, 1)], {maxAgeDays: 10})).toEqual([1, 2])
  expect(deleted([frame(1, 20), frame(2, -9_000), frame(3, 1)], {maxAgeDays: 10})).toEqual([1])
  expect(deleted([frame(1, -9_000), frame(2, -9_000)], {maxAgeDays: 10})).toEqual([])
})

const frames = fc
  .array(
    fc.record({
      daysAgo: fc.double({min: -5, max: 30, noNaN: true}),
      inLedger: fc.boolean(),
      outcome: fc.constantFrom<OldFrame['outcome']>('handled', 'handled', 'rejected', 'skipped', 'control'),
      size: fc.nat(5_000),
      unhandled: fc.boolean(),
    }),
  )
  .map((list) => list.map(({daysAgo, ...more}, index) => frame(index + 1, daysAgo, more)))

test('looking in pieces deletes what one look deletes', () => {
  fc.assert(
    fc.property(frames, fc.integer({min: 1, max: 10}), (all, size) => {
      const order = pruneOrder({maxAgeDays: 10}, NOW)
      const steady = all.filter(({receivedAt}) => receivedAt <= NOW) // a time to come needs what follows it in the same look
      const found: number[] = []
      let from = 0
      for (;;) {
        const {deleted, next} = chooseDeleted(steady.slice(from, from + size), order, 0)
        found.push(...deleted.map(({id}) => id))
        if (next !== undefined || from + size >= steady.length) break
        from += size
      }
      expect(found).toEqual(chooseDeleted(steady, order, 0).deleted.map(({id}) => id))
    }),
  )
})

test('whatever the limits, what must stay does, and by age alone nothing young goes', () => {
  fc.assert(
    fc.property(frames, fc.integer({min: -2_000, max: 20_000}), (all, excess) => {
      const order = pruneOrder({maxAgeDays: 10}, NOW)
      for (const gone of chooseDeleted(all, order, excess).deleted) {
        expect(gone.unhandled || gone.inLedger || gone.outcome === 'skipped').toBe(false)
        const young = gone.receivedAt >= (order.before ?? 0) && gone.receivedAt <= NOW
        if (young) expect(excess).toBeGreaterThan(0)
      }
    }),
  )
})
