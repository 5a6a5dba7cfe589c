import {mkdirSync, rmdirSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {pairText} from '../../../shared/cursor/cursor.ts'
import type {NumberedFrom} from '../../../shared/source/numbered.ts'
import type {NumberedServer} from '../../demo/numbered/server.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {createFastClock} from '../testing/fast-clock.ts'
import {note, RISEN, rise, serve, snapshot} from '../testing/rising-server.ts'
import {leftOpen, temporaryFolder} from '../testing/temporary-folder.ts'
import {linesOf, sseOf, type WatchedNumbered, watchNumbered} from '../testing/watch-numbered.ts'
import {understandJournaled} from '../understand-journaled.ts'

const handled = (names: readonly string[]): readonly string[] => names.map((name) => `handled ${name}`)

const carriers: ReadonlyArray<readonly [name: string, from: (server: NumberedServer, file: string) => NumberedFrom]> = [
  ['lines over a socket', ({lines}) => linesOf(lines)],
  ['server-sent events asked by query', ({sse}) => sseOf(sse)],
  ['server-sent events asked by Last-Event-ID', ({sse}) => sseOf(sse, 'header')],
  ['a file', (_, file) => ({over: 'file', path: file})],
]

test.each(carriers)('%s: every number once and in order across snapshot boundaries, on one lane', async (_, from) => {
  const file = join(temporaryFolder(), 'stream.jsonl')
  const server = await serve({file})
  const watched = await watchNumbered({from: from(server, file)})
  await watched.until(() => watched.cursor() === '1:0', 'the first snapshot')
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  expect(watched.told()).toEqual(handled(RISEN))
  const {counts, position} = await watched.view()
  expect(position).toEqual([
    ['generation', 3],
    ['sequence', 0],
  ])
  expect([counts.holes, counts.duplicate, counts.stale, counts.malformed]).toEqual([0, 0, 0, 0])
  const rows = await watched.generations()
  expect(
    rows.map(({lane, firstSequence, lastSequence, events}) => [lane, firstSequence, lastSequence, events]),
  ).toEqual([
    ['n:1', 0, 2, 3],
    ['n:2', 0, 1, 2],
    ['n:3', 0, 0, 1],
  ])
})

test.each(carriers)('%s: a new start goes on behind the durable cursor, with nothing twice', async (_, from) => {
  const file = join(temporaryFolder(), 'stream.jsonl')
  const server = await serve({file})
  const store = createMemoryStore()
  const first = await watchNumbered({from: from(server, file), store: leftOpen(store)})
  rise(server)
  await first.until(() => first.cursor() === '3:0', 'all of it')
  await first.close()
  server.act(note('while nobody watched'))
  server.act(snapshot)
  const again = await watchNumbered({from: from(server, file), store})
  await again.until(() => again.cursor() === '4:0', 'what came meanwhile')
  expect(again.told()).toEqual(handled(['event 3:1', 'snapshot 4:0']))
})

test.each([':', '-', '/'] as const)(
  'a cursor that stands in the id of an event alone, as 5%s12, is read there, asked for by it, and read again from the journal',
  async (between) => {
    const server = await serve({place: {idBetween: between}})
    const store = createMemoryStore()
    const lastEventId = `{generation}${between}{sequence}`
    const from = {over: 'sse', url: server.sse, query: 'future={future}', lastEventId} as const
    const cursorAt = {id: `G${between}S`} as const
    const first = await watchNumbered({from, cursorAt, store: leftOpen(store)})
    rise(server)
    await first.until(() => first.cursor() === '3:0', 'all of it')
    const settings = {kind: 'numbered', from, cursorAt, typeAt: 'type', future: 'fail'} as const
    const understood = [...first.store.frames.values()].map(({frame}) => understandJournaled(frame, settings)?.frame)
    expect(understood.map((frame) => frame?.kind === 'sequenced' && pairText(frame.cursor))).toEqual([
      ...['{1, 0}', '{1, 1}', '{1, 2}', '{2, 0}', '{2, 1}', '{3, 0}'],
    ])
    await first.close()

    const again = await watchNumbered({from, cursorAt, store})
    await again.until(() => server.record().length === 2, 'the second asking')
    server.act(note('after'))
    await again.until(() => again.cursor() === '3:1', 'what comes behind it')
    expect(server.record().map(({asked}) => asked)).toEqual(['/events?future=fail', `/events?future=fail 3${between}0`])
    const {counts} = await again.view()
    expect([counts.frames, counts.holes, counts.duplicate, counts.stale, counts.malformed]).toEqual([7, 0, 0, 0, 0])
  },
)

test('an id that is no cursor in the form that was chosen is a finding, and an event without one is about the connection', async () => {
  const server = await serve({place: {idBetween: '-'}})
  server.act({kind: 'event', event: {kind: 'note'}})
  const watched = await watchNumbered({from: sseOf(server.sse), cursorAt: {id: 'G:S'}})
  await watched.until(async () => (await watched.view()).counts.malformed === 2, 'two findings')
  server.act({kind: 'bad', what: 'missingCursor'})
  await watched.until(async () => (await watched.view()).counts.control === 1, 'an event without an id')
  const [first] = [...watched.store.frames.values()]
  expect(first?.frame).toMatchObject({
    summary: 'the id “1-0” is no cursor',
    problem: {kind: 'badCursorId', form: 'G:S', id: '1-0'},
  })
  expect(watched.cursor()).toBe('')
})

test('the cursor is asked for by the path and the templates that the user chose', async () => {
  const server = await serve({place: ['meta', 'cursor']})
  const watched = await watchNumbered({from: linesOf(server.lines), cursorAt: 'meta.cursor'})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'hangUp'})
  await watched.until(() => server.record().length > 1, 'a second open')
  expect(server.record().map(({asked}) => asked)).toEqual([
    '{"resume":null,"future":"fail"}',
    '{"resume":{"generation":3,"sequence":0},"future":"fail"}',
  ])
})

