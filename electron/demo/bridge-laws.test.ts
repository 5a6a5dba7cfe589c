import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Output} from './bridge-state.ts'
import type {Revision} from './scenario.ts'
import {ask, frames, open, type Rig, rig} from './testing/bridge-rig.ts'

type Doing =
  | {readonly kind: 'publish'; readonly count: number}
  | {readonly kind: 'read'}
  | {readonly kind: 'reopen'; readonly forgets: number}
  | {readonly kind: 'beat'}
  | {readonly kind: 'wait'; readonly ms: number}

const doing: fc.Arbitrary<Doing> = fc.oneof(
  fc.record({kind: fc.constant('publish' as const), count: fc.integer({min: 1, max: 9})}),
  fc.record({kind: fc.constant('read' as const)}),
  fc.record({kind: fc.constant('reopen' as const), forgets: fc.integer({min: 0, max: 3})}),
  fc.record({kind: fc.constant('beat' as const)}),
  fc.record({kind: fc.constant('wait' as const), ms: fc.integer({min: 1, max: 9_000})}),
)

/** Reads as the note asks: an event moves the cursor by one, a gap puts it where it says. Anything else is a loss in silence. */
function createReader({bridge, publish}: Rig) {
  let now = 0
  let stream = 1
  let cursor = 0
  let attached = false

  const take = (outputs: readonly Output[]): void => {
    const mine = outputs.filter((output) => output.stream === stream)
    for (const frame of frames(mine)) {
      const [event, data] = frame as [string, {readonly s: number; readonly resumed_at: number}] // as the rig writes them
      if (event === 'gap') cursor = data.resumed_at
      if (event !== 'message') continue
      expect(data.s).toBe(cursor + 1)
      cursor = data.s
    }
    if (mine.some(({kind}) => kind === 'end')) attached = false
  }

  return {
    cursor: () => cursor,
    act: (one: Doing): void => {
      now += 1
      if (one.kind === 'publish') {
        publish(one.count)
        take(bridge.deliver(now))
      } else if (one.kind === 'read') take(bridge.written(now, stream))
      else if (one.kind === 'beat') bridge.beat(now, {connectionId: 'c', cursor})
      else if (one.kind === 'wait') {
        now += one.ms
        take(bridge.tick(now))
      } else {
        if (attached) bridge.closed(stream)
        // Some were not acknowledged: they must come again.
        cursor = Math.max(0, cursor - one.forgets)
        attached = true
        take(open(bridge, now, ++stream, ask(cursor)))
      }
    },
    catchUp: (): void => {
      for (let n = 0; n < 100; n++) take([...bridge.written(now, stream), ...bridge.tick(now)])
    },
  }
}

test.each(['r1', 'r2', 'r3'] as const)(
  'whatever happens, a reader of %s gets every event in order or is told of a gap',
  (revision: Revision) => {
    fc.assert(
      fc.property(fc.array(doing, {maxLength: 60}), fc.integer({min: 1, max: 4}), (doings, batch) => {
        const whole = rig(revision, undefined, {batch, count: 8})
        const reader = createReader(whole)
        for (const one of doings) reader.act(one)
        reader.act({kind: 'reopen', forgets: 0})
        reader.catchUp()
        expect(reader.cursor()).toBe(whole.events.head().s)
      }),
      {numRuns: 300},
    )
  },
)
