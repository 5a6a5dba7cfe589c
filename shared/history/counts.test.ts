import {expect, test} from 'vitest'
import {epochMs} from '../base/units.ts'
import type {SourceId} from '../source/source.ts'
import {countersOf, countsOf} from './counts.ts'
import type {FrameId, JournaledFrame} from './fact.ts'

test('counts are told counter by counter', () => {
  expect(countsOf((counter) => counter.length)).toEqual({
    frames: 6,
    handled: 7,
    rejected: 8,
    skipped: 7,
    discarded: 9,
    malformed: 9,
    control: 7,
    duplicate: 9,
    stale: 5,
    gaps: 4,
    snapshots: 9,
    holes: 5,
    numberings: 10,
  })
})

test('a gap that comes again after it was rejected is one more delivery, and the same gap', () => {
  const gap: JournaledFrame = {
    id: 2 as FrameId,
    source: 'a' as SourceId,
    receivedAt: epochMs(0),
    kind: 'gap',
    event: 'gap',
    summary: '',
    bytes: new Uint8Array(),
    size: 0,
    cuts: [],
  }
  const journaled = (frame: JournaledFrame) =>
    countersOf({kind: 'frameJournaled', frame, outcome: 'pending', attempt: 1})
  expect(journaled(gap)).toEqual(['frames', 'gaps'])
  expect(journaled({...gap, redelivers: 1 as FrameId})).toEqual(['frames'])
})
