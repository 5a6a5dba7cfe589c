import type {DatabaseSync, SQLInputValue} from 'node:sqlite'
import type {FrameDetail, FrameFilter, FramesPage} from '../../../shared/contract/contract.ts'
import type {AttemptRow, FrameRow, HoleRow} from '../../../shared/contract/rows.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  attemptRow,
  cutsOf,
  FRAME_COLUMNS,
  FRAME_JOINS,
  FRAME_TABLES,
  frameRow,
  fromJson,
  GAP_COLUMNS,
  GAP_TABLES,
  gapRow,
  JOURNAL_COLUMNS,
  journaledFrame,
} from './read-row.ts'

export interface FramesQuery {
  readonly filter: FrameFilter
  readonly before: number | undefined
  readonly limit: number
}

/** Frames looked at in one go, and in one answer. A rare frame may so need several pages; none takes longer than a moment. */
const STRETCH = 20_000
const LOOKED_AT = 100_000

/** The notable outcomes have an index, so that the rare ones are found in any history. */
const INDEXED_OUTCOMES: ReadonlyMap<string, string> = new Map([
  ...['rejected', 'skipped', 'malformed'].map((outcome) => [outcome, outcome] as const),
  ['replaced', 'gap'],
  ['unmoved', 'gap'],
])

/** `listedOutcomeOf`, in SQL. */
const LISTED_OUTCOME = `CASE
  WHEN frames.outcome <> 'handled' THEN frames.outcome
  WHEN frames.kind = 'gap' THEN iif(frames.step_count > 0, 'replaced', 'unmoved')
  WHEN frames.kind = 'snapshot' THEN iif(frames.step_count > 0, 'adopted', 'nothingNew')
  ELSE 'handled' END`

/**
 * Newest first. Without a narrowing that no index serves, the page is full while frames are left. Otherwise the search
 * stops after a number of frames; then the page is short, and `next` tells where to go on.
 */
export function readFramesPage(db: DatabaseSync, query: FramesQuery): FramesPage {
  const top = query.before ?? Number.MAX_SAFE_INTEGER
  if (query.filter.outcomes?.every((outcome) => INDEXED_OUTCOMES.has(outcome))) return rarePage(db, query, top)
  const condition = conditionOf(query.filter)
  if (!condition.slow) return pageOf(select(db, condition, {below: top, from: 0, limit: query.limit + 1}), query.limit)
  const frames: FrameRow[] = []
  let below = Math.min(top, newestFrame(db) + 1)
  for (let seen = 0; seen < LOOKED_AT && below > 0 && frames.length <= query.limit; seen += STRETCH) {
    const from = Math.max(0, below - STRETCH)
    frames.push(...select(db, condition, {below, from, limit: query.limit + 1 - frames.length}))
    below = from
  }
  const page = pageOf(frames, query.limit)
  return page.next === undefined && below > 0 ? {...page, next: below} : page
}

/** Each rare outcome is found by itself, newest first: together they would all be read and sorted, over the whole history. */
function rarePage(db: DatabaseSync, {filter, limit}: FramesQuery, below: number): FramesPage {
  const frames = [...new Set(filter.outcomes)].flatMap((outcome) => {
    const condition = conditionOf({...filter, outcomes: [outcome]}, INDEXED_OUTCOMES.get(outcome))
    return select(db, condition, {below, from: 0, limit: limit + 1})
  })
  return pageOf(
    frames.sort((a, b) => b.id - a.id),
    limit,
  )
}

export function readFrameDetail(db: DatabaseSync, id: number): FrameDetail | undefined {
  const row = db
    .prepare(`
      SELECT ${FRAME_COLUMNS}, frames.cuts, frames.problem, coalesce(substr(frames.bytes, 1, ${BYTES_SHOWN}), x'') AS shown
      FROM ${FRAME_TABLES} WHERE frames.id = ?`)
    .get(id)
  if (row === undefined) return undefined
  const attempts = db.prepare(`SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPT_TABLES} WHERE frame = ? ORDER BY n`).all(id)
  const gap = db.prepare(`SELECT ${GAP_COLUMNS} FROM ${GAP_TABLES} WHERE frame = ?`).get(id)
  const hole = db.prepare('SELECT hole FROM holes WHERE frame = ?').get(id)
  const move = db.prepare('SELECT steps, reason FROM moves WHERE frame = ? ORDER BY id DESC LIMIT 1').get(id)
  const frame = frameRow(row)
  const shown = Buffer.from(row['shown'] as Uint8Array) // the column is a BLOB that is never NULL
  return {
    frame,
    bytes: shown.toString('base64'),
    bytesTotal: frame.size,
    withheld: shown.length === 0 && frame.size > 0,
    cuts: cutsOf(row),
    ...(row['problem'] === null ? {} : {problem: fromJson(row['problem'])}),
    attempts: attempts.map((row) => withOutputs(db, attemptRow(row))),
    ...laterOf(db, id),
    ...(gap === undefined ? {} : {gap: gapRow(gap)}),
    ...(hole === undefined ? {} : {hole: fromJson<HoleRow>(hole['hole'])}),
    steps: move === undefined ? (frame.steps ?? []) : fromJson(move['steps']),
    ...(typeof move?.['reason'] === 'string' ? {skipReason: move['reason']} : {}),
  }
}

