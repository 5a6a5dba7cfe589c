import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Scenario} from '../../demo/scenario.ts'
import {scenarios} from '../../demo/scenarios.ts'
import {finalPosition} from '../../demo/testing/final-numbers.ts'
import {openStore, temporaryDirectory} from '../store/testing/temporary-store.ts'
import {expectFaithful} from '../testing/expect-faithful.ts'
import {type Watched, watchDemo} from '../testing/watch-demo.ts'

/*
 * Every scenario of the demo to its end, watched by an engine on a real store, twenty times as fast as written. Afterwards what
 * must be true of any watching is true of this one.
 */

const SPEED = 20
/** For a machine that has much else to do: each is a server, an engine and a store on disk. */
const PATIENT = {timeout: 180_000}

type End = (watched: Watched) => boolean

const isState =
  (kind: string): End =>
  ({state}) =>
    state() === kind

/** The scenarios that do not end in everything being handled. */
const ENDS: Readonly<Record<string, End>> = {
  tour: ({position, store}) => position()['s'] === 18 && store.changes.some((change) => change.kind === 'gapRecorded'),
  steady: ({store}) => store.own() >= 9,
  'poison-frame': isState('held'),
  'malformed-always': isState('held'),
  takeover: isState('stopped'),
  'takeover-r1': isState('stopped'),
  unauthorized: isState('stopped'),
  revoked: isState('stopped'),
  'instant-close': ({tap}) => tap.opens.length >= 5,
}

/** Frames that may be left unhandled at the end; none where not said. The endless ones are cut off anywhere. */
const LEFT: Readonly<Record<string, number>> = {'poison-frame': 1, tour: 1, steady: 1}

async function watchToItsEnd(scenario: Scenario, callbacks: 'scenario' | 'none'): Promise<void> {
  const {name} = scenario
  const store = await openStore(join(temporaryDirectory(), 'store.db'))
  const watched = await watchDemo({scenario, callbacks, store, speed: SPEED})
  const whole = JSON.stringify(sorted(Object.fromEntries(finalPosition(scenario))))
  // Without callbacks nothing can be rejected, so the poison is handled.
  const end = callbacks === 'none' && name === 'poison-frame' ? undefined : ENDS[name]
  const isOver = (): boolean =>
    end?.(watched) ?? (JSON.stringify(sorted(watched.position())) === whole && isAfterAll(scenario, watched))
  await watched.until(isOver, `the end of ${name}, ${whole}`)
  await watched.engine.handlers['sources.pause']({source: watched.source})
  await expectFaithful(watched)
  const [stored] = (await watched.store.load()).sources
  expect(stored?.unhandled.length).toBeLessThanOrEqual(callbacks === 'none' ? 0 : (LEFT[name] ?? 0))
}

/** The final numbers may stand in a scenario's middle too: before it went back, or between two frames. */
function isAfterAll({steps}: Scenario, {store}: Watched): boolean {
  const falls = steps.some((step) => step.do.kind === 'gap' || step.do.kind === 'restart')
  const fell = store.changes.some((change) => change.kind === 'gapRecorded' && change.gap.appliedAt !== undefined)
  const nothingRuns = [...store.frames.values()].every(({outcomes}) => outcomes.at(-1) !== 'pending')
  return nothingRuns && (fell || !falls)
}

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s, with its callbacks',
  PATIENT,
  (_name, scenario) => watchToItsEnd(shortened(scenario), 'scenario'),
)

/** Where a run of frames shares a commit, other code acknowledges: what can go wrong with frames is tried there too. */
const WITHOUT_CALLBACKS = new Set([
  'burst',
  'gap',
  'backward-reset',
  'gap-during-catchup',
  'restart-r2',
  'malformed-always',
  'unknown-frame',
  'takeover-r1',
  'socket-reset',
])

test.each(
  scenarios.filter(({name}) => WITHOUT_CALLBACKS.has(name)).map((scenario) => [scenario.name, scenario] as const),
)('%s, without callbacks', PATIENT, (_name, scenario) => watchToItsEnd(scenario, 'none'))

/** Each callback takes syncs of its own, of which a busy disk makes few a second. */
function shortened(scenario: Scenario): Scenario {
  const steps = scenario.steps.map((step) =>
    step.do.kind === 'burst' ? {...step, do: {...step.do, count: Math.min(step.do.count, 300)}} : step,
  )
  return {...scenario, steps}
}

function sorted(position: object): object {
  return Object.fromEntries(Object.entries(position).sort(([a], [b]) => (a < b ? -1 : 1)))
}