test('a server that says nothing of its messages’ cursor has only control messages', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines), cursorAt: 'nowhere'})
  rise(server)
  await watched.until(async () => (await watched.view()).counts.control === 6, 'six control messages')
  expect([watched.cursor(), watched.told()]).toEqual(['', []])
})

test('a restart of the server with its store keeps the cursor valid', async () => {
  const store = temporaryFolder()
  const server = await serve({store})
  const watched = await watchNumbered({from: linesOf(server.lines)})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'kept'})
  server.act(note('behind the restart'))
  await watched.until(() => watched.cursor() === '3:1', 'what came after')
  expect(watched.told()).toEqual(handled([...RISEN, 'event 3:1']))
})

async function risenAndLost(
  policy: 'fail' | 'all',
  future: 'fail' | 'wait' = 'fail',
): Promise<{server: NumberedServer; watched: WatchedNumbered}> {
  const server = await serve({future: policy})
  const from = policy === 'all' ? {...linesOf(server.lines), resume: '{"resume":{cursor}}'} : linesOf(server.lines)
  const watched = await watchNumbered({from, future})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'lost'})
  await watched.until(() => watched.state() === 'held', 'the source is held')
  return {server, watched}
}

async function heldFrame({view}: WatchedNumbered): Promise<number> {
  const {connection} = await view()
  expect(connection.because?.kind).toBe('numberingReset')
  return connection.frame ?? -1
}

test.each([
  ['all', 'fail'],
  ['fail', 'fail'],
  ['fail', 'wait'],
] as const)(
  'a lost store of a server whose word to a cursor ahead is “%s” is held for the user of a source that is to “%s”',
  async (policy, future) => {
    const {watched} = await risenAndLost(policy, future)
    await heldFrame(watched)
    expect(watched.told()).toEqual([...handled(RISEN), 'pending snapshot 1:0'])
    expect(watched.cursor()).toBe('3:0')
  },
)

