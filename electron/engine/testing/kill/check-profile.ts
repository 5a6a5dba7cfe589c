import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DatabaseSync} from 'node:sqlite'
import {OWN} from '../../../../shared/position/position.ts'
import {openDatabase} from '../../store/database.ts'
import {loadProfile} from '../../store/load.ts'
import {profileFiles} from '../../store/profile.ts'
import {quickCheck} from '../../store/quick-check.ts'
import type {StoredSource} from '../../store/store.ts'
import {type Effect, nameOfBytes} from './point.ts'

/** A frame as the disk knows it after a death. */
export interface KeptFrame {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly outcome: string
  readonly redelivers: number | undefined
}

export interface KeptProfile {
  readonly source: StoredSource | undefined
  readonly own: number
  /** Ascending. */
  readonly frames: readonly KeptFrame[]
  /** The frames of the moves, in the order of the moves; and where they lead. */
  readonly moved: readonly number[]
  readonly folded: Readonly<Record<string, number>>
}

/** Opens a copy of what a dead process left, log and all, as the next one would, and reads it. Throws where it is not sound. */
export function readProfile(profile: string): KeptProfile {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-kill-'))
  try {
    cpSync(profile, copy, {recursive: true})
    const opened = openDatabase({path: profileFiles(copy).store, role: 'write'})
    if (!opened.ok) throw new Error(`the store does not open: ${opened.error.kind}: ${opened.error.detail}`)
    const db = opened.value
    const damage = quickCheck(db)
    if (damage !== undefined) throw new Error(damage.detail)
    const kept = read(db)
    db.close()
    return kept
  } finally {
    rmSync(copy, {recursive: true, force: true})
  }
}

function read(db: DatabaseSync): KeptProfile {
  const [source] = loadProfile(db).sources
  const frames = db.prepare('SELECT id, kind, outcome, redelivers, bytes FROM frames ORDER BY id').all()
  const moves = readMoves(db)
  const folded = new Map<string, number>()
  for (const {steps} of moves)
    for (const [key, , after] of steps) {
      if (after === null) folded.delete(key)
      else folded.set(key, after)
    }
  return {
    source,
    own: source?.position.get(OWN) ?? 0,
    frames: frames.map((row) => ({
      id: Number(row['id']),
      name: nameOfBytes(row['bytes'] as Uint8Array), // a blob
      kind: String(row['kind']),
      outcome: String(row['outcome']),
      redelivers: row['redelivers'] === null ? undefined : Number(row['redelivers']),
    })),
    moved: moves.flatMap(({frame}) => (frame === undefined ? [] : [frame])),
    folded: Object.fromEntries(folded),
  }
}

interface KeptMove {
  readonly frame: number | undefined
  readonly steps: readonly (readonly [key: string, before: number | null, after: number | null])[]
}

/** A move stands in its frame's row, or in a row of its own behind the frame that was the newest then. */
function readMoves(db: DatabaseSync): readonly KeptMove[] {
  const rows = db
    .prepare(`
      SELECT id AS place, 0 AS late, id AS frame, steps FROM frames WHERE moved_at IS NOT NULL
      UNION ALL SELECT after_frame, id, frame, steps FROM moves
      ORDER BY 1, 2`)
    .all()
  return rows.map((row) => ({
    frame: row['frame'] === null ? undefined : Number(row['frame']),
    steps: JSON.parse(String(row['steps'])), // written from steps only
  }))
}

export function readEffects(path: string): readonly Effect[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Effect) // written by watch-child.ts
}
