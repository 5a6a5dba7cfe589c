import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {realClock} from '../../demo/demo-clock.ts'
import type {Scenario, Step} from '../../demo/scenario.ts'
import {burst, delegate, NOTHING, once, say} from '../../demo/script.ts'
import {startDemoServer} from '../../demo/server.ts'
import {temporaryDirectory} from '../store/testing/temporary-store.ts'
import {expectPassive} from '../testing/expect-passive.ts'
import {seededRandom} from '../testing/fast-clock.ts'
import {type KeptProfile, readEffects, readProfile} from '../testing/kill/check-profile.ts'
import {createPromised, expectSurvived, notePromises} from '../testing/kill/expect-survived.ts'
import {type ChildPlan, type Effect, type Passed, POINTS, type Point} from '../testing/kill/point.ts'
import {type Life, runForMs, runUntilKilled} from '../testing/kill/run-child.ts'
import {startWiretap} from '../testing/wiretap.ts'

/*
 * A watching process is killed with SIGKILL between any two steps of a frame, and at any moment; another one opens the same
 * profile and goes on. The server lives in this process and survives.
 */

const SEED = 20_260_101
/** For a machine that has much else to do: a life is a whole process. */
const PATIENT = {timeout: 240_000}

interface Patient {
  readonly plan: ChildPlan
  /** After a death: what it left must be sound, and what it left is returned. */
  readonly bury: (life: Life) => {readonly kept: KeptProfile; readonly effects: readonly Effect[]}
}

async function admit(scenario: Scenario, mode: ChildPlan['mode'], callbacks: boolean): Promise<Patient> {
  const server = await startDemoServer({scenario, clock: realClock(), speed: 20})
  const tap = await startWiretap(server.url)
  onTestFinished(async () => {
    await tap.close()
    await server.close()
    expectPassive(tap)
  })
  const folder = temporaryDirectory()
  const profile = join(folder, 'profile')
  mkdirSync(profile)
  const {agentId, token} = server
  const files = {profile, compiled: join(folder, 'compiled'), effects: join(folder, 'effects.jsonl')}
  const plan = {...files, url: tap.url, agentId, token, mode, callbacks}
  const promised = createPromised()
  return {
    plan,
    bury({passed, complaint}) {
      expect(complaint).toBe('')
      for (const {point, from, own} of passed) if (point === 'opening') expect(from).toBe(own)
      notePromises(promised, passed)
      const kept = readProfile(profile)
      const effects = readEffects(plan.effects)
      expectSurvived(kept, effects, promised, callbacks)
      return {kept, effects}
    },
  }
}

const UNKNOWN: Step = {
  afterMs: 0,
  do: {kind: 'publish', event: {event: 'presence_hint', room: 'room-a', from: 'ben', text: 'typing', untyped: true}},
}

/** Without losses, so that every event up to the cursor must have been handled. */
const whole: Scenario = {
  name: 'whole',
  about: 'events of every kind, none ever lost',
  revision: 'r3',
  start: NOTHING,
  steps: [
    say(0, 'room-a', 'dana', 'first'),
    UNKNOWN,
    delegate(0, 'room-b', 'ben', 'a task'),
    burst('always', 0, 40),
    UNKNOWN,
    say(300, 'room-b', 'ben', 'and so on'),
    delegate(300, 'room-a', 'dana', 'and so forth'),
  ],
  loopFrom: 5,
}

/** What has no type is discarded: no callback runs for it. */
const UNTYPED = new Set([2, 44])

/** The own number of an event is the number of its making, where nothing was lost: `$m.run-7` is 7. */
function numberOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1])
}

function upTo(own: number): readonly number[] {
  return Array.from({length: own}, (_, n) => n + 1).filter((n) => !UNTYPED.has(n))
}

function expectWhole({own}: KeptProfile, effects: readonly Effect[]): void {
  const done = new Set(effects.map(({frame}) => numberOf(frame)))
  expect(upTo(own).filter((n) => !done.has(n))).toEqual([])
}

