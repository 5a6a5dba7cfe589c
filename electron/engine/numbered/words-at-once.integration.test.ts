import {expect, test} from 'vitest'
import type {Change} from '../../../shared/history/change.ts'
import {RefusedRequest} from '../serve.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {type ControlledCallbacks, createControlledCallbacks} from '../testing/controlled-callbacks.ts'
import {serve, snapshot} from '../testing/rising-server.ts'
import {linesOf, type WatchedNumbered, watchNumbered} from '../testing/watch-numbered.ts'

/** A disk that takes some lists of changes, and says so only when it is let go. */
interface SlowDisk {
  readonly store: Store
  readonly hold: (which: (change: Change) => boolean) => void
  readonly letGo: () => void
  /** Lists that it took and says nothing of. */
  readonly waiting: () => number
}

function slowDisk(): SlowDisk {
  const store = createMemoryStore()
  let isHeld: (change: Change) => boolean = () => false
  let gate = Promise.withResolvers<void>()
  let waiting = 0
  return {
    store: {
      ...store,
      async commit(changes) {
        await store.commit(changes)
        if (!changes.some(isHeld)) return
        waiting += 1
        await gate.promise
      },
    },
    hold(which) {
      isHeld = which
      gate = Promise.withResolvers()
    },
    letGo() {
      isHeld = () => false
      gate.resolve()
    },
    waiting: () => waiting,
  }
}

interface Held {
  readonly watched: WatchedNumbered
  readonly callbacks: ControlledCallbacks
  readonly disk: SlowDisk
  readonly frame: number
}

async function watchSecond(disk = slowDisk()) {
  const callbacks = createControlledCallbacks()
  const server = await serve({future: 'fail'})
  const watched = await watchNumbered({from: linesOf(server.lines), callbacks, store: disk.store})
  await watched.until(() => callbacks.open().length === 1, 'the first snapshot')
  callbacks.open()[0]?.resolve()
  server.act(snapshot)
  await watched.until(() => callbacks.open().length === 1, 'the second one')
  return {server, callbacks, watched, disk}
}

async function heldFrame(watched: WatchedNumbered): Promise<number> {
  await watched.until(async () => (await watched.view()).connection.state === 'held', 'held')
  return (await watched.view()).connection.frame ?? -1
}

/** By the first frame of a new numbering, at {1, 0} where {2, 0} is the cursor. */
async function heldAnew(): Promise<Held> {
  const {server, callbacks, watched, disk} = await watchSecond()
  callbacks.open()[0]?.resolve()
  await watched.until(() => watched.cursor() === '2:0', 'both')
  server.act({kind: 'restart', store: 'lost'})
  return {watched, callbacks, disk, frame: await heldFrame(watched)}
}

/** By {2, 0}, which failed three times. */
async function heldRejected(): Promise<Held> {
  const {callbacks, watched, disk} = await watchSecond()
  for (let run = 1; run <= 3; run++) {
    await watched.until(() => callbacks.open().length === 1, `run ${run}`)
    callbacks.open()[0]?.reject(new Error('no'))
  }
  return {watched, callbacks, disk, frame: await heldFrame(watched)}
}

type Word = 'take' | 'keep' | 'skip' | 'retry'

function say({watched: {engine, source}, frame}: Held, word: Word): Promise<unknown> {
  const {handlers} = engine
  switch (word) {
    case 'take':
      return handlers['sources.takeNumbering']({source, frame})
    case 'keep':
      return handlers['sources.keepNumbering']({source, frame})
    case 'skip':
      return handlers['sources.skip']({source, frame, reason: 'away with it'})
    case 'retry':
      return handlers['sources.retry']({source})
  }
}

function isMove(change: Change): boolean {
  return change.kind === 'cursorMoved'
}

function endsOf({watched: {store}, frame}: Held): readonly string[] {
  return store.changes.flatMap((change) => {
    if (change.kind === 'frameSettled' && change.frame === frame && change.outcome !== 'rejected')
      return [change.outcome]
    return change.kind === 'cursorMoved' && change.move.frame === frame ? [change.move.cause] : []
  })
}