test('the new numbering, taken by the user, is gone on with, through the numbers that the lost one had', async () => {
  const {server, watched} = await risenAndLost('fail')
  const frame = await heldFrame(watched)
  await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame})
  await watched.until(() => watched.cursor() === '1:0', 'the baseline')
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'the new numbers')
  expect(watched.told()).toEqual(handled([...RISEN, ...RISEN]))
  const moves = watched.store.changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move] : []))
  expect(moves.map(({cause}) => cause)).toEqual([
    ...Array(6).fill('handled'),
    'numberingTaken',
    ...Array(5).fill('handled'),
  ])
  const retired = watched.store.changes.flatMap((change) =>
    change.kind === 'generationRetired' || change.kind === 'generationResumed'
      ? [[change.kind, change.generation]]
      : [],
  )
  expect(retired).toEqual([
    ['generationRetired', 3],
    ['generationResumed', 3],
  ])
})

test('the old numbering, kept by the user, is asked for again, and goes on once the store is back', async () => {
  const server = await serve({future: 'fail'})
  const watched = await watchNumbered({from: linesOf(server.lines)})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'lost'})
  await watched.until(() => watched.state() === 'held', 'held')
  await watched.engine.handlers['sources.retry']({source: watched.source})
  await watched.until(() => watched.told().length === 8 && watched.state() === 'held', 'held again')
  expect(watched.told().slice(6)).toEqual(['stale snapshot 1:0', 'pending snapshot 1:0'])
  rise(server)
  server.act(note('beyond'))
  await watched.engine.handlers['sources.retry']({source: watched.source})
  await watched.until(() => watched.cursor() === '3:1', 'the stream goes on')
  expect(watched.told().slice(7)).toEqual(['stale snapshot 1:0', 'handled event 3:1'])
  const moves = watched.store.changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move] : []))
  const kept = {cause: 'numberingKept', steps: []}
  expect(moves.slice(6)).toMatchObject([kept, kept, {cause: 'handled'}])
})

test('held for a new numbering is held over a restart of Tidemark, until the user decides', async () => {
  const store = createMemoryStore()
  const server = await serve()
  const first = await watchNumbered({from: linesOf(server.lines), store: leftOpen(store)})
  rise(server)
  await first.until(() => first.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'lost'})
  await first.until(() => first.state() === 'held', 'held')
  await first.close()
  const again = await watchNumbered({from: linesOf(server.lines), store})
  await again.until(() => again.state() === 'held', 'held')
  await again.engine.handlers['sources.takeNumbering']({source: again.source, frame: await heldFrame(again)})
  await again.until(() => again.cursor() === '1:0', 'the baseline')
})

test('a cursor ahead of everything in its own generation fails with a word, or waits, as the user chose', async () => {
  for (const future of ['fail', 'wait'] as const) {
    const store = createMemoryStore()
    const path = join(temporaryFolder(), 'lines.sock')
    const server = await serve({linePort: path})
    const first = await watchNumbered({from: linesOf(path), store: leftOpen(store), future})
    for (const text of ['a', 'b', 'c']) server.act(note(text))
    await first.until(() => first.cursor() === '1:3', 'all of it')
    await first.close()
    await server.close()
    const restored = await serve({linePort: path})
    restored.act(note('a'))
    const watched = await watchNumbered({from: linesOf(path), store, future})
    const expected = future === 'fail' ? 'stopped' : 'live'
    await watched.until(() => watched.state() === expected, expected)
    if (future === 'fail') expect((await watched.view()).connection.because?.kind).toBe('futureCursor')
    for (const text of ['b', 'c', 'd']) restored.act(note(text))
    if (future === 'fail') await watched.engine.handlers['sources.resume']({source: watched.source})
    await watched.until(() => watched.cursor() === '1:4', 'what is greater')
    expect(watched.told()).toEqual(handled(['event 1:4']))
  }
})

