import {expect, test} from 'vitest'
import {cursorOfPosition} from '../../../shared/cursor/cursor-position.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {StoreFailure} from '../store/store.ts'
import {
  answer,
  attachedAt,
  eventAt,
  HELLO,
  letIn,
  relist,
  row,
  type ScriptedDaemon,
  scriptDaemon,
  snapshot,
} from '../testing/script-daemon.ts'
import type {ScriptedConnection} from '../testing/scripted-socket.ts'
import {settle} from '../testing/virtual-clock.ts'

test('the daemon’s owner token is nowhere in the journal, and the hello’s size is', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  session.write('{"type":"daemon_hello","supervisorOwnerToken":"a secret", broken\n')
  await settle()
  const frames = [...scripted.store.frames.values()].map(({frame}) => frame)
  expect(frames.map(({bytes}) => new TextDecoder().decode(bytes)).join('')).not.toContain('secret')
  expect(frames[0]).toMatchObject({event: 'daemon_hello', size: JSON.stringify(HELLO).length})
  expect(frames.at(-1)).toMatchObject({kind: 'malformed', bytes: new Uint8Array()})
})

test('a session is left after 15 minutes in which nothing happened, and watched again when something did', async () => {
  const scripted = await scriptDaemon()
  const {clock, control} = scripted
  const session = await letIn(scripted)
  for (let minute = 0; minute < 15; minute++) {
    for (let half = 0; half < 2; half++) {
      await clock.advance(30_000)
      if (!session.closed()) session.say(answer(session, row()))
      control().say(answer(control(), {sessions: [row()]}))
    }
  }
  await settle()
  expect([session.closed(), scripted.because()]).toEqual([true, 'waiting: idle'])
  for (let n = 0; n < 20; n++) await relist(scripted, [row()])
  expect(scripted.because()).toBe('waiting: idle')
  await relist(scripted, [row({lastActivityAt: 'now'})])
  expect(scripted.session()).not.toBe(session)
  expect(scripted.because()).toBe('connecting')
})

test('a worker that is gone without a word is found by asking, and the session is watched again under its new activation', async () => {
  const scripted = await scriptDaemon()
  const {clock} = scripted
  const session = await letIn(scripted, 'g', 7)
  session.say(eventAt('g', 8, {type: 'agent_start'}), eventAt('g', 9, {type: 'bash_start', command: 'ls'}))
  await clock.advance(30_000)
  session.say(answer(session, 'Session worker is failed'))
  await settle()
  expect([session.closed(), scripted.because()]).toEqual([true, 'waiting: workerGone'])
  const activities = scripted.store.changes.flatMap((one) => (one.kind === 'activityChanged' ? [one.activity] : []))
  expect(activities.map(({kind, state}) => `${kind} ${state}`)).toEqual(['bash open', 'bash notSeen'])
  for (let n = 0; n < 20; n++) await relist(scripted, [row({workerState: 'failed'})])
  expect(scripted.because()).toBe('waiting: workerGone')
  await relist(scripted, [row({lastActivityAt: 'later'})])
  const again = scripted.session()
  again.say(HELLO)
  again.say(answer(again, attachedAt('h', 2)))
  snapshot(again, 'h', 2)
  await settle()
  expect(cursorOfPosition(scripted.store.position())).toEqual({generation: 'h', sequence: 2})
  const {holes} = await scripted.engine.handlers['holes.list']({limit: 10})
  expect(holes).toMatchObject([{lane: 'g:h', tailOf: 'g:g', missing: 2, said: 'complete'}])
  expect((await scripted.view()).session?.replay).toMatchObject({
    said: 'complete',
    own: {lane: 'g:g', sequence: 9},
    server: {lane: 'g:h', sequence: 2},
    missing: 2,
  })
})

test('what the server calls complete hides no hole', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted, 'g', 3)
  session.end()
  await relist(scripted, [row()])
  await scripted.clock.advance(2_000)
  const again = scripted.session()
  again.say(HELLO)
  again.say(answer(again, attachedAt('g', 8)))
  snapshot(again, 'g', 8)
  await settle()
  const {holes} = await scripted.engine.handlers['holes.list']({limit: 10})
  expect(holes).toMatchObject([{after: 3, upTo: 8, missing: 5, said: 'complete', purpose: 'attach'}])
})

