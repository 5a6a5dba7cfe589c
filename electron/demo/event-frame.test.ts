import {expect, test} from 'vitest'
import {createEvent} from './event-frame.ts'
import {createRetainedEvents} from './retained-events.ts'
import {framesOf} from './testing/simulated-client.ts'

const occasion = {now: 0, epochMs: 0, run: 'run', n: 1}
const retention = {count: 5, ageMs: 1_000, batch: 200, batchPauseMs: 0}

test.each(['room-a', '__proto__', 'constructor', 'toString', ''])('a room called %o is numbered from 1', (room) => {
  const events = createRetainedEvents({s: 0, rooms: {}}, retention)
  const spec = {event: 'message', room, from: 'dana', text: 'hello'} as const
  for (let n = 0; n < 2; n++) events.append(createEvent(spec, events.head(), 'r3', occasion))
  const positions = events.after(0, 5).flatMap(({text}) => framesOf(text).map(({data}) => data?.['position']))
  expect(positions).toEqual([
    {s: 1, [`r:${room}`]: 1},
    {s: 2, [`r:${room}`]: 2},
  ])
  expect(Object.entries(events.head().rooms)).toEqual([[room, 2]])
})
