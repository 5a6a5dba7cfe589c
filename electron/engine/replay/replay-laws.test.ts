import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {ReplayCallback} from './replay-options.ts'
import {at, event, gap, P, replay} from './testing/replay-text.ts'

const piece = fc.oneof(
  fc.record({s: fc.integer({min: -1, max: 30})}).map(at),
  fc.constantFrom(
    at({'r:room-a': 44}),
    at({}),
    event({}, 'id: 25'),
    event({}, 'id: 1e3'),
    event({}, 'id: {"s":1}'),
    ': keepalive\n\n',
    'data: x\n\n',
    'data:\n\n',
    '\n',
  ),
  fc.constantFrom(
    gap({}),
    gap({resumed_at: 2}),
    gap({resumed_position: {s: 3}}),
    gap({resumed_position: {}}),
    gap({resumed_at: 1.5}),
    'event: wake\ndata: {}\n\n',
    'event: new\ndata: {"position":{"s":9}}\n\n',
  ),
)
const callback = fc.constantFrom('ok', 'reject', 'reject-once' as const)

test('lines do not depend on chunks, in any stream and with any callbacks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, {maxLength: 12}),
      fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 6}),
      callback,
      callback,
      async (pieces, chunks, onEvent, onGap) => {
        const asked = {start: P, onEvent: onEvent as ReplayCallback, onGap: onGap as ReplayCallback}
        const whole = await replay(pieces.join(''), asked)
        expect(await replay(pieces.join(''), {...asked, chunks})).toEqual(whole)
        expect(await replay(pieces.join('').replaceAll('\n', '\r\n'), asked)).toEqual(whole)
      },
    ),
    {numRuns: 200},
  )
})

test('each line goes on from the position before it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, {maxLength: 20}), callback, callback, async (pieces, onEvent, onGap) => {
      let held: object = P
      for (const line of await replay(pieces.join(''), {
        start: P,
        onEvent: onEvent as ReplayCallback,
        onGap: onGap as ReplayCallback,
      })) {
        if (line.fact === 'gap') expect(line.before).toEqual(held)
        if (line.fact === 'end') expect(line.position).toEqual(held)
        else if (/rejected|malformed|control|unmoved/.test(line.outcome)) expect(line.position).toEqual(held)
        held = line.position
      }
    }),
    {numRuns: 200},
  )
})
