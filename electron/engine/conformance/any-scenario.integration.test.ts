import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Action, CallbackRule, EventSpec, Scenario, Step} from '../../demo/scenario.ts'
import {BROKEN_FRAME, say} from '../../demo/script.ts'
import {expectFaithful} from '../testing/expect-faithful.ts'
import {seededRandom} from '../testing/fast-clock.ts'
import {watchDemo} from '../testing/watch-demo.ts'

/* Whatever a server does, in whatever order: the laws of `expectFaithful` hold, a beat is never above what is acknowledged. */

const room = fc.constantFrom('room-a', 'room-b', '!c:switch.local')

const event: fc.Arbitrary<EventSpec> = fc.record({
  event: fc.constantFrom('message', 'command', 'room_join', 'task_delegate'),
  room,
  from: fc.constantFrom('dana', 'ben'),
  text: fc.string({maxLength: 30}),
  label: fc.constantFrom('m', 'slow', 'once'),
})

const unknown: fc.Arbitrary<EventSpec> = event.map((spec) => ({...spec, event: 'presence_hint', untyped: true}))

const action: fc.Arbitrary<Action> = fc.oneof(
  {weight: 6, arbitrary: event.map((spec) => ({kind: 'publish', event: spec}) as const)},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('burst' as const), count: fc.integer({min: 2, max: 40}), event})},
  {weight: 1, arbitrary: unknown.map((spec) => ({kind: 'publish', event: spec}) as const)},
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('gap' as const),
      reason: fc.string({maxLength: 20}),
      to: fc.record({s: fc.integer({min: 0, max: 60}), rooms: fc.dictionary(room, fc.integer({min: 0, max: 60}))}),
      rooms: fc.array(room, {maxLength: 2}),
    }),
  },
  {weight: 1, arbitrary: fc.constant({kind: 'close'} as const)},
  {weight: 1, arbitrary: fc.boolean().map((half) => ({kind: 'reset', half}) as const)},
  {weight: 1, arbitrary: fc.constant({kind: 'evict', code: 'closed'} as const)},
  {weight: 1, arbitrary: fc.constant({kind: 'raw', text: BROKEN_FRAME} as const)},
  {weight: 1, arbitrary: fc.constant({kind: 'raw', text: ': a comment\n\nid: 7\n\n'} as const)},
)

const step: fc.Arbitrary<Step> = fc.record({afterMs: fc.integer({min: 0, max: 900}), do: action})

const RULES: readonly CallbackRule[] = [
  {label: 'slow', delayMs: 900},
  {label: 'once', delayMs: 20, rejectUpTo: 1},
  {label: 'm', delayMs: 5},
  {label: 'gap', delayMs: 300},
  {label: 'last', delayMs: 1},
]

const scenario: fc.Arbitrary<Scenario> = fc.record({
  name: fc.constant('any'),
  about: fc.constant(''),
  revision: fc.constantFrom('r1', 'r2', 'r3'),
  start: fc.constant({s: 12, rooms: {'room-a': 4}}),
  steps: fc.array(step, {minLength: 3, maxLength: 14}).map((steps) => [...steps, LAST]),
  callbacks: fc.constant(RULES),
})

const LAST: Step = say(500, 'room-a', 'dana', 'the end', {label: 'last'})

const RUNS = 12
const PATIENT = {timeout: 240_000}

test.each(['scenario', 'none'] as const)(
  'the laws hold for any scenario (callbacks: %s)',
  PATIENT,
  async (callbacks) => {
    const seed = callbacks === 'none' ? 20_251 : 41_507
    for (const [run, any] of fc.sample(scenario, {seed, numRuns: RUNS}).entries()) {
      const watched = await watchDemo({scenario: any, callbacks, speed: 25, random: seededRandom(seed + run)})
      const {store, until, beatsTold, tap} = watched
      const handledLast = (): boolean =>
        [...store.frames.values()].some(
          ({frame, outcomes}) => outcomes.includes('handled') && Buffer.from(frame.bytes).includes('"body":"the end"'),
        )
      await until(handledLast, `the end of run ${run}: ${JSON.stringify(any)}`)
      const beats = beatsTold.length
      await until(() => beatsTold.length > beats + 1, 'two more beats')
      await expectFaithful(watched)
      expect(tap.opens.length).toBeGreaterThan(0)
      await watched.close()
    }
  },
)
