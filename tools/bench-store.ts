import {closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {parseArgs} from 'node:util'
import {openSqliteStore} from '../electron/engine/store/sqlite-store.ts'
import type {Store} from '../electron/engine/store/store.ts'
import {epochMs} from '../shared/base/units.ts'
import type {Change} from '../shared/history/change.ts'
import type {FrameId} from '../shared/history/frame-id.ts'
import type {CoordinateKey, Position, Sequence, Step} from '../shared/position/position.ts'
import type {SourceId} from '../shared/source/source.ts'

/*
 * Figures of the durable store, each beside its floor in the same run. `node tools/bench-store.ts --frames 1000000 --dir DIR`.
 * Machines are shared: read the ratios, not the milliseconds.
 */

const {values: options} = parseArgs({
  options: {
    frames: {type: 'string', default: '1000000'},
    days: {type: 'string', default: '10'},
    sources: {type: 'string', default: '3'},
    dir: {type: 'string', default: tmpdir()},
  },
})

const START = 1_700_000_000_000
const ROOMS = 20
const BYTES = new Uint8Array(350).fill(65)
const WORKER = new URL('../electron/engine/store/store-worker.ts', import.meta.url)

/** Lists of 1,000 frames are committed this many at a time, as busy sources would. */
const LISTS = 5
const ROUNDS = 40

const directory = mkdtempSync(join(options.dir, 'tidemark-bench-'))
try {
  await singleAcknowledgements()
  await sustained()
  await questions(Number(options.frames), Number(options.days))
} finally {
  rmSync(directory, {recursive: true})
}

async function open(name: string): Promise<Store> {
  const opened = await openSqliteStore({path: join(directory, name), workerUrl: WORKER})
  if (!opened.ok) throw new Error(opened.error.detail)
  for (let n = 0; n < Number(options.sources); n++) await opened.value.commit([sourceAdded(sourceId(n))])
  return opened.value
}

/** One at a time, alternating with its floor, so that both see the same disk. */
async function singleAcknowledgements(): Promise<void> {
  const store = await open('single.db')
  const writer = createWriter()
  const floor = openSync(join(directory, 'floor'), 'w')
  const page = Buffer.alloc(4096)
  const append = (): void => {
    writeSync(floor, page)
    fsyncSync(floor)
  }
  const times: Record<string, number[]> = {append: [], 'two appends': [], 'no handler': [], 'with handler': []}
  for (let n = 0; n < 1_000; n++) {
    const at = START + n * 300
    times['append']?.push(await timed(async () => append()))
    const unhandled = writer.frame(0, at)
    times['no handler']?.push(await timed(() => store.commit(unhandled)))
    times['two appends']?.push(
      await timed(async () => {
        append()
        append()
      }),
    )
    const [journal, settle] = writer.handledFrame(0, at + 100)
    times['with handler']?.push(
      await timed(async () => {
        await store.commit(journal)
        await store.commit(settle)
      }),
    )
  }
  closeSync(floor)
  await store.close()
  print(
    'single acknowledgement, ms',
    Object.entries(times).map(([name, list]) => `${name}: ${spread(list)}`),
  )
  const mean = (name: string): number => sum(times[name] ?? []) / 1_000
  print('ratios of the means', [
    `no handler / one append + fsync: ${(mean('no handler') / mean('append')).toFixed(2)}`,
    `with handler / two appends + fsync: ${(mean('with handler') / mean('two appends')).toFixed(2)}`,
  ])
}

function list(writer: Writer, first: number, msPerFrame: number): readonly Change[] {
  return Array.from({length: 1_000}, (_, n) =>
    writer.frame(n % Number(options.sources), Math.floor(START + (first + n) * msPerFrame)),
  ).flat()
}

/** Batches of 1,000 frames with their moves, in turns with the same rows inserted raw. */
async function sustained(): Promise<void> {
  for (const [what, msPerFrame] of [
    ['as fast as it goes', 0.01],
    ['5,000 frames/s of recorded time', 0.2],
    ['4 frames/s of recorded time', 250],
  ] as const) {
    const store = await open(`sustained-${msPerFrame}.db`)
    const raw = openRaw(join(directory, `raw-${msPerFrame}.db`))
    const writer = createWriter()
    let [stored, inserted] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      const lists = Array.from({length: LISTS}, (_, n) => list(writer, (round * LISTS + n) * 1_000, msPerFrame))
      stored += await timed(() => Promise.all(lists.map((changes) => store.commit(changes))))
      inserted += await timed(async () => lists.forEach(raw.insert))
    }
    await store.close()
    raw.close()
    const perSecond = (ms: number): string => `${Math.round((ROUNDS * LISTS * 1_000) / (ms / 1_000))} frames/s`
    print(`sustained, ${what}`, [
      `store ${perSecond(stored)}`,
      `raw ${perSecond(inserted)}`,
      `ratio ${(stored / inserted).toFixed(2)}`,
    ])
  }
}

