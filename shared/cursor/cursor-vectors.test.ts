import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {cursor} from '../testing/cursors.ts'
import {compareCursors, parseCursor} from './cursor.ts'
import {admit, adopt, type Lane, laneAt, takeBaseline} from './lane.ts'
import {resumeFrom} from './resume.ts'
import {retiredGenerations} from './retired.ts'

interface Stood {
  readonly n: string
  readonly held: object | null
  readonly retired: readonly (string | number)[]
  readonly heldAfter: object
  readonly retiredAfter: readonly (string | number)[]
  readonly newConnection?: boolean
}
interface AdmitVector extends Stood {
  readonly title: string
  readonly takeBaseline?: boolean
  readonly steps: readonly {
    readonly incoming: object
    readonly expect: string
    readonly missing?: number
    readonly missingGenerations?: number
  }[]
}
interface SnapshotVector extends Stood {
  readonly title: string
  readonly snapshot: object
  readonly expect: string
  readonly missing?: number
  readonly missingGenerations?: number
  readonly journaled?: readonly object[]
}

interface ResumeVector {
  readonly n: string
  readonly title: string
  readonly log: readonly object[]
  readonly cursor: object | null
  readonly delivered: readonly object[]
  readonly future?: boolean
}
interface Vectors {
  readonly order: readonly {
    readonly n: string
    readonly a: object
    readonly b: object
    readonly expect: string
    readonly why: string
  }[]
  readonly parse: readonly {readonly n: string; readonly json: string; readonly valid: boolean; readonly why: string}[]
  readonly admit: readonly AdmitVector[]
  readonly snapshot: readonly SnapshotVector[]
  readonly resume: readonly ResumeVector[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/cursor-vectors.json', import.meta.url), 'utf8'),
)

function laneOf({held, retired}: Stood): Lane {
  const generations = retired.map((generation) => cursor({generation, sequence: 0}).generation)
  return laneAt(held === null ? undefined : cursor(held), generations)
}

function expectStands(lane: Lane, {heldAfter, retiredAfter}: Stood): void {
  expect(lane.held).toEqual(heldAfter)
  expect(retiredGenerations(lane.retired)).toEqual(retiredAfter)
}

/** What a vector expects of a verdict; a `missing` of 0 is said by leaving it out. */
function wanted({expect: decision, missing = 0, missingGenerations = 0}: Partial<SnapshotVector>): object {
  return {
    decision,
    ...(missing > 0 ? {missing} : {}),
    ...(missingGenerations > 0 ? {missingGenerations} : {}),
  }
}

test.each(vectors.order)('$n: $why', ({a, b, expect: order}) => {
  expect(compareCursors(cursor(a), cursor(b))).toBe(order)
})

test.each(vectors.parse)('$n: $why', ({json, valid}) => {
  const value: unknown = JSON.parse(json)
  const parsed = parseCursor(value)
  expect(parsed !== undefined).toBe(valid)
  if (parsed !== undefined) expect(value).toMatchObject(parsed)
})

describe('admission', () => {
  test.each(vectors.admit)('$n: $title', (vector) => {
    let lane = laneOf(vector)
    for (const [n, step] of vector.steps.entries()) {
      const incoming = cursor(step.incoming)
      const judged = admit(lane, incoming, n === 0 && vector.newConnection === true)
      expect(judged.verdict).toEqual(wanted(step))
      lane = judged.lane
      if (vector.takeBaseline === true && judged.verdict.decision === 'numberingReset')
        lane = takeBaseline(lane, incoming)
    }
    expectStands(lane, vector)
  })
})

describe('snapshots', () => {
  test.each(vectors.snapshot)('$n: $title', (vector) => {
    let lane = laneOf(vector)
    for (const one of vector.journaled ?? []) lane = admit(lane, cursor(one), false).lane
    const judged = adopt(lane, cursor(vector.snapshot), vector.newConnection === true)
    expect(judged.verdict).toEqual(wanted(vector))
    expectStands(judged.lane, vector)
  })
})

describe('resuming', () => {
  test.each(vectors.resume)('$n: $title', ({log, cursor: from, delivered, future}) => {
    const resumed = resumeFrom(log.map(cursor), from === null ? undefined : cursor(from), (one) => one)
    expect(resumed).toEqual(future === true ? {kind: 'future'} : {kind: 'resumed', items: delivered})
  })

  test('a cursor of an opaque generation that the log does not hold is neither caught up nor ahead', () => {
    const log = [cursor({generation: 'a', sequence: 1}), cursor({generation: 'b', sequence: 1})]
    const from = (generation: string, sequence: number) => resumeFrom(log, cursor({generation, sequence}), (one) => one)
    expect(from('c', 1)).toEqual({kind: 'unknownGeneration'})
    expect(from('a', 0)).toEqual({kind: 'resumed', items: [log[0]]})
    expect(from('a', 1)).toEqual({kind: 'resumed', items: []})
    expect(from('a', 9)).toEqual({kind: 'future'})
  })

  test('where nothing is known, every cursor is ahead of it', () => {
    expect(resumeFrom([], cursor({generation: 0, sequence: 0}), (one: never) => one)).toEqual({kind: 'future'})
    expect(resumeFrom([], undefined, (one: never) => one)).toEqual({kind: 'resumed', items: []})
  })
})
