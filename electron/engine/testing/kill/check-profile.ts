import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DatabaseSync} from 'node:sqlite'
import {isJsonObject} from '../../../../shared/base/json.ts'
import type {Hole} from '../../../../shared/history/hole.ts'
import {OWN} from '../../../../shared/position/position.ts'
import {openDatabase} from '../../store/database.ts'
import {loadProfile} from '../../store/load.ts'
import {profileFiles} from '../../store/profile.ts'
import {quickCheck} from '../../store/quick-check.ts'
import type {StoredSource} from '../../store/store.ts'
import {effectOfCommand} from './command-handler.ts'
import type {NameOfFrame} from './frame-names.ts'
import {type Effect, textOfPosition} from './point.ts'

/** A frame as the disk knows it after a death. */
export interface KeptFrame {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly event: string
  readonly outcome: string
  readonly redelivers: number | undefined
  readonly bytes: Uint8Array
  /** The runs that were begun, in their order. */
  readonly attempts: readonly {readonly n: number; readonly state: string}[]
  /** Of a stream of cursors: what it is numbered on, and its number. */
  readonly lane: string | undefined
  readonly sequence: number | undefined
}

export interface KeptProfile {
  readonly source: StoredSource | undefined
  readonly own: number
  /** Ascending. */
  readonly frames: readonly KeptFrame[]
  /** The frames of the moves, in the order of the moves. */
  readonly moved: readonly number[]
  /** Every move that is left, in their order. */
  readonly moves: readonly KeptMove[]
  /** The rows of the ledger about numberings that began anew, in their order. */
  readonly decisions: readonly {readonly frame: number; readonly decision: string}[]
  /** The highest numbering that any generation is of. */
  readonly numbering: number
  /** Every position that the moves led through, as one text each, from the empty one on; the last is where they lead. */
  readonly reached: readonly string[]
  /** Where the moves that are left put each coordinate that they name; `null`: removed. */
  readonly told: ReadonlyMap<string, number | null>
  /** What retention deleted: frames, and below which number it is done. */
  readonly pruned: {readonly frames: number; readonly below: number}
  /** Frames that stand in the gap ledger. */
  readonly gaps: readonly number[]
  /** Numbers of streams of cursors that were never seen. */
  readonly holes: readonly Hole[]
}

/** Opens a copy of what a dead process left, log and all, as the next one would, and reads it. Throws where it is not sound. */
export function readProfile(profile: string, nameOf: NameOfFrame): KeptProfile {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-kill-'))
  try {
    cpSync(profile, copy, {recursive: true})
    const opened = openDatabase({path: profileFiles(copy).store, role: 'write'})
    if (!opened.ok) throw new Error(`the store does not open: ${opened.error.kind}: ${opened.error.detail}`)
    const db = opened.value
    const damage = quickCheck(db)
    if (damage !== undefined) throw new Error(damage.detail)
    const kept = read(db, nameOf)
    db.close()
    return kept
  } finally {
    rmSync(copy, {recursive: true, force: true})
  }
}

function read(db: DatabaseSync, nameOf: NameOfFrame): KeptProfile {
  const [source] = loadProfile(db).sources
  const moves = readMoves(db)
  const pruned = db.prepare('SELECT frames, next_frame FROM pruned').get()
  return {
    source,
    own: source?.position.get(OWN) ?? 0,
    frames: readFrames(db, nameOf),
    moved: moves.flatMap(({frame, cause}) => (frame === undefined || cause === 'numberingKept' ? [] : [frame])),
    moves,
    decisions: db
      .prepare('SELECT frame, decision FROM numberings ORDER BY frame')
      .all()
      .map((row) => ({frame: Number(row['frame']), decision: String(row['decision'])})),
    numbering: Number(db.prepare('SELECT max(numbering) AS newest FROM generations').get()?.['newest'] ?? 0),
    reached: positionsOf(moves),
    told: new Map(moves.flatMap(({steps}) => steps.map(([key, , after]) => [key, after] as const))),
    pruned: {frames: Number(pruned?.['frames']), below: Number(pruned?.['next_frame'])},
    gaps: db
      .prepare('SELECT frame FROM gaps ORDER BY frame')
      .all()
      .map((row) => Number(row['frame'])),
    holes: db
      .prepare('SELECT hole FROM holes ORDER BY frame')
      .all()
      .map((row) => JSON.parse(String(row['hole']))), // written from holes only
  }
}

function readFrames(db: DatabaseSync, nameOf: NameOfFrame): readonly KeptFrame[] {
  const runs = db.prepare('SELECT frame, n, state FROM attempts ORDER BY frame, n').all()
  const attempts = Map.groupBy(runs, (row) => Number(row['frame']))
  const rows = db
    .prepare(`
      SELECT frames.id, kind, event, outcome, redelivers, bytes, frames.sequence, coordinates.name AS lane
      FROM frames LEFT JOIN coordinates ON coordinates.id = frames.lane
      ORDER BY frames.id`)
    .all()
  return rows.map((row) => {
    const [id, bytes] = [Number(row['id']), row['bytes'] as Uint8Array] // a blob
    return {
      id,
      name: nameOf(bytes),
      kind: String(row['kind']),
      event: String(row['event']),
      outcome: String(row['outcome']),
      redelivers: row['redelivers'] === null ? undefined : Number(row['redelivers']),
      bytes,
      attempts: (attempts.get(id) ?? []).map((run) => ({n: Number(run['n']), state: String(run['state'])})),
      lane: row['lane'] === null ? undefined : String(JSON.parse(String(row['lane']))),
      sequence: row['sequence'] === null ? undefined : Number(row['sequence']),
    }
  })
}

interface KeptMove {
  readonly frame: number | undefined
  readonly cause: string
  readonly steps: readonly (readonly [key: string, before: number | null, after: number | null])[]
}

/** A move stands in its frame's row, or in a row of its own behind the frame that was the newest then. */
function readMoves(db: DatabaseSync): readonly KeptMove[] {
  const rows = db
    .prepare(`
      SELECT id AS place, 0 AS late, id AS frame, cause, steps FROM frames WHERE moved_at IS NOT NULL
      UNION ALL SELECT after_frame, id, frame, cause, steps FROM moves
      ORDER BY 1, 2`)
    .all()
  return rows.map((row) => ({
    frame: row['frame'] === null ? undefined : Number(row['frame']),
    cause: String(row['cause']),
    steps: JSON.parse(String(row['steps'])), // written from steps only
  }))
}

function positionsOf(moves: readonly KeptMove[]): readonly string[] {
  const held = new Map<string, number>()
  const reached = [textOfPosition(held)]
  for (const {steps} of moves) {
    for (const [key, , after] of steps)
      if (after === null) held.delete(key)
      else held.set(key, after)
    reached.push(textOfPosition(held))
  }
  return reached
}

/** Of callbacks of a child's own, or as a command was told. */
export function readEffects(path: string): readonly Effect[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const read: unknown = JSON.parse(line)
    return isJsonObject(read) && 'idempotencyKey' in read ? effectOfCommand(read) : (read as Effect) // written by watch-child.ts
  })
}