test('bad messages are findings, duplicates and stale ones are counted, and the stream goes on', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines)})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  for (const what of ['garbage', 'missingCursor', 'wrongTypes', 'fractional', 'duplicate', 'stale'] as const) {
    server.act({kind: 'bad', what})
    server.act(note(what))
  }
  await watched.until(() => watched.cursor() === '3:6', 'the last note')
  const {counts, connection} = await watched.view()
  expect([counts.malformed, counts.control, counts.duplicate, counts.stale, counts.holes]).toEqual([3, 1, 1, 1, 0])
  expect([connection.state, server.record().length]).toEqual(['live', 1])
})

test('holes are facts: numbers and whole generations that never came', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines)})
  server.act({kind: 'skip', events: 3})
  server.act(note('behind three'))
  server.act({kind: 'skipGenerations', count: 2})
  server.act(snapshot)
  await watched.until(() => watched.cursor() === '4:0', 'the last')
  const {holes} = await watched.engine.handlers['holes.list']({source: watched.source, limit: 10})
  expect(holes.map(({missing, missingGenerations}) => [missing, missingGenerations])).toEqual([
    [0, 2],
    [3, undefined],
  ])
})

test('a message that is cut comes whole after the reopen, and half of it is nothing', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines)})
  await watched.until(() => watched.cursor() === '1:0', 'the first')
  server.act({kind: 'cut', atByte: 30})
  server.act(note('cut in the middle'))
  await watched.until(() => watched.cursor() === '1:1', 'the whole of it')
  expect(watched.told()).toEqual(handled(['snapshot 1:0', 'event 1:1']))
})

test('no cursor passes an event whose callback did not resolve, and a rejected one runs again over the same connection', async () => {
  const server = await serve()
  const callbacks = createControlledCallbacks()
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks})
  await watched.until(() => callbacks.open().length === 1, 'the first run')
  rise(server)
  await watched.until(() => watched.told().length === 6, 'all of it is journaled')
  expect([watched.cursor(), watched.told().at(-1)]).toEqual(['', 'pending snapshot 3:0'])
  callbacks.runs[0]?.reject(new Error('not now'))
  await watched.until(() => callbacks.runs.length === 2, 'the second run')
  expect([watched.cursor(), callbacks.runs[1]?.attempt]).toEqual(['', 2])
  callbacks.release()
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  expect([watched.told(), server.record().length]).toEqual([handled(RISEN), 1])
})

test('what held the source and was skipped while nobody watched it is not run again', async () => {
  const server = await serve()
  const callbacks = createControlledCallbacks()
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks})
  for (let run = 0; run < 3; run++) {
    await watched.until(() => callbacks.open().length === 1, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('never'))
  }
  await watched.until(() => watched.state() === 'held', 'held')
  const {source, engine} = watched
  const frame = (await watched.view()).connection.frame ?? -1
  await engine.handlers['sources.pause']({source})
  await engine.handlers['sources.resume']({source}) // held all the same, and nobody watches before it is decided
  await engine.handlers['sources.skip']({source, frame, reason: 'known'})
  server.act(note('behind it'))
  await watched.until(() => callbacks.open().length === 1, 'the next one')
  callbacks.release()
  await watched.until(() => watched.cursor() === '1:1', 'the next one')
  expect(watched.told()).toEqual(['skipped snapshot 1:0', 'handled event 1:1'])
})

test('what an earlier process journaled and did not handle runs first, and then the stream goes on behind it', async () => {
  const store = createMemoryStore()
  const server = await serve()
  const stuck = createControlledCallbacks()
  const first = await watchNumbered({from: linesOf(server.lines), store: leftOpen(store), callbacks: stuck})
  rise(server)
  await first.until(() => first.told().length === 6, 'all of it is journaled')
  await first.close()
  server.act(note('later'))
  const callbacks = createControlledCallbacks()
  const again = await watchNumbered({from: linesOf(server.lines), store, callbacks})
  await again.until(() => callbacks.open().length === 1, 'a run')
  expect(server.record().length).toBe(1)
  callbacks.release()
  await again.until(() => again.cursor() === '3:1', 'all of it')
  expect(callbacks.runs.length).toBe(7)
  expect(server.record().at(-1)?.asked).toBe('{"resume":{"generation":3,"sequence":0},"future":"fail"}')
})

