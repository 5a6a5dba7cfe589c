import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {openDatabase} from './database.ts'
import {loadRetired} from './load.ts'
import {readGenerations} from './read-generations.ts'
import {MIGRATIONS} from './schema.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'

test('the generations that an older version knew are those of the first numbering, and as much over as they were', () => {
  const path = join(temporaryDirectory(), 'old.db')
  const old = new DatabaseSync(path)
  for (const step of MIGRATIONS.slice(0, 5)) old.exec(step)
  old.exec(`
    PRAGMA user_version = 5;
    INSERT INTO sources (key, id, record) VALUES (1, 'a', '{}');
    INSERT INTO tallies (source) VALUES (1);
    INSERT INTO coordinates (id, source, name) VALUES (1, 1, '"n:1"'), (2, 1, '"n:3"'), (3, 1, '"g:x"');
    INSERT INTO generations (lane, source, first_sequence, last_sequence, first_at, last_at, events, snapshots, retired_at) VALUES
      (1, 1, 0, 9, 100, 500, 12, 0, NULL), (2, 1, NULL, 4, 200, 300, 0, 1, 400), (3, 1, NULL, NULL, 250, 250, 0, 0, 250)`)
  old.close()
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  const told = {source: 'a', numbering: 0, stale: 0}
  expect(readGenerations(opened.value, {source: 'a', limit: 9}).generations).toEqual([
    {...told, lane: 'n:1', firstSequence: 0, lastSequence: 9, firstAt: 100, lastAt: 500, events: 12, snapshots: 0},
    {...told, lane: 'n:3', lastSequence: 4, firstAt: 200, lastAt: 300, events: 0, snapshots: 1, retiredAt: 400},
    {...told, lane: 'g:x', firstAt: 250, lastAt: 250, events: 0, snapshots: 0, retiredAt: 250},
  ])
  expect(loadRetired(opened.value, 1)).toEqual(['x', 3])
  opened.value.close()
})

test('what the user decided about numberings before they were counted is counted', () => {
  const path = join(temporaryDirectory(), 'old.db')
  const old = new DatabaseSync(path)
  for (const step of MIGRATIONS.slice(0, 7)) old.exec(step)
  old.exec(`
    PRAGMA user_version = 7;
    INSERT INTO sources (key, id, record) VALUES (1, 'a', '{}'), (2, 'b', '{}');
    INSERT INTO tallies (source) VALUES (1), (2);
    INSERT INTO numberings (frame, source, received_at, decided_at, decision, held, offered) VALUES
      (3, 1, 0, 1, 'kept', '{}', '{}'), (4, 1, 2, 3, 'taken', '{}', '{}')`)
  old.close()
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  const told = opened.value.prepare('SELECT source, numberings FROM tallies ORDER BY source').all()
  expect(told.map((row) => Object.values(row))).toEqual([
    [1, 2],
    [2, 0],
  ])
  opened.value.close()
})
