import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {CoordinateKey} from '../../../shared/position/position.ts'
import type {Scenario} from '../../demo/scenario.ts'
import {NOTHING, once, say} from '../../demo/script.ts'
import {openStore, temporaryDirectory} from '../store/testing/temporary-store.ts'
import {watchDemo} from '../testing/watch-demo.ts'
import type {WatchedStore} from '../testing/watched-store.ts'
import {frame} from '../testing/wire-text.ts'

/* Switch note, section 11: T3, over real sockets. */

const ROOMS = 100_000
/** Megabytes of JSON over and over, for a machine that has much else to do. */
const PATIENT = {timeout: 180_000}

/** As JSON; every room stands at `at`. */
function vector(rooms: number, own: number, at: number): string {
  const keys = Array.from({length: rooms}, (_, n) => `"r:!room-${n}:switch.local":${at}`)
  return `{"s":${own},${keys.join()}}`
}

function report(position: string): Scenario['steps'][number] {
  const text = `event: message\ndata: {"type":"message","room_id":"r","payload":{},"position":${position}}\n\n`
  return {afterMs: 0, do: {kind: 'raw', text}}
}

function scenario(...steps: Scenario['steps']): Scenario {
  return {name: 'large', about: 'positions of many rooms', revision: 'r3', start: NOTHING, steps}
}

test('T3: a vector of 100,000 rooms is applied, and each report costs what it changes', PATIENT, async () => {
  const large = scenario(
    report(vector(ROOMS, 1, 7)),
    report(vector(ROOMS, 2, 7)),
    report('{"r:!room-5:switch.local":8}'),
    {afterMs: 0, do: {kind: 'raw', text: frame('gap', {resumed_position: {s: 3}})}},
  )
  const {store, until, position, view, source} = await watchDemo({scenario: large})
  await until(() => stepsOfMoves(store).length === 4, 'all four moves')
  expect(stepsOfMoves(store)).toEqual([ROOMS + 1, 1, 1, ROOMS + 1])
  expect(position()).toEqual({s: 3})
  const {gaps} = await store.read.gaps(source, undefined, 1)
  expect(gaps[0]).toMatchObject({outcome: 'replaced'})
  expect(gaps[0]?.removed).toHaveLength(ROOMS)
  expect(await view()).toMatchObject({coordinates: 1, position: [['s', 3]]})
})

test('T3: a vector of 100,000 rooms is durable, and so is what comes behind it', PATIENT, async () => {
  const large = scenario(report(vector(ROOMS, 1, 7)), report('{"s":2,"r:!room-5:switch.local":8}'))
  const {store, until} = await watchDemo({
    scenario: large,
    store: await openStore(join(temporaryDirectory(), 'store.db')),
  })
  await until(() => store.own() === 2, 'the report behind it')
  expect(stepsOfMoves(store)).toEqual([ROOMS + 1, 2])
  const position = (await store.load()).sources[0]?.position
  expect(position?.size).toBe(ROOMS + 1)
  expect(position?.get('r:!room-5:switch.local' as CoordinateKey)).toBe(8) // a room's key, as the reader makes them
})

function stepsOfMoves({changes}: WatchedStore): readonly number[] {
  return changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move.steps.length] : []))
}

test('T3: what a screen is sent of 100,000 rooms is a part, and says of how many', PATIENT, async () => {
  const {until, position, view} = await watchDemo({scenario: scenario(report(vector(ROOMS, 1, 7)))})
  await until(() => position()['s'] === 1, 'the vector')
  const seen = await view()
  expect(seen.coordinates).toBe(ROOMS + 1)
  expect(seen.position).toHaveLength(200)
  expect(seen.position[0]).toEqual(['s', 1])
})

test.each(['none', 'scenario'] as const)(
  'T3: a vector above the frame cap is malformed, moves nothing, and the source goes on (callbacks: %s)',
  PATIENT,
  async (callbacks) => {
    const tooLarge = scenario(
      say(0, 'room-a', 'dana', 'before'),
      report(vector(300_000, 99, 1)),
      once('reopened', say(0, 'room-a', 'dana', 'after')),
    )
    const {tap, store, position, state, until} = await watchDemo({scenario: tooLarge, callbacks})
    await until(() => store.own() === 2, 'the message behind it')
    expect(position()).toEqual({s: 2, 'r:room-a': 2})
    const malformed = [...store.frames.values()].filter(({outcomes}) => outcomes.includes('malformed'))
    expect(malformed.map(({frame: {problem}}) => problem)).toEqual([{kind: 'tooLong', capBytes: 8 * 1024 * 1024}])
    expect(tap.opens.map(({query}) => query.get('start_from'))).toEqual(['0', '1'])
    expect(state()).toBe('live')
  },
)
