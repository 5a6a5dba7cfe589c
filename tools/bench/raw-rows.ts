import {DatabaseSync} from 'node:sqlite'
import {isJsonObject, member, parseJson, textOf} from '../../shared/base/json.ts'
import {cutInto} from './switch-text.ts'

/** Rows of one commit. */
const BATCH = 1_000

export interface RawRows {
  /** Decodes a body, parses each frame's JSON and inserts its row, and leaves the position where the body leads. */
  readonly take: (body: Buffer, pieceBytes: number) => void
  readonly close: () => void
}

/**
 * The floor of ingestion: the rows that the store writes for the same frames, durable in the same way, with nothing that makes them
 * findable (no index, no roll-up, no tally) and nothing that makes sure of them (no classification, no order of steps).
 */
export function openRawRows(path: string): RawRows {
  const db = new DatabaseSync(path)
  db.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32000;
    CREATE TABLE frames (id INTEGER PRIMARY KEY, source INTEGER, received_at INTEGER, kind TEXT, event TEXT, lane INTEGER,
      sequence INTEGER, summary TEXT, size INTEGER, outcome TEXT, attempt INTEGER, cause TEXT, step_count INTEGER, steps TEXT,
      moved_at INTEGER, bytes BLOB) STRICT;
    CREATE TABLE cursor (name TEXT PRIMARY KEY, sequence INTEGER) STRICT, WITHOUT ROWID`)
  const add = db.prepare(`INSERT INTO frames VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const move = db.prepare('INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET sequence = excluded.sequence')
  const held = new Map<string, number>()
  let waiting: string[] = []

  const insert = (blocks: readonly string[]): void => {
    db.exec('BEGIN IMMEDIATE')
    const moved = new Set<string>()
    for (const block of blocks) {
      const data = parseJson(block.slice(block.indexOf('data: ') + 6))
      const steps = stepsIn(data, held)
      for (const [name, , after] of steps) {
        held.set(name, after)
        moved.add(name)
      }
      const bytes = Buffer.from(block, 'latin1')
      const {sequence, summary} = saidIn(data)
      const row = [
        1,
        Date.now(),
        'event',
        'message',
        1,
        sequence,
        summary,
        bytes.length,
        'handled',
        1,
        'handled',
      ] as const
      add.run(...row, steps.length, JSON.stringify(steps), Date.now(), bytes)
    }
    for (const name of moved) move.run(name, held.get(name) ?? null)
    db.exec('COMMIT')
  }
  return {
    take(body, pieceBytes) {
      const decoder = new TextDecoder()
      let rest = ''
      for (const piece of cutInto(body, pieceBytes)) {
        const text = rest + decoder.decode(piece, {stream: true})
        let at = 0
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', at)) {
          waiting.push(text.slice(at, end))
          at = end + 2
        }
        rest = text.slice(at)
        while (waiting.length >= BATCH) insert(waiting.splice(0, BATCH))
      }
      if (waiting.length > 0) insert(waiting)
      waiting = []
    },
    close: () => db.close(),
  }
}

function stepsIn(data: unknown, held: ReadonlyMap<string, number>): readonly [string, number | null, number][] {
  const position = isJsonObject(data) ? member(data, 'position') : undefined
  if (!isJsonObject(position)) return []
  return Object.entries(position).map(([name, after]) => [name, held.get(name) ?? null, Number(after)])
}

function saidIn(data: unknown): {readonly sequence: number; readonly summary: string} {
  if (!isJsonObject(data)) return {sequence: 0, summary: ''}
  const payload = member(data, 'payload')
  const body = isJsonObject(payload) ? textOf(payload, 'body') : undefined
  return {sequence: Number(member(data, 'sequence')), summary: `@ada: ${body ?? ''}`}
}
