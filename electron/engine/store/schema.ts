/**
 * The schema, as the steps that lead to it: step n takes a file of `user_version` n to n + 1. A step that has been
 * released is never edited; a change is a new step.
 *
 * Written for appends: whatever every frame writes goes to the end of a tree or to a page that is written anyway, because the
 * cost of a commit is the number of pages it touches. So a frame carries the move it made, instead of one row per step.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sources (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL,                    -- JSON of the SourceRecord
    removed_at INTEGER,
    vector_seen INTEGER NOT NULL DEFAULT 0,
    last_connection INTEGER                  -- connections.id
  ) STRICT;

  -- What every commit of a source changes, apart from the record, so that little is rewritten.
  CREATE TABLE tallies (
    source INTEGER PRIMARY KEY REFERENCES sources (key),
    frames INTEGER NOT NULL DEFAULT 0,
    handled INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    discarded INTEGER NOT NULL DEFAULT 0,
    malformed INTEGER NOT NULL DEFAULT 0,
    control INTEGER NOT NULL DEFAULT 0,
    gaps INTEGER NOT NULL DEFAULT 0,
    open_second INTEGER,                     -- see roll-up.ts
    last_at INTEGER
  ) STRICT;

  -- Every coordinate ever named. The cursor is the rows with a sequence: an acknowledgement rewrites only those it moves.
  CREATE TABLE coordinates (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (key),
    name TEXT NOT NULL,                      -- as JSON: a name may hold what UTF-8 cannot
    sequence INTEGER,
    UNIQUE (source, name)
  ) STRICT;

  -- The journal and the history. The bytes stand last, so that lists read none of their overflow pages.
  CREATE TABLE frames (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL,
    lane INTEGER,                            -- coordinates.id
    sequence INTEGER,
    summary TEXT NOT NULL,
    size INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    settled_at INTEGER,
    redelivers INTEGER,
    notable TEXT,                            -- never binned away: rejected, skipped, malformed, gap
    cause TEXT,
    step_count INTEGER,
    steps TEXT,                              -- JSON triples, at most 8
    moved_at INTEGER,                        -- present where the whole move stands here and not in moves
    cuts TEXT,
    problem TEXT,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX frames_by_source ON frames (source);
  CREATE INDEX frames_by_time ON frames (source, received_at);
  CREATE INDEX frames_notable ON frames (notable) WHERE notable IS NOT NULL;
  CREATE INDEX frames_notable_by_time ON frames (source, notable, received_at) WHERE notable IS NOT NULL;

  -- Frames whose callback has not resolved. No frame can be deleted while it is here.
  CREATE TABLE unhandled (
    frame INTEGER PRIMARY KEY REFERENCES frames (id),
    source INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE attempts (
    frame INTEGER NOT NULL,
    n INTEGER NOT NULL,
    source INTEGER NOT NULL,
    callback TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    error TEXT,
    PRIMARY KEY (frame, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_by_time ON attempts (source, started_at);
  CREATE INDEX attempts_notable ON attempts (source, started_at) WHERE state <> 'resolved';

  -- Moves that do not stand whole in their frame: later than it, wide, with a reason, or of no frame.
  CREATE TABLE moves (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    frame INTEGER,
    after_frame INTEGER NOT NULL,            -- the newest frame when it was made: its place in the order of all moves
    reason TEXT,
    steps TEXT NOT NULL                      -- JSON triples, all of them
  ) STRICT;
  CREATE INDEX moves_by_time ON moves (source, at);
  CREATE INDEX moves_by_frame ON moves (frame) WHERE frame IS NOT NULL;

  CREATE TABLE gaps (
    frame INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (key),
    received_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    said TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    cursor_reset INTEGER,
    went_back TEXT NOT NULL,
    removed TEXT NOT NULL,
    applied_at INTEGER,
    coordinates_total INTEGER,               -- present where said, before and after are cut for a screen
    whole TEXT                               -- then all of them, as JSON; last, so that screens read none of its pages
  ) STRICT;
  CREATE INDEX gaps_by_source ON gaps (source);
  CREATE INDEX gaps_by_time ON gaps (source, received_at);

  CREATE TABLE connections (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (key),
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    heartbeat TEXT NOT NULL
  ) STRICT;
  CREATE INDEX connections_by_time ON connections (source, at);

  -- Roll-ups (roll-up.ts): frames received and the last value reached, by lane (0: no lane) and span of time.
  CREATE TABLE cells (
    source INTEGER NOT NULL,
    level INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    count INTEGER NOT NULL,
    last INTEGER,                            -- -1: removed; NULL: no step in this span
    PRIMARY KEY (source, level, bucket, lane)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX cells_by_lane ON cells (lane, bucket, last) WHERE level = 3 AND last IS NOT NULL;
  `,
  `
  -- All transactions ever, in the row of the first source: on a page that each of them writes anyway. See cut-log.ts.
  ALTER TABLE tallies ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;

  -- What retention deleted (prune.ts), in its only row.
  CREATE TABLE pruned (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    next_frame INTEGER NOT NULL,             -- every frame below it is deleted, or kept for good
    details_from INTEGER,                    -- of what was received before it, epoch ms, frames are missing
    cells_from INTEGER,                      -- and before it only roll-ups from 1 h on are left; a whole hour
    frames INTEGER NOT NULL
  ) STRICT;
  INSERT INTO pruned (id, next_frame, frames) VALUES (1, 1, 0);
  `,
  `
  -- Streams whose cursors are {generation, sequence}.
  ALTER TABLE tallies ADD COLUMN duplicate INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tallies ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tallies ADD COLUMN snapshots INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tallies ADD COLUMN holes INTEGER NOT NULL DEFAULT 0;

  -- What was seen of each generation. Kept for good, as cursors are.
  CREATE TABLE generations (
    lane INTEGER PRIMARY KEY REFERENCES coordinates (id),
    source INTEGER NOT NULL REFERENCES sources (key),
    first_sequence INTEGER,                  -- of the first event seen; NULL: a snapshot only
    last_sequence INTEGER,                   -- NULL: nothing of it was seen here
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    events INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
    retired_at INTEGER
  ) STRICT;
  CREATE INDEX generations_by_source ON generations (source);

  -- Numbers never seen. Part of the ledger, which is never deleted.
  CREATE TABLE holes (
    frame INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (key),
    received_at INTEGER NOT NULL,
    lane INTEGER NOT NULL,                   -- coordinates.id
    missing INTEGER NOT NULL,
    hole TEXT NOT NULL                       -- JSON of the row that screens are told
  ) STRICT;
  CREATE INDEX holes_by_source ON holes (source);
  CREATE INDEX holes_by_time ON holes (source, received_at);

  -- What the watched agent did that lasts, by the frame that told of it first.
  CREATE TABLE activities (
    frame INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    told_at INTEGER NOT NULL,                -- of its start, else of its end
    started_at INTEGER,
    ended_at INTEGER,
    end_frame INTEGER,
    state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX activities_by_time ON activities (source, told_at);
  CREATE INDEX activities_open ON activities (source) WHERE state = 'open';
  `,
  `
  -- What the bytes of a frame alone do not tell, as JSON: whoever handles it later needs it.
  ALTER TABLE unhandled ADD COLUMN context TEXT;
  `,
  `
  -- What the user's handlers did in an attempt, and what they wrote, which may be large and is read for one frame only.
  ALTER TABLE attempts ADD COLUMN runs TEXT;             -- JSON, without the outputs
  CREATE TABLE outputs (
    frame INTEGER NOT NULL,
    n INTEGER NOT NULL,
    run INTEGER NOT NULL,                                -- its place in attempts.runs
    output TEXT NOT NULL,
    PRIMARY KEY (frame, n, run)
  ) STRICT, WITHOUT ROWID;

  -- A run that was cut off is none that failed, so failures are counted apart. Over all deliveries of a frame, as attempts are.
  ALTER TABLE unhandled ADD COLUMN rejections INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE unhandled ADD COLUMN retry TEXT;           -- JSON: what the handler that failed last says about the next try
  UPDATE unhandled SET rejections = (
    WITH RECURSIVE deliveries (id) AS (
      SELECT unhandled.frame
      UNION
      SELECT frames.redelivers FROM deliveries JOIN frames ON frames.id = deliveries.id WHERE frames.redelivers IS NOT NULL
    )
    SELECT count(*) FROM attempts
    WHERE frame IN (SELECT id FROM deliveries) AND state IN ('rejected', 'timedOut')
  );

  -- The newest gap that took the place of the position. Here too, so that a source is known without its ledger.
  ALTER TABLE tallies ADD COLUMN last_replacement INTEGER;
  UPDATE tallies SET last_replacement = (
    SELECT max(frame) FROM gaps WHERE gaps.source = tallies.source AND applied_at IS NOT NULL
  );

  -- Which later delivery a frame that was rejected had.
  CREATE INDEX frames_by_redelivered ON frames (redelivers) WHERE redelivers IS NOT NULL;
  `,
  `
  -- Numberings that began anew below the cursor, and what the user said. Part of the ledger, which is never deleted.
  CREATE TABLE numberings (
    frame INTEGER PRIMARY KEY,               -- the first of the new one
    source INTEGER NOT NULL REFERENCES sources (key),
    received_at INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    decision TEXT NOT NULL,
    held TEXT NOT NULL,                      -- JSON of the cursors
    offered TEXT NOT NULL
  ) STRICT;
  CREATE INDEX numberings_by_source ON numberings (source);
  CREATE INDEX numberings_by_time ON numberings (source, decided_at);

  -- A number names a generation within its numbering: 0 is the first one of its source, and each that was taken is one more.
  CREATE TABLE generations_by_numbering (
    lane INTEGER NOT NULL REFERENCES coordinates (id),
    numbering INTEGER NOT NULL DEFAULT 0,
    source INTEGER NOT NULL REFERENCES sources (key),
    first_sequence INTEGER,                  -- of the first event seen; NULL: a snapshot only
    last_sequence INTEGER,                   -- NULL: nothing of it was seen here
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    events INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
    stale INTEGER NOT NULL DEFAULT 0,        -- what came from it when it was over
    retired_at INTEGER,
    PRIMARY KEY (lane, numbering)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO generations_by_numbering (lane, source, first_sequence, last_sequence, first_at, last_at, events, snapshots,
    retired_at)
  SELECT lane, source, first_sequence, last_sequence, first_at, last_at, events, snapshots, retired_at FROM generations;
  DROP TABLE generations;
  ALTER TABLE generations_by_numbering RENAME TO generations;
  CREATE INDEX generations_by_source ON generations (source);
  `,
  `
  -- The user's word on how the loss of a gap was made good. Beside the gaps, whose last column may fill many pages.
  CREATE TABLE gap_accounts (
    gap INTEGER PRIMARY KEY,                 -- gaps.frame
    said_at INTEGER NOT NULL,
    note TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE tallies ADD COLUMN numberings INTEGER NOT NULL DEFAULT 0;
  UPDATE tallies SET numberings = (SELECT count(*) FROM numberings WHERE numberings.source = tallies.source);
  `,
]
