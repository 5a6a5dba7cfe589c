import {DatabaseSync} from 'node:sqlite'
import {readTimeline} from '../../electron/engine/store/read-timeline.ts'
import type {Store} from '../../electron/engine/store/store.ts'
import {epochMs} from '../../shared/base/units.ts'
import type {Figure} from './figure.ts'
import type {History} from './made-history.ts'
import {chance, inTurns, median, quantile} from './measure.ts'
import {openBenchStore} from './watched-source.ts'
import {untilContent} from './window-start.ts'

const LOOKS = 600
const COLUMNS = 1_200
const LEDGER_ROWS = 200
const LEDGER_LOOKS = 100
const STARTS = 5
/** What the widest look reads of the roll-ups, at most (read-bins.ts). */
const CELLS = 6_000

/** Looks at a long history: any part of it at any zoom, its ledger, and its first picture after a start. */
export async function benchHistory(history: History): Promise<readonly Figure[]> {
  const store = await openBenchStore(history.storePath)
  const bare = new DatabaseSync(history.storePath, {readOnly: true})
  const figures = [...(await looks(history, store, bare)), ...(await pages(history, store, bare))]
  bare.close()
  await store.close()
  return [...figures, await starts(history)]
}

/** From a second to all of it, as many narrow as wide ones. */
async function looks(
  {frames, source, from, spanMs}: History,
  store: Store,
  bare: DatabaseSync,
): Promise<readonly Figure[]> {
  const place = (round: number) => {
    const width = Math.exp(Math.log(1_000) + chance(round) * (Math.log(spanMs) - Math.log(1_000)))
    const start = Math.floor(from + chance(round + 0.5) * (spanMs - width))
    return {from: epochMs(start), to: epochMs(Math.floor(start + width))}
  }
  const cells = bare.prepare(`SELECT bucket, lane, count, last FROM cells LIMIT ${CELLS}`)
  cells.setReturnArrays(true)
  const times = await inTurns(LOOKS, {
    ours: (round) => {
      const {from, to} = place(round)
      return store.read.timeline(source, from, to, COLUMNS)
    },
    inThread: (round) => readTimeline(bare, {source, ...place(round), columns: COLUMNS}),
    floor: () => cells.all(),
  })
  const p95 = (all: readonly number[]): number => quantile(all, 0.95)
  const floor = {what: `${CELLS} roll-up rows read in a row`, value: p95(times.floor.ms)}
  const goal = {kind: 'value', atMost: 30} as const
  const of = `${millions(frames)} frames: any pan or zoom`
  return [
    {what: `${of}, p95 in the store`, unit: 'ms', ours: p95(times.inThread.ms), floor, goal},
    {what: `${of}, p95 in the store in time of the processor`, unit: 'ms', ours: p95(times.inThread.cpuMs)},
    {what: `${of}, p95 with the way to and from its thread`, unit: 'ms', ours: p95(times.ours.ms), floor, goal},
    {what: `${of}, median with that way`, unit: 'ms', ours: median(times.ours.ms)},
  ]
}

async function pages({frames}: History, store: Store, bare: DatabaseSync): Promise<readonly Figure[]> {
  const rows = bare.prepare(`SELECT * FROM gaps ORDER BY frame DESC LIMIT ${LEDGER_ROWS}`)
  const rare = {outcomes: ['rejected', 'malformed']} as const
  const times = await inTurns(LEDGER_LOOKS, {
    ours: () => store.read.gaps(undefined, undefined, LEDGER_ROWS),
    rare: () => store.read.framesPage(rare, undefined, LEDGER_ROWS),
    floor: () => rows.all(),
  })
  const gaps: Figure = {
    what: `${millions(frames)} frames: a page of the gap ledger, ${LEDGER_ROWS} gaps, p95`,
    unit: 'ms',
    ours: quantile(times.ours.ms, 0.95),
    floor: {what: 'the rows as they are', value: quantile(times.floor.ms, 0.95)},
    goal: {kind: 'value', atMost: 50},
  }
  const what = `${millions(frames)} frames: a page of what was rejected or malformed, ${LEDGER_ROWS} frames, p95`
  return [gaps, {what, unit: 'ms', ours: quantile(times.rare.ms, 0.95)}]
}

async function starts(history: History): Promise<Figure> {
  const [ours, floor]: [number[], number[]] = [[], []]
  for (let round = 0; round < STARTS; round++) {
    ours.push(await untilContent(history, COLUMNS))
    floor.push(await untilContent(undefined, COLUMNS))
  }
  return {
    what: `${millions(history.frames)} frames: from the start of the process to what the first window shows`,
    unit: 'ms',
    ours: median(ours),
    floor: {what: 'the same with an empty profile', value: median(floor)},
    goal: {kind: 'value', atMost: 2_000},
  }
}

export function millions(frames: number): string {
  return `${frames / 1e6} M`
}
