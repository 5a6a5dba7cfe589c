import {appendFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import type {NumberedServer} from '../../demo/numbered/server.ts'
import {RefusedRequest} from '../serve.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {rise, serve, snapshot} from '../testing/rising-server.ts'
import {leftOpen, temporaryFolder} from '../testing/temporary-folder.ts'
import {linesOf, type WatchedNumbered, type WatchNumberedOptions, watchNumbered} from '../testing/watch-numbered.ts'

type How = Partial<WatchNumberedOptions>

/** Held at {1, 0}, where {3, 0} is the cursor. */
async function heldAnew(how: How = {}): Promise<{server: NumberedServer; watched: WatchedNumbered; frame: number}> {
  const server = await serve({future: 'fail'})
  const watched = await watchNumbered({from: linesOf(server.lines), ...how})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  server.act({kind: 'restart', store: 'lost'})
  return {server, watched, frame: await heldFrame(watched)}
}

async function heldFrame(watched: WatchedNumbered, before = -1): Promise<number> {
  await watched.until(async () => {
    const {connection} = await watched.view()
    const isAsked = connection.state === 'held' && connection.because?.kind === 'numberingReset'
    return isAsked && connection.frame !== before
  }, 'the user is asked')
  return (await watched.view()).connection.frame ?? -1
}

function movesOf({store}: WatchedNumbered): readonly object[] {
  return store.changes.flatMap((change) => (change.kind === 'cursorMoved' ? [change.move] : []))
}

async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const refused = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (!(refused instanceof RefusedRequest) || refused.error.kind !== 'refused') throw refused
  return refused.error.code
}

const BETWEEN = {held: {generation: 3, sequence: 0}, offered: {generation: 1, sequence: 0}}

test('a numbering that was taken is told with its cursors, and its generations apart from the lost ones', async () => {
  const {server, watched, frame} = await heldAnew()
  const {source, engine} = watched
  await engine.handlers['sources.takeNumbering']({source, frame})
  await watched.until(() => watched.cursor() === '1:0', 'the baseline')
  expect(movesOf(watched).at(-1)).toMatchObject({cause: 'numberingTaken', frame})
  expect((await watched.view()).counts.numberings).toBe(1)
  const {frame: row} = await engine.handlers['frames.detail']({frame})
  expect(row).toMatchObject({outcome: 'handled', numbering: {decision: 'taken', ...BETWEEN}})
  rise(server)
  await watched.until(() => watched.cursor() === '3:0', 'the new numbers')
  server.act(snapshot)
  await watched.until(() => watched.cursor() === '4:0', 'one more than the lost one had')
  const rows = await watched.generations()
  const told = rows.map(({numbering, lane, events, retiredAt, givenUpAt}) => ({
    row: `${numbering} ${lane} ${events}`,
    isRetired: retiredAt !== undefined,
    isGivenUp: givenUpAt === row.settledAt,
  }))
  const lost = {isGivenUp: true, isRetired: false}
  const now = {isGivenUp: false, isRetired: false}
  expect(told).toEqual([
    {row: '0 n:1 3', ...lost},
    {row: '0 n:2 2', ...lost},
    {row: '0 n:3 1', isGivenUp: true, isRetired: true},
    ...['1 n:1 3', '1 n:2 2', '1 n:3 1', '1 n:4 1'].map((one) => ({row: one, ...now})),
  ])
})

test('what still comes from the lost numbering is counted with it', async () => {
  const path = join(temporaryFolder(), 'stream.jsonl')
  const lines = (...cursors: readonly (readonly [number, number])[]): string =>
    cursors
      .map(([generation, sequence]) => `${JSON.stringify({type: 'event', cursor: {generation, sequence}})}\n`)
      .join('')
  writeFileSync(path, lines([1, 0], [2, 0], [3, 0]))
  const watched = await watchNumbered({from: {over: 'file', path}})
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  writeFileSync(path, lines([1, 0]))
  const frame = await heldFrame(watched)
  await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame})
  await watched.until(() => watched.cursor() === '1:0', 'the baseline')
  appendFileSync(path, lines([3, 1], [1, 1]))
  await watched.until(() => watched.cursor() === '1:1', 'the next')
  const rows = await watched.generations()
  expect(rows.map(({numbering, lane, events, stale}) => `${numbering} ${lane} ${events} ${stale}`)).toEqual([
    '0 n:1 1 0',
    '0 n:2 1 0',
    '0 n:3 1 1',
    '1 n:1 2 0',
  ])
})

