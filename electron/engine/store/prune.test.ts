import {DatabaseSync} from 'node:sqlite'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {Change} from '../../../shared/history/change.ts'
import {type PruneOrder, pruneOrder} from '../../../shared/history/retention.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {loadProfile} from './load.ts'
import {pruneStep} from './prune.ts'
import {readFrameDetail} from './read-frames.ts'
import {readTimeline} from './read-timeline.ts'
import {MIGRATIONS} from './schema.ts'
import {added, connection, frame, gap, id, journaled, moved, SOURCE, START, settled} from './testing/changes.ts'
import {changesOf, histories} from './testing/history.ts'
import {createWriteGroup} from './write-group.ts'

function written(lists: readonly (readonly Change[])[]) {
  const db = new DatabaseSync(':memory:')
  db.exec('PRAGMA foreign_keys = ON')
  for (const step of MIGRATIONS) db.exec(step)
  const write = createWriteGroup(db)
  for (const list of [[added()], ...lists]) expect(write([list])).toEqual([undefined])
  return {db, write}
}

function pruneAll(db: DatabaseSync, order: PruneOrder) {
  let [frames, bytes] = [0, 0]
  for (;;) {
    const step = pruneStep(db, order)
    frames += step.frames
    bytes += step.bytes
    if (!step.more) return {frames, bytes}
  }
}

/** What no retention may touch. */
function kept(db: DatabaseSync) {
  const all = (sql: string) => db.prepare(sql).all()
  return {
    profile: loadProfile(db),
    sources: all('SELECT * FROM sources'),
    coordinates: all('SELECT * FROM coordinates'),
    ledger: all('SELECT * FROM gaps'),
    framesOfGaps: all('SELECT * FROM frames WHERE id IN (SELECT frame FROM gaps)'),
    unhandled: all('SELECT * FROM unhandled'),
    skipped: all(`SELECT * FROM frames WHERE outcome = 'skipped'`),
    reasons: all(
      `SELECT * FROM moves WHERE reason IS NOT NULL OR frame IS NULL OR frame IN (SELECT id FROM frames WHERE outcome = 'skipped')`,
    ),
    attempts: all(`SELECT * FROM attempts WHERE frame IN (SELECT frame FROM gaps UNION SELECT frame FROM unhandled)`),
    coarse: all('SELECT * FROM cells WHERE level >= 3'),
  }
}

const DAY_MS = 86_400_000

/** One by one or counted, in a view of a range of time. */
function framesSeen(db: DatabaseSync, from: number, to: number): number {
  const range = readTimeline(db, {source: SOURCE, from, to, columns: 1_000})
  return range.binMs === undefined ? range.frames.length : range.bins.reduce((sum, {count}) => sum + count, 0)
}

test('cursors, ledger, waiting frames and skips are the same after any prune, and nothing within the limit is gone', () => {
  const limits = fc.record({
    ageDays: fc.option(fc.double({min: 0, max: 10, noNaN: true})),
    maxBytes: fc.option(fc.nat(300_000)),
  })
  fc.assert(
    fc.property(
      fc.oneof(histories('steady'), histories('jumping')),
      limits,
      fc.nat(1_000),
      (happenings, {ageDays, maxBytes}, share) => {
        const lists = changesOf(happenings)
        const {db} = written(lists)
        const frames = lists.flat().flatMap((change) => (change.kind === 'frameJournaled' ? [change.frame] : []))
        const times = [START, ...frames.map(({receivedAt}) => receivedAt)]
        const now = Math.min(...times) + ((Math.max(...times) - Math.min(...times)) * share) / 500
        const order = pruneOrder(
          {...(ageDays === null ? {} : {maxAgeDays: ageDays}), ...(maxBytes === null ? {} : {maxBytes})},
          epochMs(Math.floor(now)),
        )
        const before = kept(db)
        const done = pruneAll(db, order)
        expect(kept(db)).toEqual(before)
        const left = new Set(
          db
            .prepare('SELECT id FROM frames')
            .all()
            .map((row) => row['id']),
        )
        expect(frames.length - left.size).toBe(done.frames)
        if (maxBytes === null)
          for (const one of frames)
            if (one.receivedAt >= (order.before ?? 0) && one.receivedAt <= order.now) expect(left).toContain(one.id)
        expect(pruneAll(db, order).frames).toBe(0)
        if (Math.max(...times) <= order.now)
          expect(framesSeen(db, Math.min(...times), Math.max(...times) + 1)).toBe(frames.length)
        expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{integrity_check: 'ok'}])
        expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
        db.close()
      },
    ),
    {numRuns: 150},
  )
})

const ALL = pruneOrder({maxAgeDays: 1}, epochMs(START + 1_000 * DAY_MS))

test('all that is old goes, with its attempts, moves and connections, in as many steps as it takes', () => {
  const count = 2_500
  const {db} = written([
    Array.from({length: count}, (_, n) => journaled(n + 1, n % 500 === 7 ? 'pending' : 'handled')),
    [1, 2, 3].map((n): Change => ({kind: 'connectionChanged', connection: connection(START + n)})),
    [{kind: 'gapRecorded', gap: gap(50)}, moved(60, [['s', undefined, 1]], {at: epochMs(START + DAY_MS)})],
    [settled(61, 'skipped'), moved(61, [['s', 1, 2]], {cause: 'skipped', reason: 'known loss'})],
  ])
  expect(pruneAll(db, ALL).frames).toBe(count - 5 - 1 - 1 - 1) // waiting, the gap, the skipped one, the newest
  expect(
    db
      .prepare('SELECT id FROM frames')
      .all()
      .map((row) => row['id']),
  ).toEqual([...[8, 50, 61, 508, 1_008, 1_508, 2_008, count]])
  expect(db.prepare('SELECT frame, reason FROM moves').all()).toEqual([{frame: 61, reason: 'known loss'}])
  expect(db.prepare('SELECT at FROM connections').all()).toEqual([{at: START + 3}])
  expect(readFrameDetail(db, 61)).toMatchObject({skipReason: 'known loss'})
})

