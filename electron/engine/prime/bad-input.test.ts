import fc from 'fast-check'
import {expect, test} from 'vitest'
import {cursorOfPosition} from '../../../shared/cursor/cursor-position.ts'
import {answer, attachedAt, eventAt, HELLO, letIn, row, scriptDaemon} from '../testing/script-daemon.ts'
import {settle} from '../testing/virtual-clock.ts'

/** Anything that JSON can hold, in the places where the daemon puts something. */
const anything = fc.jsonValue({maxDepth: 3})
const types = fc.constantFrom(
  'session_event',
  'session_status',
  'session_replaced',
  'session_resynced',
  'session_closed_soon',
  'session_snapshot_begin',
  'session_snapshot_chunk',
  'session_snapshot_end',
  'session_snapshot_failed',
  'session_detached',
  'daemon_hello',
  'heartbeats_changed',
  'response',
  'extension_error',
  'something else',
)
const cursors = fc.oneof(anything, fc.record({generation: fc.constantFrom('g', 'h'), sequence: fc.nat(20)}))
const messages = fc.record(
  {
    type: fc.oneof(types, anything),
    activeSessionId: fc.oneof(fc.constant('a'), anything),
    meta: fc.oneof(anything, fc.record({activeSessionId: fc.constant('a'), cursor: cursors})),
    event: fc.oneof(anything, fc.record({type: anything, message: anything, assistantMessageEvent: anything})),
    snapshot: fc.oneof(anything, fc.record({state: anything, summary: anything, lastEventCursor: cursors})),
    state: anything,
    snapshotId: fc.constantFrom('x', 'y'),
    messageCount: fc.oneof(fc.nat(2), anything),
    chunkCount: fc.oneof(fc.nat(2), anything),
    index: fc.oneof(fc.nat(2), anything),
    messages: anything,
    lastEventCursor: cursors,
    id: anything,
    data: anything,
    success: fc.boolean(),
    reason: anything,
    protocol: anything,
  },
  {requiredKeys: ['type']},
)
const lines = fc.array(
  fc.oneof(
    {weight: 6, arbitrary: messages.map((message) => JSON.stringify(message))},
    {weight: 1, arbitrary: fc.string({unit: 'binary'}).map((text) => text.replaceAll('\n', ' '))},
    {weight: 1, arbitrary: messages.map((message) => JSON.stringify(message).slice(0, -3))},
  ),
  {maxLength: 12},
)

test('whatever comes, cut anywhere, ends as frames of the journal but for blank lines, and the next good event is handled', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat(400), {maxLength: 6}), async (bad, cuts) => {
      const scripted = await scriptDaemon()
      const session = await letIn(scripted)
      const before = scripted.store.frames.size
      const bytes = new TextEncoder().encode(bad.map((line) => `${line}\n`).join(''))
      let from = 0
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        session.write(bytes.slice(from, Math.min(cut, bytes.length)))
        from = Math.max(from, Math.min(cut, bytes.length))
      }
      session.write(bytes.slice(from))
      await settle()
      if (!session.closed()) {
        expect(scripted.store.frames.size - before).toBe(bad.filter((line) => line.trim() !== '').length)
        session.say(eventAt('next', 1))
        await settle()
        expect(cursorOfPosition(scripted.store.positionOf(scripted.source))?.generation).toBe('next')
      }
      const open = [...scripted.store.frames.values()].filter(({outcomes}) => outcomes.at(-1) === 'pending')
      expect(open).toEqual([])
      await scripted.close()
    }),
    {numRuns: 150},
  )
})

test('whatever a control connection hears, what it lists next is shown', async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (bad) => {
      const scripted = await scriptDaemon({watch: false})
      const {control, engine, clock} = scripted
      control().say(HELLO)
      await settle()
      // Another hello of another protocol is the daemon's word that it is not the one that was met.
      control().write(bad.map((line) => (line.includes('daemon_hello') ? '\n' : `${line}\n`)).join(''))
      control().say(answer(control(), {sessions: [row({sessionId: 'after'})]}))
      await clock.advance(1)
      const {daemons} = await engine.handlers['prime.daemons']({refresh: false})
      expect(daemons[0]).toMatchObject({state: 'connected', sessions: [{sessionId: 'after'}]})
      await scripted.close()
    }),
    {numRuns: 100},
  )
})

test('U+2028 and half of a character are part of a line, and a CR before its end is not', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const line = JSON.stringify(eventAt('g', 1, {type: 'bash_output', chunk: 'a\u2028b\u2029ü'}))
  const bytes = new TextEncoder().encode(`${line.replaceAll('\\u2028', '\u2028')}\r\n`)
  for (const byte of bytes) session.write(new Uint8Array([byte]))
  await settle()
  expect(scripted.told().at(-1)).toBe('handled bash_output')
})

test('an attach that is answered with nothing that fits is no attachment for ever', async () => {
  const scripted = await scriptDaemon()
  scripted.control().say(HELLO)
  await settle()
  scripted.control().say(answer(scripted.control(), {sessions: [row()]}))
  await settle()
  const session = scripted.session()
  session.say(HELLO)
  session.say(answer(session, {...attachedAt('g', 0), snapshot: 7, replay: [], lastEventCursor: 'x'}))
  await scripted.clock.advance(300_000)
  expect(session.closed()).toBe(true)
  expect(session.sent().length).toBeLessThan(10)
})
