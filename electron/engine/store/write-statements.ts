import type {DatabaseSync} from 'node:sqlite'

export type WriteStatements = ReturnType<typeof prepareWriteStatements>

/** Every statement that a change runs, prepared once. */
export function prepareWriteStatements(db: DatabaseSync) {
  return {
    ...sourceStatements(db),
    ...frameStatements(db),
    ...attemptStatements(db),
    ...ledgerStatements(db),
    ...generationStatements(db),
  }
}

function sourceStatements(db: DatabaseSync) {
  return {
    /** A source that comes back under its old id finds its cursor and history again. */
    addSource: db.prepare(`
      INSERT INTO sources (id, record) VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE SET record = excluded.record, removed_at = NULL`),
    addTally: db.prepare('INSERT OR IGNORE INTO tallies (source) SELECT key FROM sources WHERE id = ?'),
    changeSource: db.prepare(`
      UPDATE sources SET record = CASE WHEN record -> '$.supervisor' IS NULL THEN ?1
        ELSE json_set(?1, '$.supervisor', record -> '$.supervisor') END WHERE key = ?2`),
    meetSupervisor: db.prepare("UPDATE sources SET record = json_set(record, '$.supervisor', json(?)) WHERE key = ?"),
    removeSource: db.prepare('UPDATE sources SET removed_at = ? WHERE key = ?'),
    seeVector: db.prepare('UPDATE sources SET vector_seen = 1 WHERE key = ?'),
    addConnection: db.prepare('INSERT INTO connections (source, at, state, heartbeat) VALUES (?, ?, ?, ?)'),
    lastConnection: db.prepare('UPDATE sources SET last_connection = ? WHERE key = ?'),
  }
}

function frameStatements(db: DatabaseSync) {
  return {
    addFrame: db.prepare(`
      INSERT INTO frames (id, source, received_at, kind, event, lane, sequence, summary, size, outcome, attempt, redelivers,
        notable, cause, step_count, steps, moved_at, cuts, problem, bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    kindOfFrame: db.prepare('SELECT kind FROM frames WHERE id = ? AND source = ?'),
    settleFrame: db.prepare('UPDATE frames SET outcome = ?, attempt = ?, settled_at = ?, notable = ? WHERE id = ?'),
    moveFrame: db.prepare('UPDATE frames SET cause = ?, step_count = ?, steps = ? WHERE id = ?'),
    /** A redelivery goes on counting where the delivery before it stopped. */
    awaitFrame: db.prepare(`
      INSERT OR IGNORE INTO unhandled (frame, source, attempts, rejections, retry, context)
      SELECT $frame, $source, coalesce(before.attempts, $runs), coalesce(before.rejections, $runs), before.retry, $context
      FROM (SELECT 1) LEFT JOIN unhandled AS before ON before.frame = $redelivers`),
    dropUnhandled: db.prepare('DELETE FROM unhandled WHERE frame = ?'),
    addMove: db.prepare(
      'INSERT INTO moves (source, at, cause, frame, after_frame, reason, steps) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
  }
}

function attemptStatements(db: DatabaseSync) {
  return {
    putAttempt: db.prepare(`
      INSERT INTO attempts (frame, n, source, callback, state, started_at, ended_at, error, runs)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at, error = excluded.error,
        runs = excluded.runs`),
    putOutput: db.prepare('INSERT OR REPLACE INTO outputs (frame, n, run, output) VALUES (?, ?, ?, ?)'),
    countFailure: db.prepare('UPDATE unhandled SET rejections = rejections + 1, retry = ? WHERE frame = ?'),
    countAttempt: db.prepare('UPDATE unhandled SET attempts = max(attempts, ?) WHERE frame = ?'),
    /** An open attempt is always one on an unhandled frame, and of those there are few. */
    abortAttempts: db.prepare(`
      UPDATE attempts SET state = 'aborted' WHERE state = 'pending' AND frame IN (SELECT frame FROM unhandled)`),
  }
}

function ledgerStatements(db: DatabaseSync) {
  return {
    notePlaceTaken: db.prepare('UPDATE tallies SET last_replacement = ? WHERE source = ?'),
    putGap: db.prepare(`
      INSERT INTO gaps (frame, source, received_at, outcome, said, before, after, cursor_reset, went_back, removed, applied_at,
        coordinates_total, whole)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (frame) DO UPDATE SET outcome = excluded.outcome, said = excluded.said, before = excluded.before,
        after = excluded.after, cursor_reset = excluded.cursor_reset, went_back = excluded.went_back,
        removed = excluded.removed, applied_at = excluded.applied_at, coordinates_total = excluded.coordinates_total,
        whole = excluded.whole`),
    accountGap: db.prepare('INSERT OR REPLACE INTO gap_accounts (gap, said_at, note) VALUES (?, ?, ?)'),
  }
}

function generationStatements(db: DatabaseSync) {
  return {
    seeGeneration: db.prepare(`
      INSERT INTO generations (lane, numbering, source, first_sequence, last_sequence, first_at, last_at, events, snapshots)
      VALUES ($lane, $numbering, $source, $first, $sequence, $at, $at, $events, $snapshots)
      ON CONFLICT (lane, numbering) DO UPDATE SET first_sequence = coalesce(first_sequence, $first),
        last_sequence = max(coalesce(last_sequence, 0), $sequence), first_at = min(first_at, $at), last_at = max(last_at, $at),
        events = events + $events, snapshots = snapshots + $snapshots`),
    /** What is over is the one that the name last stood for, whichever numbering that was in. */
    newestNumbering: db.prepare('SELECT max(numbering) AS numbering FROM generations WHERE lane = ?'),
    countStale: db.prepare('UPDATE generations SET stale = stale + 1 WHERE lane = ? AND numbering = ?'),
    retireGeneration: db.prepare(`
      INSERT INTO generations (lane, numbering, source, first_at, last_at, events, snapshots, retired_at)
      VALUES ($lane, $numbering, $source, $at, $at, 0, 0, $at)
      ON CONFLICT (lane, numbering) DO UPDATE SET retired_at = coalesce(retired_at, $at)`),
    resumeGeneration: db.prepare('UPDATE generations SET retired_at = NULL WHERE lane = ? AND numbering = ?'),
    putNumbering: db.prepare(`
      INSERT OR REPLACE INTO numberings (frame, source, received_at, decided_at, decision, held, offered)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    noteNumbering: db.prepare(`UPDATE frames SET notable = coalesce(notable, 'numbering') WHERE id = ?`),
    putHole: db.prepare(`
      INSERT INTO holes (frame, source, received_at, lane, missing, hole) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (frame) DO UPDATE SET lane = excluded.lane, missing = excluded.missing, hole = excluded.hole`),
    putActivity: db.prepare(`
      INSERT INTO activities (frame, source, kind, label, told_at, started_at, ended_at, end_frame, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (frame) DO UPDATE SET label = excluded.label, ended_at = excluded.ended_at,
        end_frame = excluded.end_frame, state = excluded.state`),
  }
}