test('a frame that waited for its callback goes once it is handled', () => {
  const {db, write} = written([[journaled(1, 'pending'), journaled(2), journaled(3)]])
  expect(pruneAll(db, ALL).frames).toBe(1)
  write([[settled(1)]])
  expect(pruneAll(db, ALL).frames).toBe(1)
})

test('the number of the next frame does not go back', () => {
  const {db} = written([[journaled(41)], [journaled(42)]])
  pruneAll(db, ALL)
  expect(loadProfile(db).nextFrameId).toBe(43)
})

test('by size, the oldest go until the rest fits, and what is free is used again', () => {
  const {db, write} = written([])
  const list = (from: number) =>
    Array.from({length: 1_000}, (_, n) => journaled(from + n, 'handled', {bytes: new Uint8Array(1_000), size: 1_000}))
  const pages = () => Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
  const free = () => Number(db.prepare('PRAGMA freelist_count').get()?.['freelist_count'])
  write([list(1)])
  const order = pruneOrder({maxBytes: 800_000}, epochMs(START))
  const {frames, bytes} = pruneAll(db, order)
  const used = (pages() - free()) * 4_096
  expect(used).toBeLessThanOrEqual(800_000)
  expect(used).toBeGreaterThan(600_000)
  expect(bytes).toBe(free() * 4_096)
  expect(db.prepare('SELECT min(id) AS id FROM frames').get()).toEqual({id: frames + 1})
  const before = pages()
  write([list(1_001).slice(0, 300)])
  expect(pages()).toBe(before)
})

test('a large frame is a step of its own', () => {
  const large = {bytes: new Uint8Array(3_000_000), size: 3_000_000}
  const {db} = written([[journaled(1, 'handled', large), journaled(2, 'handled', large), journaled(3), journaled(4)]])
  expect(pruneStep(db, ALL)).toMatchObject({frames: 1, more: true})
  expect(pruneStep(db, ALL)).toMatchObject({frames: 1, more: true})
  expect(pruneStep(db, ALL)).toMatchObject({frames: 1, more: true})
})

test('a range whose frames are gone tells so, how many there were, and where the lines stood', () => {
  const lists = Array.from({length: 40}, (_, n) => [journaled(n + 1), moved(n + 1, [['s', n, n + 1]])])
  const {db} = written(lists)
  pruneAll(db, pruneOrder({maxAgeDays: 0}, epochMs(START + 20_000)))
  const ask = (from: number, to: number) =>
    readTimeline(db, {source: SOURCE, from: START + from, to: START + to, columns: 1_000})
  const old = ask(0, 15_000)
  expect(old).toMatchObject({detailsFrom: START + 19_001, binMs: 1_000, frames: []})
  expect(old.bins.map(({count}) => count)).toEqual(Array.from({length: 14}, () => 1))
  expect(old.lanes[0]?.steps.at(-1)).toEqual({at: START + 15_000, value: 14})
  const young = ask(25_000, 60_000)
  expect(young.binMs).toBeUndefined()
  expect(young.detailsFrom).toBeUndefined()
  expect(young.frames).toHaveLength(16)
  expect(young.lanes[0]).toMatchObject({lane: 's', start: 24})
})

test('fine roll-ups go long after the frames, and the coarse ones stay', () => {
  const days = (n: number) => ({receivedAt: epochMs(START + n * DAY_MS), source: SOURCE})
  const {db} = written(Array.from({length: 100}, (_, n) => [journaled(n + 1, 'handled', days(n))]))
  const levels = () => db.prepare('SELECT level, count(*) AS n FROM cells GROUP BY level').all()
  pruneAll(db, pruneOrder({maxAgeDays: 30}, frame(1, days(100)).receivedAt))
  expect(levels().map(({n}) => n)).toEqual([100, 99, 99, 99, 99])
  pruneAll(db, pruneOrder({maxAgeDays: 10}, frame(1, days(100)).receivedAt))
  expect(levels().map(({level, n}) => [level, Number(n) > 90])).toEqual([
    [0, false],
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ])
  expect(id(100)).toBe(loadProfile(db).nextFrameId - 1)
})

test('what a source did last, long ago, is still counted', () => {
  const idle = 'idle' as SourceId
  const days = (n: number) => ({receivedAt: epochMs(START + n * DAY_MS)})
  const {db} = written([
    [
      added(idle),
      journaled(1, 'handled', {...days(0), source: idle}),
      journaled(2, 'handled', {...days(0), source: idle}),
    ],
    ...Array.from({length: 100}, (_, n) => [journaled(n + 3, 'handled', days(n))]),
  ])
  pruneAll(db, pruneOrder({maxAgeDays: 1}, epochMs(START + 99 * DAY_MS)))
  const {bins} = readTimeline(db, {source: idle, from: START, to: START + 99 * DAY_MS, columns: 1_000})
  expect(bins.map(({count}) => count)).toEqual([2])
})