/** Any pan and zoom over a history, from one second to all of it. */
async function questions(frames: number, days: number): Promise<void> {
  const store = await open('history.db')
  const spanMs = days * 86_400_000
  const filling = await timed(() => fill(store, frames, spanMs))
  print(`history of ${frames} frames over ${days} days`, [
    `filled in ${(filling / 1_000).toFixed(0)} s`,
    JSON.stringify(await store.read.size()),
  ])
  const exact: number[] = []
  const binned: number[] = []
  for (let n = 0; n < 600; n++) {
    const width = Math.exp(Math.log(1_000) + random(n) * (Math.log(spanMs) - Math.log(1_000)))
    const from = Math.floor(START + random(n + 0.5) * (spanMs - width))
    const ask = () => store.read.timeline(sourceId(0), epochMs(from), epochMs(Math.floor(from + width)), 1_200)
    let isBinned = false
    const ms = await timed(async () => {
      isBinned = (await ask()).binMs !== undefined
    })
    ;(isBinned ? binned : exact).push(ms)
  }
  const many = async (ask: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    for (let n = 0; n < 20; n++) times.push(await timed(ask))
    return times
  }
  print('questions, ms', [
    `timeline, all: ${spread([...exact, ...binned])}`,
    `timeline, exact (${exact.length}): ${spread(exact)}`,
    `timeline, binned (${binned.length}): ${spread(binned)}`,
    `gap ledger, 200 rows: ${spread(await many(() => store.read.gaps(undefined, undefined, 200)))}`,
    `newest 200 frames of a source: ${spread(await many(() => store.read.framesPage({source: sourceId(1)}, undefined, 200)))}`,
    `200 rejected or malformed: ${spread(await many(() => store.read.framesPage({outcomes: ['rejected', 'malformed']}, undefined, 200)))}`,
    `text that is nowhere: ${spread(await many(() => store.read.framesPage({text: 'nowhere'}, undefined, 200)))}`,
    `start (load): ${spread(await many(() => store.load()))}`,
  ])
  await store.close()
}

async function fill(store: Store, frames: number, spanMs: number): Promise<void> {
  const writer = createWriter()
  for (let done = 0; done < frames; ) {
    const list: Change[] = []
    for (let n = 0; n < 1_000; n++, done++) {
      const at = START + Math.floor((done / frames) * spanMs)
      if (done % 1_000 === 500) list.push(...writer.malformed(done % Number(options.sources), at))
      else if (done % 5_000 === 2_501) list.push(...writer.gap(done % Number(options.sources), at))
      else list.push(...writer.frame(done % Number(options.sources), at))
    }
    await store.commit(list)
  }
}

type Writer = ReturnType<typeof createWriter>

/** Makes up what an engine would commit. */
function createWriter() {
  let id = 0
  const held = Array.from({length: Number(options.sources)}, () => new Map<CoordinateKey, Sequence>())
  const room = (): string => `r:room-${(id * 7919) % ROOMS}`
  const step = (source: number, name: string): Step => {
    const key = name as CoordinateKey
    const before = held[source]?.get(key)
    const after = ((before ?? 0) + 1) as Sequence
    held[source]?.set(key, after)
    return {key, ...(before === undefined ? {} : {before}), after}
  }
  const journal = (source: number, at: number, outcome: 'handled' | 'pending' | 'malformed'): Change => {
    id += 1
    return journaled(id, {source: sourceId(source), at, outcome, lane: room() as CoordinateKey})
  }
  const move = (source: number, at: number): Change => {
    const about = {source: sourceId(source), at: epochMs(at), cause: 'handled', frame: id as FrameId} as const
    return {kind: 'cursorMoved', move: {...about, steps: [step(source, 's'), step(source, room())]}}
  }
  return {
    frame: (source: number, at: number): Change[] => [journal(source, at, 'handled'), move(source, at)],
    malformed: (source: number, at: number): Change[] => [journal(source, at, 'malformed')],
    gap: (source: number, at: number): Change[] => [
      journal(source, at, 'handled'),
      gapRecorded(id, sourceId(source), at, new Map(held[source])),
    ],
    handledFrame(source: number, at: number): [Change[], Change[]] {
      const journaled = journal(source, at, 'pending')
      const [started, ...ended] = attemptOf(id, sourceId(source), at)
      return [
        [journaled, started],
        [...ended, move(source, at)],
      ]
    },
  }
}