test('an overlong line is a finding, and a whole snapshot is asked for behind it', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const piece = new Uint8Array(1024 * 1024).fill(0x20)
  for (let n = 0; n < 70; n++) session.write(piece)
  session.write('\n')
  session.say(eventAt('g', 2))
  await scripted.clock.advance(1_000)
  expect(session.sent().map(({type}) => type)).toEqual(['attach', 'attach'])
  session.say(answer(session, attachedAt('g', 2)))
  snapshot(session, 'g', 2)
  await settle()
  const last = [...scripted.store.frames.values()]
    .slice(4)
    .map(({frame, outcomes}) => `${outcomes.at(-1)} ${frame.kind}`)
  expect(last).toEqual([
    'malformed malformed',
    'handled event',
    'control control',
    'control control',
    'handled snapshot',
  ])
})

test('a snapshot that fails is asked for again, later each time, and in the end the connection is given up', async () => {
  const scripted = await scriptDaemon()
  const {clock} = scripted
  const session = await letIn(scripted)
  const asked: number[] = []
  const begun = clock.monotonic()
  for (let n = 1; n <= 6 && !session.closed(); n++) {
    session.say({type: 'session_snapshot_failed', activeSessionId: 'a', snapshotId: 'x', error: 'gone'})
    const before = session.sent().length
    for (let ms = 0; ms < 60_000 && session.sent().length === before && !session.closed(); ms += 500)
      await clock.advance(500)
    asked.push(clock.monotonic() - begun)
    if (!session.closed()) session.say(answer(session, attachedAt('g', 0)))
    await settle()
  }
  expect(asked).toEqual([500, 1_500, 3_500, 7_500, 15_500, 30_500])
  expect(scripted.because()).toBe('waiting: attachFailed')
})

test('a snapshot of another session is not adopted: the activation became that one before we were let in', async () => {
  const scripted = await scriptDaemon()
  const {control} = scripted
  control().say(HELLO)
  await settle()
  control().say(answer(control(), {sessions: [row()]}))
  await settle()
  const session = scripted.session()
  session.say(HELLO)
  session.say(answer(session, {...attachedAt('g', 5), snapshot: {state: {sessionId: 'another'}}}))
  await settle()
  expect(scripted.because()).toBe('waiting: notResident')
  expect(scripted.store.position().size).toBe(0)
})

test('a disk that refuses ends the reading, and nothing is shown that is not durable', async () => {
  const disk = {full: false}
  const durable = createMemoryStore()
  const refusing = {
    ...durable,
    commit: (changes: Parameters<typeof durable.commit>[0]) =>
      disk.full ? Promise.reject(new StoreFailure({kind: 'full', detail: 'no space'})) : durable.commit(changes),
  }
  const scripted = await scriptDaemon({store: refusing})
  const session = await letIn(scripted, 'g', 3)
  disk.full = true
  session.say(eventAt('g', 4), eventAt('g', 5))
  await settle()
  expect(session.closed()).toBe(true)
  expect((await scripted.view()).position).toEqual([['g:g', 3]])
  disk.full = false
  await relist(scripted, [row()])
  await scripted.clock.advance(3_000)
  const again = scripted.session()
  again.say(HELLO)
  again.say(answer(again, attachedAt('g', 5)))
  snapshot(again, 'g', 5)
  await settle()
  const {holes} = await scripted.engine.handlers['holes.list']({limit: 10})
  expect(holes).toMatchObject([{after: 3, upTo: 5, missing: 2}])
})

test('duplicates, stale events and events of other activations move nothing', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted, 'g', 3)
  session.say(eventAt('g', 4), eventAt('g', 4), eventAt('h', 1), eventAt('g', 5))
  session.say({...eventAt('h', 2), activeSessionId: 'other'})
  await settle()
  expect(scripted.told().slice(4)).toEqual([
    'handled recap_update',
    'duplicate recap_update',
    'handled recap_update',
    'stale recap_update',
    'control recap_update',
  ])
  expect(cursorOfPosition(scripted.store.position())).toEqual({generation: 'h', sequence: 1})
})

