import fc from 'fast-check'
import {expect, test} from 'vitest'
import {frameIdentity} from './frame-identity.ts'

const part = fc.constantFrom('', '1', ',', '1,', ',1', '0', 'message', '7', '{"a":1}')
const frame = fc.record({event: part, id: fc.option(part, {nil: undefined}), data: part})
const identity = (
  {event, id, data}: {event: string; id: string | undefined; data: string},
  cuts: readonly number[],
): string => frameIdentity({event, data, bytes: new Uint8Array(), cuts, ...(id === undefined ? {} : {id})})

test('two deliveries are the same frame exactly where event name, id and data text are the same', () => {
  fc.assert(
    fc.property(frame, frame, (a, b) => {
      const same = a.event === b.event && a.id === b.id && a.data === b.data
      expect(identity(a, [1]) === identity(b, [2])).toBe(same)
    }),
    {numRuns: 2000},
  )
})