interface Told {
  readonly source: SourceId
  readonly at: number
  readonly outcome: 'handled' | 'pending' | 'malformed'
  readonly lane: CoordinateKey
}

function journaled(id: number, {source, at, outcome, lane}: Told): Change {
  const place = outcome === 'malformed' ? {} : {lane, sequence: id as Sequence}
  const kind = outcome === 'malformed' ? 'malformed' : 'event'
  const raw = {bytes: BYTES, size: BYTES.length, cuts: []}
  const about = {source, receivedAt: epochMs(at), kind, event: 'message', summary: `ada: message ${id}`} as const
  return {kind: 'frameJournaled', frame: {id: id as FrameId, ...about, ...place, ...raw}, outcome, attempt: 1}
}

function gapRecorded(id: number, source: SourceId, at: number, held: Position): Change {
  const about = {frame: id as FrameId, source, receivedAt: epochMs(at), outcome: 'replaced'} as const
  return {kind: 'gapRecorded', gap: {...about, said: {}, before: held, after: held, wentBack: [], removed: []}}
}

function attemptOf(id: number, source: SourceId, at: number): [Change, Change, Change] {
  const about = {frame: id as FrameId, source, n: 1, callback: 'onEvent', startedAt: epochMs(at)} as const
  const settled = {frame: about.frame, source, outcome: 'handled', attempt: 1, at: epochMs(at)} as const
  return [
    {kind: 'attemptStarted', attempt: {...about, state: 'pending'}},
    {kind: 'attemptEnded', attempt: {...about, state: 'resolved', endedAt: epochMs(at)}},
    {kind: 'frameSettled', ...settled},
  ]
}

function openRaw(path: string) {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32000;
    CREATE TABLE frames (id INTEGER PRIMARY KEY, source TEXT, received_at INTEGER, kind TEXT, event TEXT, lane TEXT,
      sequence INTEGER, summary TEXT, size INTEGER, outcome TEXT, attempt INTEGER, bytes BLOB);
    CREATE TABLE steps (frame INTEGER, source TEXT, at INTEGER, cause TEXT, lane TEXT, before INTEGER, after INTEGER)`)
  const addFrame = db.prepare('INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addStep = db.prepare('INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)')
  const put = (change: Change): void => {
    if (change.kind === 'frameJournaled') {
      const {id, source, receivedAt, kind, event, lane, sequence, summary, size, bytes} = change.frame
      const {outcome, attempt} = change
      addFrame.run(
        id,
        source,
        receivedAt,
        kind,
        event,
        lane ?? null,
        sequence ?? null,
        summary,
        size,
        outcome,
        attempt,
        bytes,
      )
    }
    if (change.kind !== 'cursorMoved') return
    const {frame = null, source, at, cause, steps} = change.move
    for (const {key, before = null, after = null} of steps) addStep.run(frame, source, at, cause, key, before, after)
  }
  return {
    insert(list: readonly Change[]): void {
      db.exec('BEGIN IMMEDIATE')
      for (const change of list) put(change)
      db.exec('COMMIT')
    },
    close: () => db.close(),
  }
}

function sourceId(n: number): SourceId {
  return `bench-${n}` as SourceId
}

function sourceAdded(id: SourceId): Change {
  const settings = {kind: 'demo', scenario: 'bench'} as const
  return {
    kind: 'sourceAdded',
    source: {id, name: id, settings, connectionId: id, addedAt: epochMs(START), paused: false},
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** The same numbers in every run. In [0, 1). */
function random(n: number): number {
  const x = Math.sin(n * 12.9898 + 78.233) * 43_758.5453
  return x - Math.floor(x)
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(1)}`
}

function sum(times: readonly number[]): number {
  return times.reduce((total, ms) => total + ms, 0)
}

function print(title: string, lines: readonly string[]): void {
  console.log(`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
