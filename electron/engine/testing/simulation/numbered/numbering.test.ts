import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {judgeNumbered, type Standing} from './numbering.ts'
import type {Place} from './read-message.ts'

/* The witness of numbered streams is held to the vectors too, and by hand to what they leave open, before it judges anything. */

interface AdmitCase {
  readonly n: string
  readonly title: string
  readonly held: Place | null
  readonly newConnection?: boolean
  readonly takeBaseline?: boolean
  readonly steps: readonly {
    readonly incoming: Place
    readonly expect: string
    readonly missing?: number
    readonly missingGenerations?: number
  }[]
  readonly heldAfter: Place
  readonly retiredAfter: readonly number[]
}

const {admit}: {readonly admit: readonly AdmitCase[]} = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/cursor-vectors.json', import.meta.url), 'utf8'),
)

const isNumbered = ({held, steps}: AdmitCase): boolean =>
  [held, ...steps.map(({incoming}) => incoming)].every((place) => typeof (place?.generation ?? 0) === 'number')

/** What the vectors call a decision, as an outcome. */
const OUTCOMES: Readonly<Record<string, string>> = {
  next: 'handled',
  hole: 'handled',
  newGeneration: 'handled',
  numberingReset: 'asks',
}

describe.each(admit.filter(isNumbered))('vector $n: $title', ({held, newConnection, takeBaseline, ...vector}) => {
  test('comes to the same', () => {
    let standing: Standing = {held: held ?? undefined, left: new Set()}
    for (const [n, {incoming, expect: decision, missing = 0, missingGenerations}] of vector.steps.entries()) {
      const message = {at: incoming, isKnown: true, isFirst: newConnection === true && n === 0}
      const verdict = judgeNumbered(standing, message, false)
      expect(verdict.outcome).toBe(OUTCOMES[decision] ?? decision)
      expect(verdict.hole?.missing ?? 0).toBe(missing)
      expect(verdict.hole?.missingGenerations).toBe(missingGenerations)
      const isTaken = verdict.outcome === 'asks' && takeBaseline === true
      standing = (isTaken ? judgeNumbered(standing, message, true) : verdict).after
    }
    expect(standing).toEqual({held: vector.heldAfter, left: new Set(vector.retiredAfter)})
  })
})

const taken: Standing = {held: {generation: 1, sequence: 0}, left: new Set([6])}

test.each([
  ['the next generation', 2, 'handled', [6]],
  ['one that jumps into what the lost numbering had', 4, 'stale', [6]],
  ['its last one', 6, 'stale', [6]],
  ['one above all of it', 7, 'handled', [6]],
])('after a numbering was taken: %s', (_, generation, outcome, left) => {
  const verdict = judgeNumbered(taken, {at: {generation, sequence: 0}, isKnown: true, isFirst: false}, false)
  expect([verdict.outcome, [...verdict.after.left]]).toEqual([outcome, left])
})

test('a numbering that was taken grows through the last generation of the lost one, which is over no longer', () => {
  const grown: Standing = {held: {generation: 5, sequence: 3}, left: new Set([6])}
  const {outcome, after} = judgeNumbered(grown, {at: {generation: 6, sequence: 0}, isKnown: true, isFirst: true}, false)
  expect([outcome, after]).toEqual(['handled', {held: {generation: 6, sequence: 0}, left: new Set()}])
})

test('of a numbering that is taken in its midst the head was not seen', () => {
  const held: Standing = {held: {generation: 6, sequence: 4}, left: new Set()}
  const {hole} = judgeNumbered(held, {at: {generation: 1, sequence: 3}, isKnown: true, isFirst: true}, true)
  expect(hole).toEqual({lane: 'n:1', upTo: 3, missing: 3, after: undefined, tailOf: 'n:6'})
})
