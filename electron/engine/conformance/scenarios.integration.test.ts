import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Action, Numbers, Scenario} from '../../demo/scenario.ts'
import {scenarios} from '../../demo/scenarios.ts'
import {openStore, temporaryDirectory} from '../store/testing/temporary-store.ts'
import {expectFaithful} from '../testing/expect-faithful.ts'
import {type Watched, watchDemo} from '../testing/watch-demo.ts'

/*
 * Every scenario of the demo to its end, watched by an engine on a real store, twenty times as fast as written. Afterwards what
 * must be true of any watching is true of this one.
 */

const SPEED = 20

/** Where the numbers stand when everything was said. */
function finalNumbers({start, steps}: Scenario): Numbers {
  return steps.reduce((numbers, step) => after(numbers, step.do), start)
}

function after({s, rooms}: Numbers, action: Action): Numbers {
  if (action.kind === 'gap' && action.says !== 'neither') return action.to
  if (action.kind === 'restart') return action.to
  if (action.kind !== 'publish' && action.kind !== 'burst') return {s, rooms}
  const {event, room, passedBy = 0} = action.event
  const count = action.kind === 'burst' ? action.count : 1
  const spoken = event === 'message' || event === 'command' || event === 'room_join'
  return {s: s + count, rooms: spoken ? {...rooms, [room]: (rooms[room] ?? 0) + count + passedBy} : rooms}
}

function asPosition({s, rooms}: Numbers, vectors: boolean): object {
  return {s, ...(vectors ? Object.fromEntries(Object.entries(rooms).map(([room, n]) => [`r:${room}`, n])) : {})}
}

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

/** Frames left unhandled at the end; none where not said. */
const LEFT: Readonly<Record<string, number>> = {'poison-frame': 1}

describe.each(['scenario', 'none'] as const)('callbacks: %s', (callbacks) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const store = await openStore(join(temporaryDirectory(), 'store.db'))
    const watched = await watchDemo({scenario, callbacks, store, speed: SPEED})
    const whole = asPosition(finalNumbers(scenario), scenario.revision === 'r3')
    // Without callbacks nothing can be rejected, so the poison is handled.
    const end = callbacks === 'none' && name === 'poison-frame' ? undefined : ENDS[name]
    const isOver = (): boolean =>
      end?.(watched) ?? JSON.stringify(sorted(watched.position())) === JSON.stringify(sorted(whole))
    await watched.until(isOver, `the end of ${name}, ${JSON.stringify(whole)}`)
    await watched.engine.handlers['sources.pause']({source: watched.source})
    await expectFaithful(watched)
    const [stored] = (await watched.store.load()).sources
    expect(stored?.unhandled.length).toBe(callbacks === 'none' ? 0 : (LEFT[name] ?? 0))
  })
})

function sorted(position: object): object {
  return Object.fromEntries(Object.entries(position).sort(([a], [b]) => (a < b ? -1 : 1)))
}