test('a numbering that was kept is told with its cursors, and moves nothing', async () => {
  const {watched, frame} = await heldAnew()
  const {source, engine} = watched
  await engine.handlers['sources.keepNumbering']({source, frame})
  const next = await heldFrame(watched, frame)
  expect(movesOf(watched).at(-1)).toMatchObject({cause: 'numberingKept', frame, steps: []})
  const {frame: row} = await engine.handlers['frames.detail']({frame})
  expect(row).toMatchObject({outcome: 'stale', numbering: {decision: 'kept', ...BETWEEN}})
  expect(watched.cursor()).toBe('3:0')
  expect(await refusalOf(engine.handlers['sources.keepNumbering']({source, frame}))).toBe('otherFrameHeld')
  expect(await refusalOf(engine.handlers['sources.takeNumbering']({source, frame}))).toBe('otherFrameHeld')
  await engine.handlers['sources.retry']({source}) // keeps it, too
  await heldFrame(watched, next)
  expect(movesOf(watched).filter((move) => 'cause' in move && move.cause === 'numberingKept')).toHaveLength(2)
})

test('two clicks that keep it are one decision', async () => {
  const {watched, frame} = await heldAnew()
  const {source, engine} = watched
  const keep = engine.handlers['sources.keepNumbering']
  await Promise.all([keep({source, frame}), keep({source, frame})])
  await heldFrame(watched, frame)
  expect(movesOf(watched).filter((move) => 'cause' in move && move.cause === 'numberingKept')).toHaveLength(1)
})

test('the first frame of a new numbering cannot be skipped, and the source stays as it is', async () => {
  const {watched, frame} = await heldAnew()
  const {source, engine} = watched
  const before = watched.store.changes.length
  expect(await refusalOf(engine.handlers['sources.skip']({source, frame, reason: 'away with it'}))).toBe(
    'numberingAnew',
  )
  expect(watched.store.changes.length).toBe(before)
  expect(await heldFrame(watched)).toBe(frame)
})

test('where something else holds the source, no numbering is taken or kept', async () => {
  const server = await serve()
  const callbacks = createControlledCallbacks()
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks})
  const {source, engine} = watched
  for (let run = 1; run <= 3; run++) {
    await watched.until(() => callbacks.open().length === 1, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('no'))
  }
  await watched.until(() => watched.state() === 'held', 'held')
  const frame = (await watched.view()).connection.frame ?? -1
  expect(await refusalOf(engine.handlers['sources.takeNumbering']({source, frame}))).toBe('noNewNumbering')
  expect(await refusalOf(engine.handlers['sources.keepNumbering']({source, frame}))).toBe('noNewNumbering')
})

/** Taken, and its first frame failed until it holds the source itself. */
async function takenAndRejected(how: How = {}) {
  const callbacks = createControlledCallbacks()
  const server = await serve({future: 'fail'})
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks, ...how})
  await watched.until(() => callbacks.open().length === 1, 'the first snapshot')
  callbacks.open()[0]?.resolve()
  server.act(snapshot)
  await watched.until(() => callbacks.open().length === 1, 'the second one')
  callbacks.open()[0]?.resolve()
  await watched.until(() => watched.cursor() === '2:0', 'both')
  server.act({kind: 'restart', store: 'lost'})
  const frame = await heldFrame(watched)
  await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame})
  for (let run = 1; run <= 3; run++) {
    await watched.until(() => callbacks.open().length === 1, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('no'))
  }
  await watched.until(
    async () => (await watched.view()).connection.because?.kind === 'rejected',
    'held by its failures',
  )
  return {server, watched, frame, callbacks}
}

