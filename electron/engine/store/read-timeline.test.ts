import {DatabaseSync} from 'node:sqlite'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {TimelineRange} from '../../../shared/contract/contract.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {Move} from '../../../shared/history/fact.ts'
import {loadProfile} from './load.ts'
import {createMemoryStore} from './memory-store.ts'
import {binsAt, readBins} from './read-bins.ts'
import {findSource} from './read-cells.ts'
import {KEPT_WHOLE} from './read-notable.ts'
import {fromJson} from './read-row.ts'
import {readTimeline} from './read-timeline.ts'
import {LEVELS_MS} from './roll-up.ts'
import {MIGRATIONS} from './schema.ts'
import {added, id, journaled, moved, SOURCE, START, settled} from './testing/changes.ts'
import {changesOf, histories} from './testing/history.ts'
import {createWriteGroup} from './write-group.ts'

/** A store with a history in it, without threads and without a disk. */
function written(lists: readonly (readonly Change[])[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const step of MIGRATIONS) db.exec(step)
  const write = createWriteGroup(db)
  for (const list of [[added()], ...lists]) expect(write([list])).toEqual([undefined])
  return db
}

/** At a level of the test's choice, however few frames there are. */
function binned(
  db: DatabaseSync,
  level: number,
  range: {readonly from: number; readonly to: number; readonly columns: number},
) {
  const source = findSource(db, SOURCE)
  if (source === undefined) throw new Error('the source was added')
  const bins = binsAt(level, range)
  return {binMs: bins.binMs, ...readBins(db, source, bins)}
}

/** How finely: a level of the roll-ups, and columns that may make several spans one bin. */
const zooms = fc.record({level: fc.nat(LEVELS_MS.length - 1), columns: fc.integer({min: 1, max: 60})})

/** A range somewhere about a history: often inside, sometimes all of it, or after its end. */
const shares = fc.integer({min: 0, max: 1_500}).map((thousandths) => thousandths / 1_000) // fc.double would be near 0 most of the time
const ranges = fc.tuple(shares, shares)

function rangeOf(lists: readonly (readonly Change[])[], [a, b]: readonly [number, number]) {
  const times = lists.flat().flatMap((change) => {
    if (change.kind === 'frameJournaled') return [change.frame.receivedAt]
    return change.kind === 'cursorMoved' ? [change.move.at] : []
  })
  const [first, last] = [Math.min(START, ...times), Math.max(START, ...times) + 1]
  const from = Math.floor(first + Math.min(a, b) * (last - first))
  return {from, to: Math.max(from + 1, Math.ceil(first + Math.max(a, b) * (last - first)))}
}

function movesOf(lists: readonly (readonly Change[])[]): readonly Move[] {
  return lists.flat().flatMap((change) => (change.kind === 'cursorMoved' ? [change.move] : []))
}

const byName = (lanes: TimelineRange['lanes']) =>
  lanes
    .filter(({start, steps}) => start !== undefined || steps.length > 0)
    .map((line) => ({...line, steps: line.steps.map(({at, value, frame}) => ({at, value, frame}))}))
    .sort((a, b) => (a.lane < b.lane ? -1 : 1))

test('an exact range is what a plain list of everything says', async () => {
  await fc.assert(
    fc.asyncProperty(histories('steady'), ranges, async (happenings, share) => {
      const lists = changesOf(happenings)
      const memory = createMemoryStore()
      for (const list of [[added()], ...lists]) await memory.commit(list)
      const db = written(lists)
      const {from, to} = rangeOf(lists, share)
      const read = readTimeline(db, {source: SOURCE, from, to, columns: 1_000})
      const told = await memory.read.timeline(SOURCE, epochMs(from), epochMs(to), 1_000)
      db.close()
      expect(read.binMs).toBeUndefined()
      expect(byName(read.lanes)).toEqual(byName(told.lanes))
      expect(read.frames).toEqual(told.frames)
      expect(read.gaps).toEqual(told.gaps)
      expect(read.connections).toEqual(told.connections)
    }),
    {numRuns: 60},
  )
})

test('bins count every frame once, end each line where it stood, and begin it where it was', async () => {
  fc.assert(
    fc.property(histories('steady'), ranges, zooms, (happenings, share, {level, columns}) => {
      const lists = changesOf(happenings)
      const db = written(lists)
      const {from, to} = rangeOf(lists, share)
      const {binMs, ...read} = binned(db, level, {from, to, columns})
      db.close()
      const [begin, end] = [Math.floor(from / binMs) * binMs, Math.ceil(to / binMs) * binMs]
      expect(asMap(read.bins)).toEqual(countedIn(lists, begin, end, binMs))
      expect(byName(read.lanes)).toEqual(byName(binnedLines(movesOf(lists), begin, end, binMs)))
    }),
    {numRuns: 100},
  )
})

test('no frame is counted twice or lost where the clock was set back', () => {
  fc.assert(
    fc.property(histories('jumping'), ranges, zooms, (happenings, share, {level, columns}) => {
      const lists = changesOf(happenings)
      const db = written(lists)
      const {from, to} = rangeOf(lists, share)
      const {binMs, ...read} = binned(db, level, {from, to, columns})
      db.close()
      const [begin, end] = [Math.floor(from / binMs) * binMs, Math.ceil(to / binMs) * binMs]
      expect(asMap(read.bins)).toEqual(countedIn(lists, begin, end, binMs))
    }),
    {numRuns: 60},
  )
})

