import {expect, test} from 'vitest'
import {explainHole, explainReplay, rangeOfHole, seenOfHole, shortHole, titleOfHole} from './explain-hole.ts'

const jump = {by: 'event', lane: 'g:aa', after: 41, upTo: 46, missing: 4} as const
const resync = {by: 'snapshot', lane: 'g:aa', after: 41, upTo: 59, missing: 18} as const
const head = {by: 'event', lane: 'g:bb', upTo: 8, missing: 7, tailOf: 'g:aa'} as const
const skipped = {by: 'event', lane: 'n:9', upTo: 0, missing: 0, missingGenerations: 2} as const

test('the numbers of a hole lie between what was held and what came', () => {
  expect([jump, resync, head, skipped].map(rangeOfHole)).toEqual([
    '42 … 45 of generation aa',
    '42 … 59 of generation aa',
    '1 … 7 of generation bb',
    undefined,
  ])
  expect(rangeOfHole({...jump, after: 44, missing: 1})).toBe('45 of generation aa')
})

test('what was seen is told by the numbers themselves', () => {
  expect([jump, resync, head].map(seenOfHole)).toEqual([
    'held 41, then 46 came',
    'held 41, then the snapshot’s cursor is 59',
    'held generation aa, then 8 came in another one',
  ])
})

test('it is counted in numbers, and whole generations are not counted as numbers', () => {
  expect([jump, skipped, {...skipped, missing: 3, missingGenerations: 1}].map(titleOfHole)).toEqual([
    'Hole: 4 numbers not seen',
    'Hole: 2 whole generations not seen',
    'Hole: 3 numbers and 1 whole generation not seen',
  ])
  expect([jump, skipped].map(shortHole)).toEqual(['4 not seen', '2 generations not seen'])
})

test('a hole is not called a loss, and a snapshot not a sight of the events', () => {
  for (const hole of [jump, resync, head]) expect(explainHole(hole)).toContain('not yet a loss')
  expect(explainHole(resync)).toContain('counts no event as seen')
  expect(explainHole(jump)).not.toContain('snapshot')
  expect(explainHole(head)).toContain('generation aa after the last number held is not known')
})

const own = {lane: 'g:aa', sequence: 41}

test('the server’s “complete” hides no hole', () => {
  const words = explainReplay({said: 'complete', own, server: {lane: 'g:aa', sequence: 48}, missing: 7})
  expect(words).toContain('The server said “complete”. By our own cursor 7 numbers were not seen')
})

test('nothing is missing only where the same generation says so', () => {
  expect(explainReplay({said: 'complete', own, server: own, missing: 0})).toContain('nothing is missing')
  const elsewhere = explainReplay({said: 'complete', own, server: {lane: 'g:bb', sequence: 0}, missing: 0})
  expect(elsewhere).not.toContain('nothing is missing')
  expect(elsewhere).toContain('after 41 is not known')
  expect(explainReplay({said: 'complete', own, missing: 0})).toContain('not known')
})