export interface BytesQuery {
  readonly frame: number
  readonly from: number
}

export function readFrameBytes(db: DatabaseSync, {frame, from}: BytesQuery): Uint8Array | undefined {
  const row = db
    .prepare(`SELECT coalesce(substr(bytes, ?, ${BYTES_SHOWN}), x'') AS shown FROM frames WHERE id = ?`)
    .get(from + 1, frame)
  return row === undefined ? undefined : (row['shown'] as Uint8Array) // a BLOB that is never NULL
}

/** The whole of it: for who handles it again. */
export function readJournaled(db: DatabaseSync, id: number): JournaledFrame | undefined {
  const row = db.prepare(`SELECT ${FRAME_COLUMNS}, ${JOURNAL_COLUMNS} FROM ${FRAME_TABLES} WHERE frames.id = ?`).get(id)
  return row === undefined ? undefined : journaledFrame(row)
}

/** The last of the deliveries that followed this one, each of the one before it. */
function laterOf(db: DatabaseSync, first: number): Pick<FrameDetail, 'later'> {
  const last = db
    .prepare(`
      WITH RECURSIVE later (id) AS (SELECT ? UNION SELECT frames.id FROM later JOIN frames ON frames.redelivers = later.id)
      SELECT id, outcome, attempt FROM frames WHERE id = (SELECT max(id) FROM later)`)
    .get(first)
  if (last === undefined || last['id'] === first) return {}
  return {
    later: {
      frame: Number(last['id']),
      outcome: last['outcome'] as FrameRow['outcome'],
      attempt: Number(last['attempt']),
    },
  }
}

/** What the handlers of one attempt wrote. */
function withOutputs(db: DatabaseSync, attempt: AttemptRow): AttemptRow {
  const {runs, frame, n} = attempt
  if (runs === undefined) return attempt
  const rows = db.prepare('SELECT run, output FROM outputs WHERE frame = ? AND n = ?').all(frame, n)
  const outputs = new Map(rows.map((row) => [Number(row['run']), String(row['output'])]))
  const written = (place: number) => (outputs.has(place) ? {output: outputs.get(place)} : {})
  return {...attempt, runs: runs.map((run, place) => ({...run, ...written(place)}))}
}

/** An inspector shows no more of a frame. In bytes. */
const BYTES_SHOWN = 256 * 1024

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
  /** No index leads to the next frame that fits. */
  readonly slow: boolean
  /** The index of the rare outcomes, which SQLite would not choose by itself beside a source. */
  readonly index: '' | 'INDEXED BY frames_notable'
}

/** @param rare - what the outcome is indexed as, where it has an index */
function conditionOf({source, outcomes, lane, texts = [], from, to}: FrameFilter, rare?: string): Condition {
  const parts: string[] = []
  const values: SQLInputValue[] = []
  const also = (sql: string, ...more: SQLInputValue[]): void => {
    parts.push(sql)
    values.push(...more)
  }
  if (source !== undefined) also('frames.source = (SELECT key FROM sources WHERE id = ?)', source)
  if (rare !== undefined) also('frames.notable = ?', rare)
  if (outcomes !== undefined) also(`${LISTED_OUTCOME} IN (SELECT value FROM json_each(?))`, JSON.stringify(outcomes))
  if (lane !== undefined) also('coordinates.name = ?', JSON.stringify(lane))
  for (const text of texts) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
    also("(frames.summary LIKE ? ESCAPE '\\' OR frames.event LIKE ? ESCAPE '\\')", pattern, pattern)
  }
  if (from !== undefined) also('frames.received_at >= ?', from)
  if (to !== undefined) also('frames.received_at < ?', to)
  const served = source === undefined ? 0 : 1
  return {
    sql: parts.map((part) => ` AND ${part}`).join(''),
    values,
    slow: rare === undefined && parts.length > served,
    index: rare === undefined ? '' : 'INDEXED BY frames_notable',
  }
}

interface Stretch {
  readonly below: number
  readonly from: number
  readonly limit: number
}

function select(db: DatabaseSync, {sql, values, index}: Condition, {below, from, limit}: Stretch): FrameRow[] {
  const found = db.prepare(`
    SELECT ${FRAME_COLUMNS} FROM frames ${index} ${FRAME_JOINS}
    WHERE frames.id < ? AND frames.id >= ?${sql} ORDER BY frames.id DESC LIMIT ?`)
  return found.all(below, from, ...values, limit).map(frameRow)
}

function pageOf(frames: readonly FrameRow[], limit: number): FramesPage {
  const page = frames.slice(0, limit)
  const last = page.at(-1)
  return frames.length > limit && last !== undefined ? {frames: page, next: last.id} : {frames: page}
}

function newestFrame(db: DatabaseSync): number {
  return Number(db.prepare('SELECT max(id) AS id FROM frames').get()?.['id'] ?? 0)
}