test('the first event of a taken numbering is handled by its callback before the cursor is there', async () => {
  const server = await serve()
  const callbacks = createControlledCallbacks()
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks})
  rise(server)
  for (let run = 0; run < 6; run++) {
    await watched.until(() => callbacks.open().length === 1, `run ${run}`)
    callbacks.open()[0]?.resolve()
  }
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'lost'})
  await watched.until(() => watched.state() === 'held', 'held')
  expect(callbacks.runs.length).toBe(6)
  await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame: await heldFrame(watched)})
  await watched.until(() => callbacks.open().length === 1, 'the run of the first event')
  expect(watched.cursor()).toBe('3:0')
  callbacks.release()
  await watched.until(() => watched.cursor() === '1:0', 'the baseline')
})

test('a file that is cut below the cursor is a cursor ahead; one that begins anew is a new numbering', async () => {
  const file = join(temporaryFolder(), 'stream.jsonl')
  const server = await serve({file})
  const watched = await watchNumbered({from: {over: 'file', path: file}})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  truncateSync(file)
  server.act({kind: 'restart', store: 'lost'})
  await watched.until(() => watched.state() === 'held', 'held')
  await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame: await heldFrame(watched)})
  server.act(note('anew'))
  await watched.until(() => watched.cursor() === '1:1', 'the new numbers')
})

test('a server that is not there is looked for again, and found', async () => {
  const path = join(temporaryFolder(), 'lines.sock')
  const watched = await watchNumbered({from: linesOf(path)})
  await watched.until(() => watched.state() === 'waiting', 'waiting')
  expect((await watched.view()).connection.because).toEqual({kind: 'notReached', detail: 'ENOENT'})
  await serve({linePort: path})
  await watched.until(() => watched.cursor() === '1:0', 'the first')
})

test('a file that does not exist yet is looked for, said so, and read once it is there; a folder in its place is another thing', async () => {
  const path = join(temporaryFolder(), 'below', 'stream.jsonl')
  const watched = await watchNumbered({from: {over: 'file', path}})
  const because = async () => (await watched.view()).connection.because
  await watched.until(async () => (await because())?.kind === 'noFile', 'no file')
  expect(await because()).toEqual({kind: 'noFile', path})
  mkdirSync(path, {recursive: true})
  await watched.until(async () => (await because())?.kind === 'fileUnreadable', 'a folder')
  rmdirSync(path)
  writeFileSync(path, '{"type":"event","cursor":{"generation":4,"sequence":0}}\n')
  await watched.until(() => watched.cursor() === '4:0', 'the first')
})

test('a history from a cursor of the user’s own begins strictly behind it and moves nothing', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines), clock: createFastClock(1)})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  const before = [watched.store.changes.length, JSON.stringify(await watched.view())]
  const ask = (generation: number, sequence: number, limit: number) =>
    watched.engine.handlers['history.from']({source: watched.source, cursor: {generation, sequence}, limit})
  const numbers = (view: Awaited<ReturnType<typeof ask>>) =>
    view.kind === 'read'
      ? [view.end, view.messages.map(({cursor}) => `${cursor?.generation}:${cursor?.sequence}`)]
      : view
  expect(numbers(await ask(1, 1, 100))).toEqual(['quiet', ['1:2', '2:0', '2:1', '3:0']])
  expect(numbers(await ask(1, 77, 2))).toEqual(['limit', ['2:0', '2:1']])
  expect(await ask(9, 0, 10)).toMatchObject({kind: 'refused', because: {kind: 'futureCursor'}})
  expect([watched.store.changes.length, JSON.stringify(await watched.view())]).toEqual(before)
})