/** The how manieth passing of a point in this life. */
function nth(point: Point, n: number): (passed: Passed, soFar: readonly Passed[]) => boolean {
  return (passed, soFar) => passed.point === point && soFar.filter((one) => one.point === point).length === n
}

test('killed between any two steps of an event, no cursor passes it and no handled one is lost', PATIENT, async () => {
  const patient = await admit(whole, 'step', true)
  const dice = seededRandom(SEED)
  for (const point of POINTS) {
    const n = point === 'received' ? 1 : 1 + Math.floor(dice() * 4)
    const {kept, effects} = patient.bury(await runUntilKilled(patient.plan, nth(point, n)))
    expectWhole(kept, effects)
  }
})

/** Back, on, and away with a room; one a life, and each with a reason of its own, so that no two are the same frame. */
const falling: Scenario = {
  name: 'falling',
  about: 'gaps in either direction between events',
  revision: 'r3',
  start: {s: 15, rooms: {'room-a': 41, 'room-b': 8}},
  steps: POINTS.flatMap((_, n): Step[] => [
    once('reopened', say(0, 'room-a', 'dana', `before ${n}`)),
    say(0, 'room-b', 'ben', `before ${n}`),
    {
      afterMs: 20,
      do: {
        kind: 'gap',
        reason: `reset ${n}`,
        to: n % 2 === 0 ? {s: 2 + n, rooms: {'room-a': 7}} : {s: 30 + n, rooms: {'room-a': 50, 'room-b': 20}},
        rooms: ['room-a'],
      },
    },
    say(20, 'room-a', 'ben', `after ${n}`),
  ]),
}

test(
  'killed between any two steps of a gap, the old position stands until its callback resolved',
  PATIENT,
  async () => {
    const patient = await admit(falling, 'step', true)
    for (const point of POINTS) {
      const isGap = ({frames}: Passed): boolean => frames.some((name) => name.includes('"resumed_position"'))
      const life = await runUntilKilled(patient.plan, (passed) => passed.point === point && isGap(passed))
      const {kept} = patient.bury(life)
      const gap = kept.frames.findLast(({kind}) => kind === 'gap')
      const last = life.passed.at(-1)?.frames.find((name) => name.includes('"resumed_position"'))
      const applied = gap !== undefined && gap.name === last && kept.moved.includes(gap.id)
      expect([point, applied]).toEqual([point, point === 'settled'])
    }
  },
)

test(
  'killed around the commits of a source without callbacks, every frame is there once, up to the cursor',
  PATIENT,
  async () => {
    const patient = await admit(whole, 'step', false)
    for (const point of ['received', 'settling', 'settled', 'received'] as const) {
      const {kept} = patient.bury(await runUntilKilled(patient.plan, nth(point, point === 'received' ? 2 : 1)))
      expectEachOnce(kept)
    }
  },
)

/** Without callbacks a frame is durable and acknowledged in one, so none can be there twice, or be missing. */
function expectEachOnce({frames, own}: KeptProfile): void {
  const numbers = frames.flatMap(({name, kind}) => (kind === 'event' ? [numberOf(name)] : []))
  expect(numbers).toEqual(upTo(own))
}

/** More than six lives can handle. */
const long: Scenario = {
  ...whole,
  retain: {count: 20_000},
  steps: [...whole.steps, burst('always', 0, 5_000)],
  loopFrom: 8,
}

test.each([
  ['with callbacks', true],
  ['without callbacks', false],
])('killed at any moment, six times over (%s)', PATIENT, async (_how, callbacks) => {
  const patient = await admit(long, 'free', callbacks)
  const dice = seededRandom(SEED + 1)
  for (let kill = 1; kill <= 6; kill++) {
    const {kept, effects} = patient.bury(await runForMs(patient.plan, dice() * 250))
    if (callbacks) expectWhole(kept, effects)
    else expectEachOnce(kept)
  }
})
