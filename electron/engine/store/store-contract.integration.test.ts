import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import {listedOutcome, listedOutcomeOf} from '../../../shared/contract/listed-outcome.ts'
import type {NumberedGeneration, OpaqueGeneration} from '../../../shared/cursor/cursor.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {Change} from '../../../shared/history/change.ts'
import {countsOf} from '../../../shared/history/counts.ts'
import {type CoordinateKey, OWN} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {createMemoryStore} from './memory-store.ts'
import type {Store, StoredSource} from './store.ts'
import {
  added,
  at,
  attempt,
  connection,
  decided,
  frame,
  gap,
  hole,
  id,
  journaled,
  moved,
  record,
  SOURCE,
  START,
  seen,
  settled,
  type Told,
} from './testing/changes.ts'
import {openStore, temporaryDirectory} from './testing/temporary-store.ts'

const IMPLEMENTATIONS: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['sqlite', () => openStore(join(temporaryDirectory(), 'store.db'))],
]

describe.each(IMPLEMENTATIONS)('a %s store', (_name, open) => {
  const opened = async (): Promise<Store> => {
    const store = await open()
    await store.commit([added()])
    return store
  }
  const generationsOf = async (store: Store) => (await store.read.generations(SOURCE, 500)).generations
  const only = async (store: Store): Promise<StoredSource> => {
    const {sources} = await store.load()
    const [source] = sources
    if (source === undefined || sources.length > 1) throw new Error('expected one source')
    return source
  }

  test('gives back a source as it was added', async () => {
    const store = await opened()
    expect(await only(store)).toMatchObject({record: record(), vectorSeen: false, unhandled: []})
    expect((await only(store)).position).toEqual(at({}))
    expect((await store.load()).nextFrameId).toBe(1)
  })

  test('keeps the cursor of a source that left the board, for when it comes back', async () => {
    const store = await opened()
    await store.commit([journaled(1), moved(1, [['s', undefined, 7]])])
    await store.commit([{kind: 'sourceRemoved', source: SOURCE, at: epochMs(START)}])
    expect((await store.load()).sources).toEqual([])
    await store.commit([added()])
    expect((await only(store)).position).toEqual(at({s: 7}))
  })

  test('takes a changed record without touching the cursor', async () => {
    const store = await opened()
    await store.commit([journaled(1), moved(1, [['s', undefined, 7]])])
    await store.commit([{kind: 'sourceChanged', source: {...record(), name: 'renamed', paused: true}}])
    expect(await only(store)).toMatchObject({record: {name: 'renamed', paused: true}})
    expect((await only(store)).position).toEqual(at({s: 7}))
  })

  test('keeps who answers for a daemon in the record, whatever else of it changes', async () => {
    const store = await opened()
    const supervisor = {generation: 'first', metAt: epochMs(START), after: epochMs(START - 5)}
    const placed = journaled(1, 'handled', {lane: OWN})
    const moves = moved(1, [['s', undefined, 7]])
    await store.commit([placed, moves, journaled(2, 'control'), {kind: 'supervisorMet', source: SOURCE, supervisor}])
    const {supervisorHeardAt, record: kept} = await only(store)
    expect(kept).toEqual({...record(), supervisor})
    expect(supervisorHeardAt).toBe(frame(1).receivedAt)
    await store.commit([{kind: 'sourceChanged', source: {...record(), name: 'r:\ud800'}}])
    expect((await only(store)).record).toEqual({...kept, name: 'r:\ud800'})
    const next = {generation: 'second', metAt: epochMs(START + 1)}
    await store.commit([{kind: 'supervisorMet', source: SOURCE, supervisor: next}])
    expect((await only(store)).record).toEqual({...record(), name: 'r:\ud800', supervisor: next})
  })

  test('takes any name of a room as data', async () => {
    const store = await opened()
    const names = ['__proto__', 'constructor', 'r:', 'r:a:b', 'r:\u0000', 'r:\ud800', 'r:\ud801', "r:'; --", '']
    await store.commit([
      journaled(1),
      moved(
        1,
        names.map((name, n): Told => [name, undefined, n]),
      ),
    ])
    const expected = new Map(names.map((name, n) => [name, n]))
    expect((await only(store)).position).toEqual(expected)
  })

  test('removes a coordinate that a replacement left out, and takes values back', async () => {
    const store = await opened()
    await store.commit([
      journaled(1),
      moved(1, [
        ['s', undefined, 18],
        ['r:a', undefined, 43],
        ['r:b', undefined, 9],
      ]),
    ])
    await store.commit([
      journaled(2),
      moved(2, [
        ['s', 18, 2],
        ['r:a', 43, 7],
        ['r:b', 9, undefined],
      ]),
    ])
    expect((await only(store)).position).toEqual(at({s: 2, 'r:a': 7}))
  })

  test('holds 100,000 coordinates', async () => {
    const store = await opened()
    const told = Array.from({length: 100_000}, (_, n): Told => [`r:room-${n}`, undefined, n])
    await store.commit([journaled(1), moved(1, told)])
    await store.commit([journaled(2), moved(2, [['r:room-5', 5, 6]])])
    const {position} = await only(store)
    expect(position.size).toBe(100_000)
    expect(position.get('r:room-5' as CoordinateKey)).toBe(6)
    expect(position.get('r:room-99999' as CoordinateKey)).toBe(99_999)
  })

  test('remembers for ever that a vector was seen', async () => {
    const store = await opened()
    await store.commit([{kind: 'vectorSeen', source: SOURCE}])
    await store.commit([{kind: 'sourceChanged', source: record()}])
    expect(await only(store)).toMatchObject({vectorSeen: true})
  })

  test('brings back unhandled frames in the order of journaling, with their bytes and runs', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending', {cuts: [3, 9], lane: 'r:a' as CoordinateKey})])
    await store.commit([{kind: 'attemptStarted', attempt: attempt(1)}])
    await store.commit([journaled(2, 'pending')])
    const {unhandled} = await only(store)
    expect(unhandled).toEqual([
      {
        frame: frame(1, {cuts: [3, 9], lane: 'r:a' as CoordinateKey}),
        outcome: 'pending',
        attempts: 1,
        rejections: 0,
      },
      {frame: frame(2), outcome: 'pending', attempts: 0, rejections: 0},
    ])
  })

  test('a rejected frame stays unhandled until a later attempt on it is settled otherwise', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), {kind: 'attemptStarted', attempt: attempt(1)}])
    const ended = attempt(1, {state: 'rejected', endedAt: epochMs(START + 1_500), error: 'no'})
    await store.commit([{kind: 'attemptEnded', attempt: ended}, settled(1, 'rejected')])
    expect((await only(store)).unhandled).toMatchObject([{outcome: 'rejected', attempts: 1}])
    await store.commit([{kind: 'attemptStarted', attempt: attempt(1, {n: 2})}])
    expect((await only(store)).unhandled).toMatchObject([{outcome: 'rejected', attempts: 2}])
    await store.commit([settled(1, 'handled', 2), moved(1, [['s', undefined, 1]])])
    expect((await only(store)).unhandled).toEqual([])
  })

  test('a redelivery takes the place of the rejected delivery and goes on counting its runs', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), {kind: 'attemptStarted', attempt: attempt(1)}, settled(1, 'rejected')])
    await store.commit([journaled(2, 'pending', {redelivers: id(1)})])
    expect((await only(store)).unhandled).toMatchObject([{frame: {id: 2, redelivers: 1}, attempts: 1}])
  })

  test('a run that was cut off is none that failed, over all deliveries of a frame', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), {kind: 'attemptStarted', attempt: attempt(1)}])
    await store.commit([{kind: 'openAttemptsAborted'}, {kind: 'attemptStarted', attempt: attempt(1, {n: 2})}])
    const retry = {attempts: 5, backoffMs: 200}
    const failed = attempt(1, {n: 2, state: 'timedOut', endedAt: epochMs(START + 1_500), error: 'late', retry})
    await store.commit([{kind: 'attemptEnded', attempt: failed}, settled(1, 'rejected', 2)])
    expect((await only(store)).unhandled).toMatchObject([{attempts: 2, rejections: 1, retry}])
    await store.commit([journaled(2, 'pending', {redelivers: id(1)})])
    await store.commit([{kind: 'attemptStarted', attempt: attempt(2, {n: 3})}])
    const again = attempt(2, {n: 3, state: 'rejected', endedAt: epochMs(START + 2_500), error: 'no'})
    await store.commit([{kind: 'attemptEnded', attempt: again}, settled(2, 'rejected', 3)])
    const [waiting] = (await only(store)).unhandled
    expect(waiting).toMatchObject({frame: {id: 2}, attempts: 3, rejections: 2})
    expect(waiting).not.toHaveProperty('retry') // this failure said nothing about the next try
  })

  test('keeps what handlers did and wrote, and gives what they wrote only with the frame', async () => {
    const store = await opened()
    const about = {handler: 'h', name: 'first', startedAt: epochMs(START), durationMs: 12} as const
    const runs = [
      {...about, kind: 'command', state: 'resolved', exitCode: 0, output: 'done\n', outputBytes: 5},
      {...about, kind: 'webhook', state: 'rejected', status: 500, error: 'answered 500', output: 'o'.repeat(65_536)},
    ] as const
    await store.commit([journaled(1, 'pending'), {kind: 'attemptStarted', attempt: attempt(1)}])
    const ended = attempt(1, {state: 'rejected', endedAt: epochMs(START + 1_500), error: 'answered 500', runs})
    await store.commit([{kind: 'attemptEnded', attempt: ended}, settled(1, 'rejected')])
    expect((await store.read.frameDetail(id(1)))?.attempts[0]?.runs).toEqual(runs)
    const range = await store.read.timeline(SOURCE, epochMs(START), epochMs(START + 10_000), 10)
    expect(range.attempts[0]?.runs).toEqual(runs.map(({output: _output, ...run}) => run))
  })

  test('tells of a rejected delivery what the frame came to in the end', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), settled(1, 'rejected')])
    await store.commit([journaled(2, 'pending', {redelivers: id(1)}), settled(2, 'rejected', 2)])
    await store.commit([journaled(3, 'pending', {redelivers: id(2)}), settled(3, 'handled', 3)])
    for (const n of [1, 2])
      expect((await store.read.frameDetail(id(n)))?.later).toEqual({frame: 3, outcome: 'handled', attempt: 3})
    expect(await store.read.frameDetail(id(3))).not.toHaveProperty('later')
  })

  test('knows the newest gap that took the place of the position', async () => {
    const store = await opened()
    expect(await only(store)).not.toHaveProperty('lastReplacement')
    await store.commit([journaled(1, 'pending', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(1)}])
    expect(await only(store)).not.toHaveProperty('lastReplacement')
    await store.commit([{kind: 'gapRecorded', gap: gap(1, {outcome: 'replaced', appliedAt: epochMs(START)})}])
    await store.commit([journaled(2, 'pending', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(2)}])
    expect(await only(store)).toMatchObject({lastReplacement: 1})
  })

  test('knows the malformed frames that the user skipped, until something behind them moved', async () => {
    const store = await opened()
    const bytes = new Uint8Array([1, 2])
    await store.commit([
      journaled(1, 'malformed', {kind: 'malformed'}),
      journaled(2, 'malformed', {kind: 'malformed', bytes}),
    ])
    expect(await only(store)).not.toHaveProperty('passedOver')
    await store.commit([settled(2, 'skipped'), moved(2, [], {cause: 'skipped', reason: 'broken for good'})])
    expect(await only(store)).toMatchObject({passedOver: [bytes]})
    await store.commit([journaled(3, 'control', {kind: 'control'})])
    expect(await only(store)).toMatchObject({passedOver: [bytes]})
    await store.commit([journaled(4, 'handled'), moved(4, [['s', undefined, 1]])])
    expect(await only(store)).not.toHaveProperty('passedOver')
  })

  test('counts deliveries by what they came to', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), settled(1, 'rejected'), journaled(2, 'handled', {redelivers: id(1)})])
    await store.commit([journaled(3, 'malformed', {kind: 'malformed'}), journaled(4, 'handled', {kind: 'gap'})])
    await store.commit([journaled(5, 'duplicate'), journaled(6, 'stale'), journaled(7, 'handled', {kind: 'snapshot'})])
    await store.commit([{kind: 'holeSeen', hole: hole(7)}])
    const none = countsOf(() => 0)
    const told = {
      frames: 7,
      handled: 3,
      rejected: 1,
      malformed: 1,
      gaps: 1,
      duplicate: 1,
      stale: 1,
      snapshots: 1,
      holes: 1,
    }
    expect((await only(store)).counts).toEqual({...none, ...told})
  })

  test('tells the last connection in the order of recording, also where the clock was set back', async () => {
    const store = await opened()
    await store.commit([{kind: 'connectionChanged', connection: connection(START + 5_000)}])
    const later = connection(START + 1_000, {
      state: {kind: 'waiting', attempt: 2, delayMs: 250, because: {kind: 'closed'}},
    })
    await store.commit([{kind: 'connectionChanged', connection: later}])
    expect(await only(store)).toMatchObject({lastConnection: later, lastFactAt: START + 5_000})
  })

  test('gives the next frame a number above every one used', async () => {
    const store = await opened()
    await store.commit([journaled(41)])
    expect((await store.load()).nextFrameId).toBe(42)
  })

  test('pages through frames, newest first, each once', async () => {
    const store = await opened()
    await store.commit(Array.from({length: 25}, (_, n) => journaled(n + 1)))
    const seen: number[] = []
    let next: number | undefined
    do {
      const page = await store.read.framesPage({source: SOURCE}, next === undefined ? undefined : id(next), 10)
      seen.push(...page.frames.map((row) => row.id))
      next = page.next
    } while (next !== undefined)
    expect(seen).toEqual(Array.from({length: 25}, (_, n) => 25 - n))
  })

  test('narrows a page by every part of a filter', async () => {
    const store = await opened()
    await store.commit([added('other' as SourceId), journaled(1, 'handled', {summary: 'Ada said 100%'})])
    await store.commit([journaled(2, 'rejected', {lane: 'r:a' as CoordinateKey})])
    await store.commit([journaled(3, 'malformed', {kind: 'malformed', event: 'Odd'})])
    await store.commit([journaled(4, 'handled', {source: 'other' as SourceId})])
    const found = async (filter: Parameters<Store['read']['framesPage']>[0]) =>
      (await store.read.framesPage(filter, undefined, 10)).frames.map((row) => row.id)
    expect(await found({})).toEqual([4, 3, 2, 1])
    expect(await found({source: 'other'})).toEqual([4])
    expect(await found({outcomes: ['rejected', 'malformed']})).toEqual([3, 2])
    expect(await found({outcomes: ['rejected', 'handled'], source: SOURCE})).toEqual([2, 1])
    expect(await found({lane: 'r:a'})).toEqual([2])
    expect(await found({texts: ['100%']})).toEqual([1])
    expect(await found({texts: ['oDD']})).toEqual([3])
    expect(await found({texts: ['_']})).toEqual([])
    expect(await found({texts: ['Ada', '100%']})).toEqual([1])
    expect(await found({texts: ['Ada', 'Odd']})).toEqual([])
    expect(await found({from: START + 2_000, to: START + 4_000})).toEqual([3, 2])
    expect(await found({source: 'nobody'})).toEqual([])
  })

  test('narrows a page to every word that a list has for what a frame came to', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'handled', {kind: 'gap'}), moved(1, [['s', 18, 2]], {cause: 'gapReplaced'})])
    await store.commit([journaled(2, 'handled', {kind: 'gap'})])
    await store.commit([journaled(3, 'pending', {kind: 'gap'})])
    await store.commit([settled(3), moved(3, [['s', 2, 1]], {cause: 'gapReplaced'})])
    await store.commit([journaled(4, 'handled', {kind: 'snapshot'}), moved(4, [['g:a', undefined, 4]])])
    await store.commit([
      journaled(5, 'handled', {kind: 'snapshot'}),
      journaled(6),
      journaled(7, 'rejected', {kind: 'gap'}),
    ])
    const rows = (await store.read.framesPage({}, undefined, 10)).frames
    const found: Record<string, readonly number[]> = {}
    for (const listed of listedOutcome.options) {
      const page = await store.read.framesPage({outcomes: [listed]}, undefined, 10)
      if (page.frames.length > 0) found[listed] = page.frames.map((row) => row.id)
    }
    expect(found).toEqual({
      replaced: [3, 1],
      unmoved: [2],
      adopted: [4],
      nothingNew: [5],
      handled: [6],
      rejected: [7],
    })
    for (const row of rows) expect(found[listedOutcomeOf(row)]).toContain(row.id)
  })

  test('keeps what the user said of a gap beside it, whatever becomes of the gap later', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(1)}])
    await store.commit([journaled(2, 'pending', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(2)}])
    const say = (note: string, ms: number): Change => {
      return {kind: 'gapAccounted', source: SOURCE, frame: id(1), account: {at: epochMs(START + ms), note}}
    }
    await store.commit([say('read in the room', 5_000)])
    await store.commit([settled(1), {kind: 'gapRecorded', gap: gap(1, {outcome: 'replaced'})}])
    const account = {at: START + 5_000, note: 'read in the room'}
    const {gaps} = await store.read.gaps(undefined, undefined, 10)
    expect(gaps.map(({frame, outcome, account}) => [frame, outcome, account])).toEqual([
      [2, 'pending', undefined],
      [1, 'replaced', account],
    ])
    expect((await store.read.frameDetail(id(1)))?.gap?.account).toEqual(account)
    const {gaps: drawn} = await store.read.timeline(SOURCE, epochMs(START), epochMs(START + 9_000), 100)
    expect(drawn.map(({account}) => account)).toEqual([account, undefined])
    await store.commit([say('no: it was lost', 6_000)])
    expect((await store.read.gaps(SOURCE, undefined, 10, true)).gaps.at(-1)?.account?.note).toBe('no: it was lost')
  })

  test('shows a frame with everything that is known of it', async () => {
    const store = await opened()
    const many = Array.from({length: 12}, (_, n): Told => [`r:${n}`, undefined, n])
    await store.commit([journaled(1, 'pending', {kind: 'gap'}), {kind: 'attemptStarted', attempt: attempt(1)}])
    await store.commit([{kind: 'gapRecorded', gap: gap(1, {before: at({s: 1}), said: {reason: 'restart'}})}])
    await store.commit([
      {kind: 'attemptEnded', attempt: attempt(1, {state: 'rejected', error: 'boom'})},
      settled(1, 'rejected'),
    ])
    await store.commit([settled(1, 'skipped'), moved(1, many, {cause: 'skipped', reason: 'known loss'})])
    await store.commit([{kind: 'gapRecorded', gap: gap(1, {outcome: 'skipped', appliedAt: epochMs(START)})}])
    const detail = await store.read.frameDetail(id(1))
    expect(detail).toMatchObject({
      frame: {id: 1, outcome: 'skipped', cause: 'skipped', stepCount: 12, settledAt: START + 1_500},
      bytesTotal: frame(1).size,
      withheld: false,
      attempts: [{n: 1, state: 'rejected', error: 'boom'}],
      gap: {outcome: 'skipped', appliedAt: START},
      skipReason: 'known loss',
    })
    expect(detail?.steps).toHaveLength(12)
    expect(detail?.frame.steps).toHaveLength(8)
    expect(Buffer.from(detail?.bytes ?? '', 'base64')).toEqual(Buffer.from(frame(1).bytes))
    expect(await store.read.frameDetail(id(99))).toBeUndefined()
  })

  test('hands out the bytes of a large frame piece by piece, to their end', async () => {
    const store = await opened()
    const bytes = Uint8Array.from({length: 600_000}, (_, n) => n % 251)
    await store.commit([journaled(1, 'control', {kind: 'control', bytes, size: bytes.length})])
    const pieces: Uint8Array[] = []
    for (let from = 0, piece = await store.read.frameBytes(id(1), from); piece?.length; ) {
      pieces.push(piece)
      from += piece.length
      piece = await store.read.frameBytes(id(1), from)
    }
    expect(pieces.map(({length}) => length)).toEqual([262_144, 262_144, 75_712])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    expect(await store.read.frameBytes(id(2), 0)).toBeUndefined()
  })

  test('tells of bytes that were withheld', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'control', {kind: 'control', bytes: new Uint8Array(), size: 120})])
    expect(await store.read.frameDetail(id(1))).toMatchObject({bytes: '', bytesTotal: 120, withheld: true})
  })

  test('keeps the ledger, newest first, each gap as it last stood', async () => {
    const store = await opened()
    for (const n of [1, 2, 3]) {
      await store.commit([journaled(n, 'pending', {kind: 'gap'}), {kind: 'gapRecorded', gap: gap(n)}])
      const said = {from: 3, position: at({__proto__x: 1}), rooms: ['a'], allRooms: false} as never
      const replaced = gap(n, {
        outcome: 'replaced',
        said,
        before: at({s: 9, 'r:a': 4}),
        after: at({s: 2}),
        cursorReset: true,
      })
      await store.commit([{kind: 'gapRecorded', gap: {...replaced, removed: ['r:a' as CoordinateKey]}}, settled(n)])
    }
    const page = await store.read.gaps(SOURCE, undefined, 2)
    expect(page).toMatchObject({
      next: 2,
      gaps: [
        {
          frame: 3,
          outcome: 'replaced',
          before: [
            ['s', 9],
            ['r:a', 4],
          ],
        },
        {frame: 2},
      ],
    })
    expect(page.gaps[0]).toMatchObject({
      after: [['s', 2]],
      cursorReset: true,
      removed: ['r:a'],
      said: {position: [['__proto__x', 1]]},
    })
    expect(await store.read.gaps(undefined, id(2), 2)).toMatchObject({gaps: [{frame: 1}]})
    expect(await store.read.gaps('nobody' as SourceId, undefined, 2)).toEqual({gaps: []})
  })

  test('remembers generations: what was seen of each, and which are over', async () => {
    const store = await opened()
    const retired = (generation: string, n: number): Change => ({
      kind: 'generationRetired',
      source: SOURCE,
      generation: generation as OpaqueGeneration,
      at: epochMs(START + n),
    })
    await store.commit([seen('g:a', 59, 1, 'snapshot'), seen('g:a', 60, 2), seen('g:a', 62, 3)])
    await store.commit([retired('a', 4), seen('g:__proto__', 1, 4), retired('never seen here', 5)])
    expect((await only(store)).retired).toEqual(['a', 'never seen here'])
    const told = {source: SOURCE, numbering: 0, snapshots: 0, stale: 0}
    expect(await generationsOf(store)).toEqual([
      {
        ...told,
        lane: 'g:a',
        firstSequence: 60,
        lastSequence: 62,
        firstAt: START + 1,
        lastAt: START + 3,
        events: 2,
        snapshots: 1,
        retiredAt: START + 4,
      },
      {
        ...told,
        lane: 'g:__proto__',
        firstSequence: 1,
        lastSequence: 1,
        firstAt: START + 4,
        lastAt: START + 4,
        events: 1,
      },
      {...told, lane: 'g:never seen here', firstAt: START + 5, lastAt: START + 5, events: 0, retiredAt: START + 5},
    ])
    await store.commit([{kind: 'generationResumed', source: SOURCE, generation: 'a' as OpaqueGeneration}])
    expect((await only(store)).retired).toEqual(['never seen here'])
    expect((await generationsOf(store))[0]?.retiredAt).toBeUndefined()
  })

  test('tells the newest generations, and how many there are', async () => {
    const store = await opened()
    await store.commit(Array.from({length: 12}, (_, n) => seen(`g:g${n}`, 1, n)))
    const {generations, total} = await store.read.generations(SOURCE, 5)
    expect(generations.map(({lane}) => lane)).toEqual(['g:g7', 'g:g8', 'g:g9', 'g:g10', 'g:g11'])
    expect(total).toBe(12)
  })

  test('tells the generations of a numbering that was given up apart from those that bear their numbers since', async () => {
    const store = await opened()
    const over = (generation: number, n: number): Change => ({
      ...{kind: 'generationRetired', source: SOURCE, at: epochMs(START + n)},
      generation: generation as NumberedGeneration,
    })
    const again = (generation: number): Change => ({
      ...{kind: 'generationResumed', source: SOURCE},
      generation: generation as NumberedGeneration,
    })
    await store.commit([seen('n:1', 0, 1), seen('n:1', 1, 2), seen('n:2', 0, 3)])
    await store.commit([journaled(7, 'pending'), settled(7, 'stale'), decided(7, 'kept')])
    await store.commit([journaled(8, 'pending'), settled(8), over(2, 4), decided(8, 'taken'), seen('n:1', 0, 8)])
    await store.commit([seen('n:2', 9, 9, 'stale')])
    expect((await only(store)).retired).toEqual([2])
    const [givenUpAt, told] = [START + 8_500, {source: SOURCE, snapshots: 0, stale: 0}]
    const lost = [
      {
        ...{...told, lane: 'n:1', numbering: 0, givenUpAt, firstSequence: 0, lastSequence: 1},
        ...{firstAt: START + 1, lastAt: START + 2, events: 2},
      },
      {
        ...{...told, lane: 'n:2', numbering: 0, givenUpAt, firstSequence: 0, lastSequence: 0, stale: 1},
        ...{firstAt: START + 3, lastAt: START + 3, events: 1, retiredAt: START + 4},
      },
    ]
    const begun = {...told, numbering: 1, firstSequence: 0, lastSequence: 0, events: 1}
    const first = {...begun, lane: 'n:1', firstAt: START + 8, lastAt: START + 8}
    expect(await generationsOf(store)).toEqual([...lost, first])
    await store.commit([again(2), seen('n:2', 0, 9)])
    expect((await only(store)).retired).toEqual([])
    const second = {...begun, lane: 'n:2', firstAt: START + 9, lastAt: START + 9}
    expect(await generationsOf(store)).toEqual([...lost, first, second])
    await store.commit([journaled(9, 'pending'), settled(9), over(2, 10), decided(9, 'taken'), seen('n:0', 4, 10)])
    const rows = await generationsOf(store)
    expect(rows.map(({numbering, lane}) => `${numbering} ${lane}`)).toEqual([
      '0 n:1',
      '0 n:2',
      '1 n:1',
      '1 n:2',
      '2 n:0',
    ])
    expect(rows.map((row) => row.givenUpAt)).toEqual([givenUpAt, givenUpAt, START + 9_500, START + 9_500, undefined])
  })

  test('keeps what the user said where a numbering began anew: with its frame, in the ledger, and in the time of its decision', async () => {
    const store = await opened()
    const late = {decidedAt: epochMs(START + 60_000)}
    await store.commit([
      journaled(1, 'pending'),
      settled(1, 'stale'),
      moved(1, [], {cause: 'numberingKept'}),
      decided(1, 'kept'),
    ])
    const back: readonly Told[] = [
      ['generation', 10, 1],
      ['sequence', 7, 0],
    ]
    const at = {at: late.decidedAt, cause: 'numberingTaken'} as const
    await store.commit([journaled(2, 'pending')])
    await store.commit([{...settled(2), at: late.decidedAt} as Change, moved(2, back, at), decided(2, 'taken', late)])
    const between = {held: {generation: 10, sequence: 7}, offered: {generation: 1, sequence: 0}}
    expect(await store.read.frameDetail(id(1))).toMatchObject({
      frame: {outcome: 'stale', cause: 'numberingKept', steps: [], numbering: {decision: 'kept', ...between}},
      steps: [],
    })
    const {frame: taken} = (await store.read.frameDetail(id(2))) ?? {}
    expect(taken).toMatchObject({cause: 'numberingTaken', stepCount: 2, numbering: {decision: 'taken', ...between}})
    const row = {source: SOURCE, ...between}
    const [first, second] = [
      {...row, frame: 1, decision: 'kept', receivedAt: START + 1_000, decidedAt: START + 1_500},
      {...row, frame: 2, decision: 'taken', receivedAt: START + 2_000, decidedAt: START + 60_000},
    ]
    expect(await store.read.numberings(SOURCE, undefined, 1)).toEqual({numberings: [second], next: 2})
    expect(await store.read.numberings(undefined, id(2), 5)).toEqual({numberings: [first]})
    expect(await store.read.numberings('nobody' as SourceId, undefined, 5)).toEqual({numberings: []})
    const {frames} = await store.read.timeline(SOURCE, epochMs(START + 50_000), epochMs(START + 70_000), 500)
    expect(frames).toEqual([taken])
  })

  test('keeps numbers never seen in the ledger, newest first, page by page', async () => {
    const store = await opened()
    await store.commit([journaled(1), {kind: 'holeSeen', hole: hole(1)}])
    await store.commit([journaled(2), {kind: 'holeSeen', hole: hole(2, {said: 'complete', missing: 9})}])
    expect(await store.read.holes(SOURCE, undefined, 1)).toEqual({
      holes: [{...hole(2, {said: 'complete', missing: 9})}],
      next: 2,
    })
    expect(await store.read.holes(undefined, id(2), 1)).toEqual({holes: [{...hole(1)}]})
    expect((await store.read.frameDetail(id(1)))?.hole).toEqual({...hole(1)})
    const range = await store.read.timeline(SOURCE, epochMs(START + 1_500), epochMs(START + 2_500), 100)
    expect(range.holes).toMatchObject([{frame: 2}])
  })

  test('tells what the agent did that lasts, and what reaches into a range', async () => {
    const store = await opened()
    const tool: Activity = {
      source: SOURCE,
      frame: id(1),
      kind: 'tool',
      label: 'read',
      startedAt: epochMs(START + 1_000),
      state: 'open',
    }
    await store.commit([journaled(1), {kind: 'activityChanged', activity: tool}])
    expect(await store.read.openActivities(SOURCE)).toEqual([tool])
    const ended: Activity = {...tool, endedAt: epochMs(START + 3_000), endFrame: id(3), state: 'failed'}
    const orphan: Activity = {
      source: SOURCE,
      frame: id(4),
      kind: 'bash',
      label: 'ls',
      endedAt: epochMs(START + 4_000),
      state: 'ended',
    }
    await store.commit([journaled(3), {kind: 'activityChanged', activity: ended}])
    await store.commit([journaled(4), {kind: 'activityChanged', activity: orphan}])
    expect(await store.read.openActivities(SOURCE)).toEqual([])
    const between = async (from: number, to: number) =>
      (await store.read.timeline(SOURCE, epochMs(START + from), epochMs(START + to), 100)).activities
    expect(await between(2_000, 5_000)).toEqual([ended, orphan])
    expect(await between(3_500, 3_600)).toEqual([])
  })

  test('ends the runs that a dead process left open', async () => {
    const store = await opened()
    await store.commit([journaled(1, 'pending'), {kind: 'attemptStarted', attempt: attempt(1)}])
    await store.commit([{kind: 'openAttemptsAborted'}])
    expect((await store.read.frameDetail(id(1)))?.attempts).toMatchObject([{n: 1, state: 'aborted'}])
    expect((await only(store)).unhandled).toMatchObject([{attempts: 1}])
  })

  test('answers a range of time with its frames, lines, attempts, gaps and connections', async () => {
    const store = await opened()
    await store.commit([{kind: 'connectionChanged', connection: connection(START)}])
    await store.commit([
      journaled(1),
      moved(1, [
        ['s', undefined, 5],
        ['r:still', undefined, 3],
      ]),
    ])
    await store.commit([journaled(2, 'pending'), {kind: 'attemptStarted', attempt: attempt(2)}])
    await store.commit([
      {kind: 'attemptEnded', attempt: attempt(2, {state: 'resolved', endedAt: epochMs(START + 2_400)})},
    ])
    await store.commit([settled(2), moved(2, [['s', 5, 6]], {at: epochMs(START + 2_500)})])
    await store.commit([{kind: 'connectionChanged', connection: connection(START + 2_700, {heartbeat: 'stale'})}])
    const range = await store.read.timeline(SOURCE, epochMs(START + 1_500), epochMs(START + 3_000), 1_000)
    expect(range).toMatchObject({source: SOURCE, from: START + 1_500, to: START + 3_000, bins: [], gaps: []})
    expect(range.binMs).toBeUndefined()
    expect(range.frames.map((row) => row.id)).toEqual([2])
    expect(range.attempts).toMatchObject([{frame: 2, state: 'resolved'}])
    expect(range.connections).toMatchObject([{heartbeat: 'fresh'}, {heartbeat: 'stale'}])
    expect([...range.lanes].sort((a, b) => (a.lane < b.lane ? -1 : 1))).toEqual([
      {lane: 'r:still', start: 3, steps: []},
      {lane: 's', start: 5, steps: [{at: START + 2_500, value: 6, frame: 2}]},
    ])
  })

  test('a range of a source that is not known is empty', async () => {
    const store = await opened()
    const range = await store.read.timeline('nobody' as SourceId, epochMs(0), epochMs(1), 10)
    expect(range).toMatchObject({frames: [], lanes: [], bins: [], connections: []})
  })

  test('refuses a commit after it was closed', async () => {
    const store = await opened()
    await store.close()
    await expect(store.commit([journaled(1)])).rejects.toMatchObject({error: {kind: 'closed'}})
  })

  test('a commit that was not awaited is durable once the store is closed', async () => {
    const store = await opened()
    const commits = [1, 2, 3].map((n) => store.commit([journaled(n)]))
    await store.close()
    await expect(Promise.all(commits)).resolves.toHaveLength(3)
  })
})
