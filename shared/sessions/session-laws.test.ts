import fc from 'fast-check'
import {expect, test} from 'vitest'
import {compareCursors} from '../cursor/cursor.ts'
import {classifyPrimeValue} from '../frames/classify-prime-line.ts'
import {createSessionTracker} from './session-tracker.ts'
import {attached, event, hello, listed, replaced, resynced} from './testing/prime-wire.ts'

const place = fc.tuple(fc.constantFrom('g', 'h', '3'), fc.nat(7)).map(([generation, n]) => `${generation}:${n}`)
const session = fc.constantFrom('s1', 's2', 's3')
const active = fc.constantFrom('a', 'b')
const message: fc.Arbitrary<object> = fc.oneof(
  {weight: 4, arbitrary: fc.tuple(place, active).map(([at, of]) => event(at, of))},
  {weight: 2, arbitrary: fc.tuple(place, session, fc.boolean(), active).map((all) => replaced(...all))},
  fc.tuple(place, session, active).map((all) => attached(...all)),
  fc.tuple(place, session, active).map((all) => resynced(...all)),
  fc.tuple(session, active).map((all) => listed(...all)),
  fc.constant(hello),
)
const stream = fc.array(fc.tuple(fc.constantFrom('one', 'two'), message), {maxLength: 40})

test('the sessions add up to the facts, each has a cursor, and none is listed twice', () => {
  fc.assert(
    fc.property(stream, (fed) => {
      const tracker = createSessionTracker()
      const facts = fed.flatMap(([connection, one]) => tracker.feed(connection, classifyPrimeValue(one)))
      const sessions = tracker.sessions()
      const sum = (pick: (counts: (typeof sessions)[number]['counts']) => number): number =>
        sessions.reduce((total, {counts}) => total + pick(counts), 0)
      const [events, snapshots] = [
        facts.filter(({kind}) => kind === 'frame'),
        facts.filter(({kind}) => kind === 'snapshot'),
      ]
      expect(sum(({events: n, duplicates, stale}) => n + duplicates + stale)).toBe(events.length)
      expect(sum(({snapshots: n}) => n)).toBe(snapshots.length)
      const missing = facts.flatMap((fact) =>
        'verdict' in fact && 'missing' in fact.verdict ? (fact.verdict.missing ?? 0) : 0,
      )
      expect(sum(({notSeen}) => notSeen)).toBe(missing.reduce((total, n) => total + n, 0))
      expect(sum(({holes}) => holes)).toBe(missing.filter((n) => n > 0).length)
      expect(new Set(sessions.map(({id, told}) => `${told} ${id}`)).size).toBe(sessions.length)
      for (const {held, retired} of sessions) {
        expect(held).toBeDefined()
        expect(retired).not.toContain(held?.generation)
      }
    }),
    {numRuns: 1000},
  )
})

test('without replacements no session goes back, and what it left it has left', () => {
  fc.assert(
    fc.property(stream, (fed) => {
      const tracker = createSessionTracker()
      let before = tracker.sessions()
      for (const [connection, one] of fed) {
        if ('messages' in one) continue
        tracker.feed(connection, classifyPrimeValue(one))
        const after = tracker.sessions()
        for (const {id, told, held, retired} of before) {
          const now = after.find((other) => other.id === id && other.told === told)
          if (now === undefined || held === undefined || now.held === undefined) continue
          expect(compareCursors(now.held, held)).not.toBe('before')
          expect(now.retired).toEqual(expect.arrayContaining([...retired]))
        }
        before = after
      }
    }),
  )
})