test.each([
  ['take', 'skip', heldAnew, '1:0', ['handled', 'numberingTaken']],
  ['take', 'take', heldAnew, '1:0', ['handled', 'numberingTaken']],
  ['take', 'keep', heldAnew, '1:0', ['handled', 'numberingTaken']],
  ['take', 'retry', heldAnew, '1:0', ['handled', 'numberingTaken']],
] as const)(
  'a numbering that is being taken is taken, and another word about it refused (%s, %s)',
  async (first, second, heldBy, cursor, ends) => {
    const held = await heldBy()
    const {watched, callbacks, disk} = held
    disk.hold(isMove) // so that what the second one would write is still on its way when the frame is run
    const said = say(held, first)
    const refused = await say(held, second).catch((cause: unknown) => cause)
    await said
    expect(refused).toBeInstanceOf(RefusedRequest)
    await watched.until(() => callbacks.open().length === 1, 'its run')
    callbacks.open()[0]?.resolve()
    await watched.until(() => disk.waiting() === 1, 'the end of it')
    disk.letGo()
    await watched.until(() => watched.cursor() === cursor, 'the move')
    await watched.close()
    expect(endsOf(held)).toEqual(ends)
  },
)

test.each([
  ['retry', 'skip'],
  ['skip', 'retry'],
  ['skip', 'skip'],
] as const)(
  'a skip that comes with another word is kept, and the frame not run beside it (%s, %s)',
  async (first, second) => {
    const held = await heldRejected()
    const {watched, callbacks, disk} = held
    disk.hold(isMove)
    const said = Promise.all([say(held, first), say(held, second)])
    await watched.until(() => disk.waiting() === 1, 'the skip')
    disk.letGo()
    await said
    await say(held, 'skip').catch(() => {}) // whatever it comes to, it is not about the next frame
    await watched.until(() => watched.state() === 'live', 'it goes on')
    await watched.close()
    expect([endsOf(held), callbacks.runs.length]).toEqual([['skipped', 'skipped'], 4])
  },
)

test.each([
  ['keep', heldAnew],
  ['skip', heldRejected],
] as const)(
  'a source that is paused while the disk takes the user’s word stays paused, and holds nothing that was decided (%s)',
  async (word, heldBy) => {
    const held = await heldBy()
    const {watched, disk} = held
    const {source, engine} = watched
    disk.hold(isMove)
    const said = say(held, word)
    await watched.until(() => disk.waiting() === 1, 'the word')
    await engine.handlers['sources.pause']({source})
    disk.letGo()
    await said
    expect((await watched.view()).connection).toMatchObject({state: 'stopped', because: {kind: 'asked'}})
    await engine.handlers['sources.resume']({source})
    await watched.until(async () => {
      const {connection} = await watched.view()
      return connection.state === 'live' || (connection.state === 'held' && connection.frame !== held.frame)
    }, 'it goes on')
  },
)

test('a source that is paused while the first frame of a new numbering is journaled asks about that one, and has it once', async () => {
  const {server, callbacks, watched, disk} = await watchSecond()
  callbacks.open()[0]?.resolve()
  await watched.until(() => watched.cursor() === '2:0', 'both')
  disk.hold((change) => change.kind === 'frameJournaled' && change.outcome === 'pending')
  server.act({kind: 'restart', store: 'lost'})
  await watched.until(() => disk.waiting() === 1, 'the frame')
  const {source, engine} = watched
  const paused = engine.handlers['sources.pause']({source})
  disk.letGo()
  await paused
  const frame = await heldFrame(watched)
  await engine.handlers['sources.resume']({source})
  await engine.handlers['sources.takeNumbering']({source, frame})
  await watched.until(() => callbacks.open().length === 1, 'its run')
  callbacks.open()[0]?.resolve()
  await watched.until(() => watched.cursor() === '1:0', 'the new numbering')
  expect(watched.told()).toEqual(['handled snapshot 1:0', 'handled snapshot 2:0', 'handled snapshot 1:0'])
})