test('taken, and then skipped because it failed: the cursor is back by the user’s word, and the reason stands beside it', async () => {
  const {watched, frame} = await takenAndRejected()
  const {source, engine} = watched
  expect(watched.cursor()).toBe('2:0')
  await engine.handlers['sources.skip']({source, frame, reason: 'known to be broken'})
  await watched.until(() => watched.cursor() === '1:0', 'the new numbering')
  expect(movesOf(watched).at(-1)).toMatchObject({cause: 'numberingTaken', frame, reason: 'known to be broken'})
  expect(await engine.handlers['frames.detail']({frame})).toMatchObject({
    frame: {outcome: 'skipped', cause: 'numberingTaken', numbering: {decision: 'taken'}},
    skipReason: 'known to be broken',
  })
})

test('taken in vain, the old numbering can still be kept: the server is asked again, and what failed is stale and runs no more', async () => {
  const {server, watched, frame, callbacks} = await takenAndRejected()
  const {source, engine} = watched
  expect(await watched.view()).toMatchObject({takingNumbering: true})
  server.act({kind: 'restart', store: 'kept'})
  await engine.handlers['sources.keepNumbering']({source, frame})
  expect(movesOf(watched).at(-1)).toMatchObject({cause: 'numberingKept', frame, steps: []})
  expect(watched.cursor()).toBe('2:0')
  expect(await engine.handlers['frames.detail']({frame})).toMatchObject({
    frame: {outcome: 'stale', attempt: 3, numbering: {decision: 'kept'}},
  })
  // The server still numbers anew, so the user is asked again, about what it sent now.
  const next = await heldFrame(watched, frame)
  expect((await watched.view()).takingNumbering).toBeUndefined()
  expect(next).toBeGreaterThan(frame)
  expect(callbacks.open()).toEqual([])
})

test('taken in vain and taken once more, its first frame runs once more', async () => {
  const {watched, frame, callbacks} = await takenAndRejected()
  const {source, engine} = watched
  await engine.handlers['sources.takeNumbering']({source, frame})
  await watched.until(() => callbacks.open().length === 1, 'the fourth run')
  expect(await refusalOf(engine.handlers['sources.keepNumbering']({source, frame}))).toBe('notHeld')
  callbacks.open()[0]?.resolve()
  await watched.until(() => watched.cursor() === '1:0', 'the new numbering')
  expect(movesOf(watched).at(-1)).toMatchObject({cause: 'numberingTaken', frame})
})

test('taken, and not handled before the process ended: after a restart it is taken no longer, and the user is asked again', async () => {
  const store = createMemoryStore()
  const first = await takenAndRejected({store: leftOpen(store)})
  await first.watched.close()
  const callbacks = createControlledCallbacks()
  const again = await watchNumbered({from: linesOf(first.server.lines), store, callbacks})
  const {source, engine} = again
  const {frame} = first
  expect(await heldFrame(again)).toBe(frame)
  expect(again.cursor()).toBe('2:0')
  expect(await refusalOf(engine.handlers['sources.skip']({source, frame, reason: 'away'}))).toBe('numberingAnew')
  await engine.handlers['sources.takeNumbering']({source, frame})
  await again.until(() => callbacks.open().length === 1, 'the fourth run')
  callbacks.open()[0]?.resolve()
  await again.until(() => again.cursor() === '1:0', 'the new numbering')
})

test('kept, and the process ended before the server was asked: the next one asks it, and holds nothing that is decided', async () => {
  const store = createMemoryStore()
  const {server, watched, frame} = await heldAnew({store: leftOpen(store)})
  await watched.engine.handlers['sources.keepNumbering']({source: watched.source, frame})
  await watched.close()
  const because = {kind: 'numberingReset', frame: frame as FrameId} as const
  const state = {kind: 'held', because, frame: frame as FrameId} as const
  const connection = {source: watched.source, at: epochMs(0), state, heartbeat: 'none'} as const
  await store.commit([{kind: 'connectionChanged', connection}]) // the last that the disk was told of it
  const again = await watchNumbered({from: linesOf(server.lines), store})
  await heldFrame(again, frame)
  expect(again.told().at(-1)).toBe('pending snapshot 1:0')
})