test.each(['', 'R'.repeat(201)])('a session replaced by one that no name can name makes no source (%#)', async (by) => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const about = {type: 'session_replaced', activeSessionId: 'a', state: {sessionId: by}, snapshotFollows: true}
  session.say({...about, meta: {activeSessionId: 'a', cursor: {generation: 'g', sequence: 1}}}, eventAt('g', 2))
  await settle()
  expect(await scripted.engine.handlers['sources.list']({})).toHaveLength(1)
  expect(scripted.told()).toContain('handled session_replaced')
  // An empty name is none: the session is not known to be another one, and goes on.
  expect(scripted.told().includes('handled recap_update')).toBe(by === '')
})

test('a daemon that says another protocol later on is left, and nothing more is sent', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const before = session.sent().length
  session.say({...HELLO, protocol: {name: 'prime-agent.daemon', version: 8}})
  await settle()
  expect([session.closed(), session.sent().length]).toEqual([true, before])
  expect(scripted.because()).toBe('waiting: unsupportedDaemon')
})

test('another supervisor is told as that, and resets nothing; a break of the same one is not told so', async () => {
  const scripted = await scriptDaemon()
  const first = await letIn(scripted, 'g', 3)
  expect((await scripted.view()).session?.supervisor).toEqual({generation: 'first', metAt: expect.any(Number)})
  const again = await reattach(scripted, first, 'first')
  expect((await scripted.view()).session?.supervisor).toEqual({generation: 'first', metAt: expect.any(Number)})
  await reattach(scripted, again, 'second')
  expect((await scripted.view()).session?.supervisor).toMatchObject({
    generation: 'second',
    after: expect.any(Number),
  })
  const hellos = [...scripted.store.frames.values()].filter(({frame}) => frame.event === 'daemon_hello')
  expect(hellos.map(({frame}) => frame.summary.includes('supervisor replaced'))).toEqual([false, false, true])
  expect(cursorOfPosition(scripted.store.position())).toEqual({generation: 'g', sequence: 3})
  expect((await scripted.view()).counts).toMatchObject({holes: 0, stale: 0})
})

/** The connection breaks, and the session is attached to again at a daemon whose supervisor has this name. */
async function reattach(scripted: ScriptedDaemon, before: ScriptedConnection, supervisorGeneration: string) {
  before.end()
  await relist(scripted, [row()])
  await scripted.clock.advance(5_000)
  const again = scripted.session()
  expect(again).not.toBe(before)
  again.say({...HELLO, supervisorGeneration})
  again.say(answer(again, attachedAt('g', 3)))
  snapshot(again, 'g', 3)
  await settle()
  return again
}

test('blank lines are no frames, however many come', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const before = scripted.told().length
  session.write('\n \r\n'.repeat(50_000))
  session.say(eventAt('g', 1))
  await settle()
  expect(scripted.told().slice(before)).toEqual(['handled recap_update'])
})

test('names of megabytes are cut in rows, and stand whole in the bytes', async () => {
  const scripted = await scriptDaemon()
  const session = await letIn(scripted)
  const long = 'n'.repeat(100_000)
  session.say(eventAt('g', 1, {type: long}))
  await settle()
  const {frames} = await scripted.engine.handlers['frames.page']({filter: {}, limit: 1})
  expect(frames[0]?.event).toHaveLength(200)
  const {bytes} = await scripted.engine.handlers['frames.detail']({frame: frames[0]?.id ?? 0})
  expect(atob(bytes)).toContain(long)
})

test('what nobody can watch is refused before it is a source', async () => {
  const {engine} = await scriptDaemon({watch: false})
  const settings = {kind: 'recording', file: '/somewhere'} as const
  await expect(engine.handlers['sources.add']({name: 'old', settings})).rejects.toThrow('/somewhere')
  expect(await engine.handlers['sources.list']({})).toEqual([])
})