test('rejected, skipped, malformed and gap frames are shown at any zoom', () => {
  fc.assert(
    fc.property(histories('jumping'), ranges, fc.integer({min: 1, max: 6}), (happenings, share, columns) => {
      const lists = changesOf(happenings)
      const db = written(lists)
      const {from, to} = rangeOf(lists, share)
      const shown = new Set(readTimeline(db, {source: SOURCE, from, to, columns}).frames.map((row) => row.id))
      const notable = db
        .prepare(`SELECT id FROM frames WHERE received_at >= ? AND received_at < ?
          AND (kind = 'gap' OR outcome IN ('rejected', 'skipped', 'malformed', 'pending'))`)
        .all(from, to)
      db.close()
      for (const row of notable) expect(shown).toContain(row['id'])
    }),
    {numRuns: 60},
  )
})

test('a rejected delivery is still shown from afar once a later one was handled', () => {
  const ordinary = Array.from({length: 200}, (_, n) => journaled(n + 1))
  const redelivered = [
    journaled(201, 'pending'),
    settled(201, 'rejected'),
    journaled(202, 'handled', {redelivers: id(201)}),
  ]
  const db = written([[...ordinary, ...redelivered]])
  const read = readTimeline(db, {source: SOURCE, from: START, to: START + 300_000, columns: 50})
  db.close()
  expect(read.frames.map((row) => row.id)).toEqual([201])
})

test('of thousands that stand out, one of each kind is shown in every part of the range', () => {
  const kinds = ['malformed', 'rejected', 'skipped'] as const
  const frames = Array.from({length: 9_000}, (_, n) => {
    const outcome = kinds[n % 3] ?? 'malformed'
    return journaled(n + 1, outcome, {
      receivedAt: epochMs(START + n * 100),
      kind: outcome === 'malformed' ? outcome : 'event',
    })
  })
  const db = written([frames])
  const read = readTimeline(db, {source: SOURCE, from: START, to: START + 900_000, columns: 100})
  db.close()
  const partOf = (at: number): number => Math.floor((at - START) / (900_000 / KEPT_WHOLE))
  const shown = new Set(read.frames.map((row) => `${row.outcome} ${partOf(row.receivedAt)}`))
  for (let part = 0; part < KEPT_WHOLE; part++) for (const kind of kinds) expect(shown).toContain(`${kind} ${part}`)
  expect(read.frames.length).toBeLessThan(2_000)
})

test('a line through a long history begins where it stood and has a step for each bin', () => {
  const hour = 3_600_000
  const moves = Array.from({length: 3_000}, (_, n) => [
    journaled(n + 1, 'handled', {receivedAt: epochMs(START + n * hour)}),
    moved(n + 1, [['s', n === 0 ? undefined : n - 1, n]], {at: epochMs(START + n * hour)}),
  ])
  const db = written([...moves, [moved(9_999, [['r:once', undefined, 7]], {at: epochMs(START)})]])
  const read = readTimeline(db, {source: SOURCE, from: START + 1_000 * hour, to: START + 2_900 * hour, columns: 100})
  db.close()
  const [own, once] = [...read.lanes].sort((a, b) => b.steps.length - a.steps.length)
  expect(once).toEqual({lane: 'r:once', start: 7, steps: []})
  expect(own?.start).toBeGreaterThan(960)
  expect(own?.start).toBeLessThanOrEqual(1_000)
  expect(own?.steps.length).toBeLessThanOrEqual(101)
  expect(own?.steps.at(-1)?.value).toBeGreaterThanOrEqual(2_899)
})

test('the stored cursor is what all moves, one after the other, lead to', () => {
  fc.assert(
    fc.property(histories('jumping'), (happenings) => {
      const lists = changesOf(happenings)
      const db = written(lists)
      const folded = new Map<string, number>()
      for (const row of db.prepare(ALL_MOVES_IN_ORDER).all())
        for (const [name, , after] of fromJson<[string, number | null, number | null][]>(row['steps']))
          if (after === null) folded.delete(name)
          else folded.set(name, after)
      const position = loadProfile(db).sources[0]?.position
      db.close()
      expect(position).toEqual(folded)
    }),
    {numRuns: 60},
  )
})

const ALL_MOVES_IN_ORDER = `
  SELECT id AS place, 0 AS apart, 0 AS n, steps FROM frames WHERE moved_at IS NOT NULL
  UNION ALL SELECT after_frame, 1, id, steps FROM moves ORDER BY 1, 2, 3`

type Counted = ReadonlyMap<string, number>

function asMap(bins: TimelineRange['bins']): Counted {
  return new Map(bins.map(({lane, at, count}) => [`${lane} ${at}`, count]))
}

function countedIn(lists: readonly (readonly Change[])[], begin: number, end: number, binMs: number): Counted {
  const counts = new Map<string, number>()
  for (const change of lists.flat()) {
    if (change.kind !== 'frameJournaled') continue
    const {receivedAt, lane = ''} = change.frame
    if (receivedAt < begin || receivedAt >= end) continue
    const place = `${lane} ${Math.floor(receivedAt / binMs) * binMs}`
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return counts
}

function binnedLines(moves: readonly Move[], begin: number, end: number, binMs: number): TimelineRange['lanes'] {
  const starts = new Map<string, number | undefined>()
  const last = new Map<string, Map<number, number | null>>()
  for (const {at, steps} of moves)
    for (const {key, after} of steps) {
      if (at < begin) starts.set(key, after)
      if (at < begin || at >= end) continue
      const bins = last.get(key) ?? new Map<number, number | null>()
      last.set(key, bins.set((Math.floor(at / binMs) + 1) * binMs, after ?? null))
    }
  return [...new Set([...starts.keys(), ...last.keys()])].map((lane) => {
    const start = starts.get(lane)
    const steps = [...(last.get(lane) ?? [])].map(([at, value]) => ({at, value}))
    return {lane, ...(start === undefined ? {} : {start}), steps}
  })
}
